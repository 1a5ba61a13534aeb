package graph

import "encoding/binary"

// Key appends a text that two graphs of one program share if and only if they are equal: the same
// events with the same rf and mo. The order in which events were added does not matter, nor do the
// numbers of locations, for which place stands: the thread that made the location, and how many it
// had made before.
func (g *Graph) Key(b []byte, place []Ref) []byte {
	for t := range g.Threads {
		b = append(b, '|')
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			flags := byte(e.Kind) << 4
			if e.RMW {
				flags |= 1
			}
			if e.Spurious {
				flags |= 2
			}
			if e.Blocked {
				flags |= 4
			}
			b = append(b, flags, byte(e.Order))
			switch e.Kind {
			case Read:
				b = binary.AppendVarint(b, int64(place[e.Loc]))
				b = binary.AppendVarint(b, int64(e.RF))
			case Write:
				b = binary.AppendVarint(b, int64(place[e.Loc]))
				before := Init
				if p := g.Position(e.Loc, At(t, i)); p > 1 {
					before = g.MO[e.Loc][p-2]
				}
				b = binary.AppendVarint(b, int64(before))
			case Join, Choice:
				b = binary.AppendVarint(b, int64(e.Arg))
			}
		}
	}
	return b
}

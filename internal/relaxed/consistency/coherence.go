// Package consistency decides incrementally which events can be added to a consistent graph. The
// new event is last in its thread, and nothing reads from it or happens after it.
package consistency

import "github.com/linsat/linsat/internal/relaxed/graph"

// Bound returns the position in mo of the latest write of a location that an access must respect
// that comes right after the events of hb: the access reads no earlier one, and writes after it. It
// is coherence: hb; eco? is irreflexive.
func Bound(g *graph.Graph, hb *graph.Clock, loc int32) int {
	bound := 0
	writes := g.Writes(loc)
	if len(writes) == 0 {
		return 0
	}
	for t := range g.Threads {
		for i := int(hb[t]) - 1; i >= 0; i-- {
			e := &g.Threads[t][i]
			if e.Kind > graph.Write || e.Loc != loc {
				continue
			}
			w := e.RF
			if e.Kind == graph.Write {
				w = graph.At(t, i)
			}
			for w != graph.Init && bound < len(writes) {
				if p := g.Position(loc, w); p > bound {
					bound = p
				}
				break
			}
			break
		}
	}
	return bound
}

// Updated reports whether an atomic update has read the write at a position of mo. Nothing can be
// written right after it.
func Updated(g *graph.Graph, loc int32, position int) bool {
	writes := g.Writes(loc)
	if position >= len(writes) {
		return false
	}
	return g.Event(writes[position]).RMW
}

// Race returns an event that conflicts with the access of a location that comes right after the
// events of hb, and does not happen before it.
func Race(g *graph.Graph, hb *graph.Clock, loc int32, atomic, writes bool) graph.Ref {
	for t := range g.Threads {
		of := g.Threads[t]
		for i := int(hb[t]); i < len(of); i++ {
			e := &of[i]
			if e.Kind > graph.Write || e.Loc != loc {
				continue
			}
			if (e.Kind == graph.Write || writes) && (!atomic || e.Order == graph.NotAtomic) {
				return graph.At(t, i)
			}
		}
	}
	return graph.None
}

// Package consistency decides incrementally which events can be added to a consistent graph. The
// new event is last in its thread, and nothing reads from it or happens after it.
package consistency

import "github.com/linsat/linsat/internal/relaxed/graph"

// Bound returns the position in mo of the latest write of a location that an access must respect
// that comes right after the events of hb: the access reads no earlier one, and writes after it. It
// is coherence: hb; eco? is irreflexive.
func Bound(g *graph.Graph, hb *graph.Clock, loc int32) int {
	if len(g.Writes(loc)) == 0 {
		return 0
	}
	bound := 0
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
			if w != graph.Init {
				bound = max(bound, g.Position(loc, w))
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

// Races returns the first two events of a graph that race.
func Races(g *graph.Graph) (a, b graph.Ref, found bool) {
	for t := range g.Threads {
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			if e.Kind > graph.Write || e.Order != graph.NotAtomic {
				continue
			}
			a := graph.At(t, i)
			for u := range g.Threads {
				for j := int(e.HB[u]); j < len(g.Threads[u]); j++ {
					f := &g.Threads[u][j]
					if f.Kind <= graph.Write && f.Loc == e.Loc && (e.Kind == graph.Write || f.Kind == graph.Write) &&
						!f.HB.Has(a) {
						return a, graph.At(u, j), true
					}
				}
			}
		}
	}
	return graph.None, graph.None, false
}

// Race reports whether an access that is not atomic and comes right after the events of hb
// conflicts with an event that does not happen before it.
func Race(g *graph.Graph, hb *graph.Clock, loc int32, writes bool) bool {
	for t := range g.Threads {
		of := g.Threads[t]
		for i := int(hb[t]); i < len(of); i++ {
			if e := &of[i]; e.Kind <= graph.Write && e.Loc == loc && (e.Kind == graph.Write || writes) {
				return true
			}
		}
	}
	return false
}

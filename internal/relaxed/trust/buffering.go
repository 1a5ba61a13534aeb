package trust

import (
	"slices"

	"github.com/linsat/linsat/internal/relaxed/consistency"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Load buffering: the model without the axiom that sb ∪ rf has no cycle.
//
// What: a new write may also be read by a read in its own prefix. Nothing else is deleted then, so
// the write stays, and is a promise: the next run gives its value to the read before the write is
// made, and is dropped if the write turns out to be another one. So a load reads from a later store
// if the store is made, with the same value, whether the load reads what it read before or the
// store. Values out of thin air are not tried.
//
// The stamps of TruSt say nothing about such graphs. A revisit keeps the prefixes of the write and
// of the read, whether the rest was added maximally or not, and keys of the graphs that were met
// stand for optimality: the search is exhaustive and remembers. In programs whose writes depend on
// no read it finds all graphs of the definition (the tests compare them).

// buffered pushes the graphs in which reads of g read the write that thread id is about to add.
func (s *Search) buffered(g *graph.Graph, id int, e *graph.Event, value any) {
	_, prefix := g.Before(id)
	var within []graph.Ref
	for t := range g.Threads {
		if t == id {
			continue
		}
		for i := range g.Threads[t] {
			r := &g.Threads[t][i]
			ref := graph.At(t, i)
			switch {
			case r.Kind != graph.Read || r.Loc != e.Loc || r.Order == graph.NotAtomic:
			case prefix.Has(ref):
				within = append(within, ref)
			default:
				keep := prefix
				keep.Join(&r.Porf)
				s.back(g, ref, id, e, value, keep)
			}
		}
	}
	if len(within) > 0 {
		s.promise(g, within, id, e, value, &prefix)
	}
}

// promise pushes the graphs in which some of the reads, which are in the prefix of the write, read
// it.
func (s *Search) promise(g *graph.Graph, reads []graph.Ref, id int, e *graph.Event, value any, prefix *graph.Clock) {
	h := s.fresh()
	h.CopyPart(g, prefix)
	a := graph.At(id, len(h.Threads[id]))
	s.chain = append(s.chain, written{a, value})
	hb, _ := h.Before(id)
	from, to := s.places(h, id, e, &hb)
	for p := from; p <= to; p++ {
		for set := 1; set < 1<<len(reads); set++ {
			k := s.copy(h)
			k.Add(id, *e, p)
			if s.point(k, reads, set, a) && consistency.Buffers(k) && s.unmet(k) {
				_, _, k.Racy = consistency.Races(k)
				s.stack = append(s.stack, k)
			} else {
				s.free = append(s.free, k)
			}
		}
	}
	s.free = append(s.free, h)
	s.chain = s.chain[:len(s.chain)-1]
}

// point makes the reads of a set read a write that comes later. It reports whether they still
// write, or do not write, as before: otherwise what follows would be something else.
func (s *Search) point(k *graph.Graph, reads []graph.Ref, set int, a graph.Ref) bool {
	for i, r := range reads {
		if set>>i&1 == 0 {
			continue
		}
		e := k.Event(r)
		var several [2]form
		forms := slices.DeleteFunc(s.forms(s.request(r), a, several[:0]), func(f form) bool {
			return f.blocked || f.rmw != e.RMW
		})
		if len(forms) == 0 {
			return false
		}
		stamp := e.Stamp
		*e = forms[0].event(e.Loc, a)
		if e.Stamp = stamp; e.RMW {
			k.Follow(r+1, a)
		}
	}
	k.Promises = append(k.Promises, graph.Promise{Write: a, Value: s.value(k.Event(a).Loc, a)})
	k.Refill()
	return true
}

// unmet reports whether the search has not met a graph, and notes it.
func (s *Search) unmet(g *graph.Graph) bool {
	if s.met == nil {
		return true
	}
	s.key = g.Key(s.key[:0], s.runner.Places)
	if s.met[string(s.key)] {
		return false
	}
	s.met[string(s.key)] = true
	return true
}

// unseen reports whether the search has not visited the graph of the run.
func (s *Search) unseen() bool {
	if s.met == nil {
		return true
	}
	s.key = append(s.g.Key(s.key[:0], s.runner.Places), '!')
	if s.met[string(s.key)] {
		return false
	}
	s.met[string(s.key)] = true
	return true
}

// request returns what became a read: the read that the running thread is about to add is in graphs
// that are not the one of the run.
func (s *Search) request(r graph.Ref) *program.Request {
	if of := s.exec.Info[r.Thread()]; r.Index() < len(of) {
		return &of[r.Index()].Request
	}
	return &s.runner.Threads[r.Thread()].Request
}

// promised returns the value that a write which the run has not made will have.
func (s *Search) promised(w graph.Ref) (any, bool) {
	for _, p := range s.g.Promises {
		if p.Write == w {
			return p.Value, true
		}
	}
	return nil, false
}

// keeps reports whether a write has the value that was promised.
func (s *Search) keeps(w graph.Ref, value any) bool {
	v, ok := s.promised(w)
	return !ok || v == value
}

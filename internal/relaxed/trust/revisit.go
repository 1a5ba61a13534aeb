package trust

import (
	"github.com/linsat/linsat/internal/relaxed/consistency"
	"github.com/linsat/linsat/internal/relaxed/graph"
)

// revisit pushes the graphs in which a read of g reads the write that thread id is about to add.
func (s *Search) revisit(g *graph.Graph, id int, e *graph.Event, value any) {
	if s.met != nil {
		s.buffered(g, id, e, value)
		return
	}
	_, prefix := g.Before(id)
	for t := range g.Threads {
		if t == id {
			continue
		}
		for i := int(prefix[t]); i < len(g.Threads[t]); i++ {
			r := &g.Threads[t][i]
			if r.Kind == graph.Read && r.Loc == e.Loc && r.Order != graph.NotAtomic && s.maximal(g, r.Stamp, &prefix) {
				s.back(g, graph.At(t, i), id, e, value, until(g, r.Stamp, prefix))
			}
		}
	}
}

// maximal reports whether everything that was added at the stamp or later, and is not in the
// prefix, was added maximally.
func (s *Search) maximal(g *graph.Graph, stamp int32, prefix *graph.Clock) bool {
	for t := range g.Threads {
		of := g.Threads[t]
		for i := len(of) - 1; i >= int(prefix[t]) && of[i].Stamp >= stamp; i-- {
			if !s.added(g, graph.At(t, i), prefix) {
				return false
			}
		}
	}
	return true
}

// added reports whether an event was added maximally with respect to what was there then, and to
// the prefix.
func (s *Search) added(g *graph.Graph, a graph.Ref, prefix *graph.Clock) bool {
	e := g.Event(a)
	switch {
	case e.Kind == graph.Choice:
		return e.Arg == 0
	case e.Kind > graph.Write || e.Order == graph.NotAtomic:
		return true
	}
	writes := g.Writes(e.Loc)
	before := func(w graph.Ref) bool { return g.Event(w).Stamp <= e.Stamp || prefix.Has(w) }
	last := len(writes) - 1
	for last >= 0 && !before(writes[last]) {
		last--
	}
	w := graph.Init
	if last >= 0 {
		w = writes[last]
	}
	switch {
	case e.Kind == graph.Write:
		return w == a && !s.readEarlier(g, a, e, prefix)
	case e.Spurious:
		return false
	}
	return e.RF == w
}

// readEarlier reports whether a read that was added before the write, or is in the prefix, reads
// it.
func (s *Search) readEarlier(g *graph.Graph, a graph.Ref, e *graph.Event, prefix *graph.Clock) bool {
	for t := range g.Threads {
		for i := range g.Threads[t] {
			r := &g.Threads[t][i]
			if r.Stamp > e.Stamp && i >= int(prefix[t]) {
				break
			}
			if r.Kind == graph.Read && r.RF == a {
				return true
			}
		}
	}
	return false
}

// until adds to a prefix what was added until the stamp.
func until(g *graph.Graph, stamp int32, prefix graph.Clock) graph.Clock {
	for t := range g.Threads {
		for int(prefix[t]) < len(g.Threads[t]) && g.Threads[t][prefix[t]].Stamp <= stamp {
			prefix[t]++
		}
	}
	return prefix
}

// back pushes the graphs in which r reads the write, with the events that keep has.
func (s *Search) back(g *graph.Graph, r graph.Ref, id int, e *graph.Event, value any, keep graph.Clock) {
	h := s.fresh()
	h.CopyPart(g, &keep)
	a := graph.At(id, len(h.Threads[id]))
	s.chain = append(s.chain, written{a, value})
	q := s.request(r)

	hb, _ := h.Before(id)
	from, to := s.places(h, id, e, &hb)
	var several [2]form
	for _, f := range s.forms(q, a, several[:0]) {
		for p := max(from, s.floor(h, r)); p <= to; p++ {
			last := p == len(h.Writes(e.Loc))
			if f.blocked && !last || !e.RMW && consistency.Updated(h, e.Loc, p) {
				continue
			}
			k := s.copy(h)
			k.Add(id, *e, p)
			old := k.Event(r)
			changed := f.event(e.Loc, a)
			changed.Stamp = old.Stamp
			*old = changed
			k.Fill(r)
			s.push(k, r.Thread(), f, q, a)
		}
	}
	s.free = append(s.free, h)
	s.chain = s.chain[:len(s.chain)-1]
}

// floor returns the position of the latest write that a read must respect: the write that it is to
// read comes after it.
func (s *Search) floor(g *graph.Graph, r graph.Ref) int {
	hb, _ := g.Start(r.Thread())
	if i := r.Index(); i > 0 {
		hb = g.Threads[r.Thread()][i-1].HB
	}
	return consistency.Bound(g, &hb, g.Event(r).Loc)
}

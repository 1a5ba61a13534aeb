package trust

import (
	"github.com/linsat/linsat/internal/relaxed/consistency"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// add adds the next event of a thread. The run goes on with the maximal choice; the others are
// pushed. It returns false if the thread stops here.
func (s *Search) add(id int, q *program.Request) (program.Result, bool) {
	s.chain = s.chain[:0]
	switch {
	case q.Reads():
		return s.read(id, q)
	case q.Op == program.Store || q.Op == program.Initialize:
		s.write(s.g, id, graph.Event{Kind: graph.Write, Order: q.Order, Loc: q.Loc}, q.Value, true)
		s.note(id, q.Value, q)
	case q.Op == program.ReadCell || q.Op == program.WriteCell:
		return s.cell(id, q, len(s.g.Writes(q.Loc)))
	case q.Op == program.Fence:
		s.g.Add(id, graph.Event{Kind: graph.Fence, Order: q.Order}, 0)
		s.note(id, nil, q)
	case q.Op == program.JoinThread:
		s.g.Add(id, graph.Event{Kind: graph.Join, Arg: int32(q.Arg)}, 0)
		s.note(id, nil, q)
	case q.Op == program.Choose:
		for n := q.Arg - 1; n > 0; n-- {
			h := s.copy(s.g)
			h.Add(id, graph.Event{Kind: graph.Choice, Arg: int32(n), Of: int32(q.Arg)}, 0)
			s.keep(h)
		}
		s.g.Add(id, graph.Event{Kind: graph.Choice, Of: int32(q.Arg)}, 0)
		s.note(id, nil, q)
	case q.Op == program.Assume:
		s.halt(id, program.Blocked, graph.None, graph.None)
		return program.Result{}, false
	case q.Op == program.Spin:
		s.halt(id, program.Complete, graph.None, graph.None)
		return program.Result{}, false
	}
	return program.Result{}, true
}

func (s *Search) copy(g *graph.Graph) *graph.Graph {
	h := s.fresh()
	h.CopyFrom(g)
	return h
}

// cell adds an access that is not atomic: a read of the write at a position of mo, or a write
// after it.
func (s *Search) cell(id int, q *program.Request, position int) (program.Result, bool) {
	g := s.g
	hb, _ := g.Before(id)
	writes := q.Op == program.WriteCell
	if consistency.Race(g, &hb, q.Loc, writes) {
		g.Racy = true
	}
	if writes {
		g.Add(id, graph.Event{Kind: graph.Write, Loc: q.Loc}, position)
		s.note(id, q.Value, q)
		return program.Result{}, true
	}
	w := graph.Init
	if position > 0 {
		w = g.Writes(q.Loc)[position-1]
	}
	value := s.exec.Value(q.Loc, w)
	ref := g.Add(id, graph.Event{Kind: graph.Read, Loc: q.Loc, RF: w}, 0)
	s.note(id, value, q)
	if w == graph.Init && !s.exec.Started[q.Loc] {
		s.halt(id, program.Uninitialized, ref, graph.None)
		return program.Result{}, false
	}
	return program.Result{Value: value}, true
}

// form says what the read of a request becomes if it reads a value.
type form struct {
	order    graph.Order
	rmw      bool
	spurious bool
	blocked  bool
}

// forms returns what the read of q can become if it reads w: the first is the maximal one.
func (s *Search) forms(q *program.Request, w graph.Ref, out []form) []form {
	if q.Op == program.Load || w == graph.Init && !s.exec.Started[q.Loc] {
		return append(out, form{order: q.Order})
	}
	v := s.value(q.Loc, w)
	if q.Op == program.Await {
		return append(out, form{order: q.Order, blocked: !q.Until(v)})
	}
	_, writes := q.Apply(v)
	if !writes {
		return append(out, form{order: q.Fail})
	}
	out = append(out, form{order: q.Order, rmw: true})
	if q.Op == program.WeakCompareAndSwap {
		out = append(out, form{order: q.Fail, spurious: true})
	}
	return out
}

// read adds a read, and for an update its write.
func (s *Search) read(id int, q *program.Request) (program.Result, bool) {
	g := s.g
	hb, _ := g.Before(id)
	writes := g.Writes(q.Loc)
	var several [2]form
	for p := consistency.Bound(g, &hb, q.Loc); p <= len(writes); p++ {
		w := graph.Init
		if p > 0 {
			w = writes[p-1]
		}
		for i, f := range s.forms(q, w, several[:0]) {
			if p == len(writes) && i == 0 || f.blocked {
				continue
			}
			h := s.copy(g)
			h.Add(id, f.event(q.Loc, w), 0)
			s.push(h, id, f, q, w)
		}
	}
	w := graph.Init
	if len(writes) > 0 {
		w = writes[len(writes)-1]
	}
	f := s.forms(q, w, several[:0])[0]
	g.Add(id, f.event(q.Loc, w), 0)
	if f.blocked {
		s.note(id, nil, q)
		s.halt(id, program.Complete, graph.None, graph.None)
		return program.Result{}, false
	}
	v := s.exec.Value(q.Loc, w)
	s.note(id, v, q)
	if w == graph.Init && !s.exec.Started[q.Loc] {
		s.halt(id, program.Uninitialized, graph.At(id, len(g.Threads[id])-1), graph.None)
		return program.Result{}, false
	}
	if f.rmw {
		to, _ := q.Apply(v)
		s.write(g, id, graph.Event{Kind: graph.Write, Order: f.order, Loc: q.Loc, RMW: true}, to, true)
		s.note(id, to, q)
	}
	return program.Result{Value: v, OK: f.rmw}, true
}

func (f form) event(loc int32, w graph.Ref) graph.Event {
	return graph.Event{Kind: graph.Read, Order: f.order, Loc: loc, RF: w, RMW: f.rmw, Spurious: f.spurious,
		Blocked: f.blocked}
}

// push keeps a graph whose last event of thread id is a read of w, if it is consistent. It belongs
// to the search afterwards.
func (s *Search) push(h *graph.Graph, id int, f form, q *program.Request, w graph.Ref) {
	switch {
	case f.rmw:
		to, _ := q.Apply(s.value(q.Loc, w))
		s.write(h, id, graph.Event{Kind: graph.Write, Order: f.order, Loc: q.Loc, RMW: true}, to, false)
		s.free = append(s.free, h)
	case s.psc.Check(h) && s.unmet(h):
		s.stack = append(s.stack, h)
	default:
		s.free = append(s.free, h)
	}
}

// write adds a write to g: it pushes the graphs in which an earlier read reads it, and those with
// another place in mo. live says that g is the graph of the run, which goes on with the write last
// in mo.
func (s *Search) write(g *graph.Graph, id int, e graph.Event, value any, live bool) {
	s.revisit(g, id, &e, value)
	hb, _ := g.Before(id)
	last := len(g.Writes(e.Loc))
	from, to := s.places(g, id, &e, &hb)
	for p := from; p <= to; p++ {
		if live && p == last || !e.RMW && consistency.Updated(g, e.Loc, p) {
			continue
		}
		h := s.copy(g)
		h.Add(id, e, p)
		s.keep(h)
	}
	if live {
		g.Add(id, e, last)
	}
}

// keep pushes a graph if it is consistent.
func (s *Search) keep(h *graph.Graph) {
	if s.psc.Check(h) && s.unmet(h) {
		s.stack = append(s.stack, h)
	} else {
		s.free = append(s.free, h)
	}
}

// places returns the first and the last place in mo of a write that a thread is about to add. The
// write of an update has one, unless another update has read the same write.
func (s *Search) places(g *graph.Graph, id int, e *graph.Event, hb *graph.Clock) (from, to int) {
	if !e.RMW {
		return consistency.Bound(g, hb, e.Loc), len(g.Writes(e.Loc))
	}
	of := g.Threads[id]
	p := g.Position(e.Loc, of[len(of)-1].RF)
	if consistency.Updated(g, e.Loc, p) {
		return 0, -1
	}
	return p, p
}

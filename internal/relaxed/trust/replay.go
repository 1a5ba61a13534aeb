package trust

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/relaxed/consistency"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Step is one access of a replay. Choice is, among what was there before the step: for a read twice
// the position in mo of the write that it reads, and one more if it fails spuriously; for a write
// the position in mo after which it comes; for a choice of the program its value.
type Step struct{ Thread, Choice int }

// Steps returns steps that lead to the graph, in an order in which every read comes after the write
// that it reads; the steps of an update are one.
func Steps(g *graph.Graph) []Step {
	var steps []Step
	var at graph.Clock // what has a step
	for {
		t := earliest(g, &at)
		if t < 0 {
			return steps
		}
		e := &g.Threads[t][at[t]]
		choice := int(e.Arg)
		switch {
		case e.Kind == graph.Fence || e.Kind == graph.Join:
			choice = 0
		case e.Kind == graph.Choice:
		case e.Kind == graph.Write:
			choice = stepped(g, &at, e.Loc, graph.At(t, int(at[t])))
		default:
			choice = 2 * stepped(g, &at, e.Loc, e.RF)
			if e.RF >= 0 {
				choice += 2
			}
			if e.Spurious {
				choice++
			}
			if e.RMW {
				at[t]++
			}
		}
		at[t]++
		steps = append(steps, Step{t, choice})
	}
}

// earliest returns the thread that makes the next step: of those that can, the one whose event was
// added first.
func earliest(g *graph.Graph, at *graph.Clock) int {
	best := -1
	for t := range g.Threads {
		if int(at[t]) == len(g.Threads[t]) || !started(g, at, t) {
			continue
		}
		e := &g.Threads[t][at[t]]
		if e.Kind == graph.Read && e.RF >= 0 && !at.Has(e.RF) || e.Kind == graph.Join &&
			int(at[e.Arg]) < len(g.Threads[e.Arg]) {
			continue
		}
		if best < 0 || e.Stamp < g.Threads[best][at[best]].Stamp {
			best = t
		}
	}
	return best
}

// started reports whether the events before the start of a thread have steps.
func started(g *graph.Graph, at *graph.Clock, t int) bool {
	for ; t > 0; t = g.Births[t].Parent {
		if b := &g.Births[t]; int(at[b.Parent]) < b.After {
			return false
		}
	}
	return true
}

// stepped counts the writes before one in mo that have a step.
func stepped(g *graph.Graph, at *graph.Clock, loc int32, w graph.Ref) int {
	n := 0
	if w == graph.Init {
		return 0
	}
	for _, v := range g.Writes(loc) {
		if v == w {
			break
		}
		if at.Has(v) {
			n++
		}
	}
	return n
}

// Replay makes one execution.
func (s *Search) Replay(body func(), steps []Step) (*program.Execution, error) {
	s.replays = true
	r := s.runner
	r.Memory = s
	s.g = &graph.Graph{}
	s.exec.Reset()
	r.Begin(body)
	s.arrive()
	var err error
	for n, step := range steps {
		if err = s.follow(step); err != nil {
			err = fmt.Errorf("c11: step %d: %w", n+1, err)
			break
		}
	}
	for _, t := range r.Threads {
		switch {
		case !t.Waits || s.halted[t.ID]:
		case len(s.g.Threads[t.ID])+2 > s.limits.Events:
			s.halt(t.ID, program.Bounded, graph.None, graph.None)
		case t.Request.Op == program.Assume:
			s.halt(t.ID, program.Blocked, graph.None, graph.None)
		case t.Request.Op == program.Spin:
			s.halt(t.ID, program.Complete, graph.None, graph.None)
		case err == nil && t.Request.Op != program.JoinThread:
			err = fmt.Errorf("c11: thread %d goes on after the last step", t.ID)
		}
	}
	if err == nil && !s.psc.Check(s.g) {
		err = errors.New("c11: the execution is not sequentially consistent where it has to be")
	}
	s.end()
	r.Abort()
	return &s.exec, err
}

// arrive runs every thread to its next access.
func (s *Search) arrive() {
	for i := 0; i < len(s.runner.Threads); i++ {
		if t := s.runner.Threads[i]; !t.Ended && !t.Waits {
			s.resume(t)
		}
	}
}

var (
	errThread = errors.New("its thread has ended or stopped")
	errChoice = errors.New("the memory model does not allow it")
)

// follow makes a step and lets its thread go on.
func (s *Search) follow(step Step) error {
	id := step.Thread
	if id < 0 || id >= len(s.runner.Threads) || s.halted[id] || s.runner.Threads[id].Ended {
		return errThread
	}
	t := s.runner.Threads[id]
	q := &t.Request
	hb, _ := s.g.Before(id)
	writes := s.g.Writes(q.Loc)
	s.result = program.Result{}
	switch c := step.Choice; {
	case q.Reads():
		if err := s.followRead(id, q, c, consistency.Bound(s.g, &hb, q.Loc)); err != nil {
			return err
		}
	case q.Op == program.Store || q.Op == program.Initialize:
		if c < consistency.Bound(s.g, &hb, q.Loc) || c > len(writes) || consistency.Updated(s.g, q.Loc, c) {
			return errChoice
		}
		s.g.Add(id, graph.Event{Kind: graph.Write, Order: q.Order, Loc: q.Loc}, c)
		s.note(id, q.Value, q)
	case q.Op == program.ReadCell || q.Op == program.WriteCell:
		if q.Op == program.ReadCell {
			c /= 2
		}
		if c < 0 || c > len(writes) {
			return errChoice
		}
		s.result, _ = s.cell(id, q, c)
	case q.Op == program.Choose:
		if c < 0 || c >= q.Arg {
			return errChoice
		}
		s.g.Add(id, graph.Event{Kind: graph.Choice, Arg: int32(c), Of: int32(q.Arg)}, 0)
		s.note(id, nil, q)
		s.result.N = c
	case q.Op == program.Assume || q.Op == program.Spin || q.Op == program.JoinThread && !s.over(q.Arg):
		return errThread
	default:
		s.result, _ = s.add(id, q)
	}
	if !s.halted[id] {
		s.resume(t)
		s.arrive()
	}
	return nil
}

func (s *Search) followRead(id int, q *program.Request, choice, bound int) error {
	writes := s.g.Writes(q.Loc)
	p := choice / 2
	if choice < 0 || p < bound || p > len(writes) {
		return errChoice
	}
	w := graph.Init
	if p > 0 {
		w = writes[p-1]
	}
	var several [2]form
	forms := s.forms(q, w, several[:0])
	if choice%2 >= len(forms) {
		return errChoice
	}
	f := forms[choice%2]
	if f.rmw && consistency.Updated(s.g, q.Loc, p) {
		return errChoice
	}
	ref := s.g.Add(id, f.event(q.Loc, w), 0)
	v := s.exec.Value(q.Loc, w)
	s.note(id, v, q)
	s.result = program.Result{Value: v, OK: f.rmw}
	switch {
	case f.blocked:
		s.halt(id, program.Complete, graph.None, graph.None)
	case w == graph.Init && !s.exec.Started[q.Loc]:
		s.halt(id, program.Uninitialized, ref, graph.None)
	case f.rmw:
		to, _ := q.Apply(v)
		s.g.Add(id, graph.Event{Kind: graph.Write, Order: f.order, Loc: q.Loc, RMW: true}, p)
		s.note(id, to, q)
	}
	return nil
}

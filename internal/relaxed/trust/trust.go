// Package trust finds every execution graph of a program exactly once.
//
// Source: Kokologiannakis, Marmanis, Gladstein and Vafeiadis, "Truly stateless, optimal dynamic
// partial order reduction" (POPL 2022). A graph grows by one event at a time, of the first thread
// that can go on. A new read tries every write that it can read; a new write tries every place in
// mo, and every earlier read that could have read it (backward revisit): what was added after that
// read and is not in the prefix of the write is deleted. To reach the same graph only once, a
// revisit happens only if the read and what is deleted were added maximally: reads read the last
// write that was there, writes were last in mo.
//
// What we changed:
//   - A run of the program goes on with the maximal choice and leaves the others as graphs on a
//     stack. A maximal choice is always consistent, so every run ends in a graph, and what is not
//     consistent is never run. Threads are coroutines; they repeat the graph first, in an order in
//     which every value is there before it is read, and so read values of their own run: pointers
//     are as good as numbers.
//   - The write of an atomic update is added at once with its read. If it has no place it still
//     revisits.
//   - An await is a read whose thread goes no further if what it reads does not end the wait. Of
//     those reads, only that of the last write is added, since no other can become maximal. Awaits
//     that would block are added last.
//   - A choice of the program, or the failure of a weak compare-and-swap, is maximal if it is the
//     first possibility.
//   - Accesses that are not atomic have no choice and are not revisited, like fences: a read reads
//     what was written last when it was added. Without a race no other write is possible.
//
// Invariants: every graph on the stack is consistent and closed under sb ∪ rf; stamps grow along
// every thread; no graph is visited twice (the tests keep keys).
//
// Cost: the number of runs is the number of visited graphs, those that end blocked included. A run
// costs a step for every event and, for a new event, the accesses of its location; memory is the
// graphs on the stack, at most a choice of every event for each nested revisit.
package trust

import (
	"fmt"

	"github.com/linsat/linsat/internal/relaxed/consistency"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Search is a search for the graphs of a program.
type Search struct {
	runner *program.Runner
	limits program.Limits
	exec   program.Execution
	psc    consistency.Sequential

	g     *graph.Graph // of the running execution
	stack []*graph.Graph
	free  []*graph.Graph

	left    int // events of g that this run has not repeated
	halted  [graph.MaxThreads]bool
	chain   []written // values of writes that are in no run yet
	err     error
	counts  program.Counts
	drained bool // only awaits that would block are left

	met     map[string]bool // with load buffering: keys of graphs
	key     []byte
	dropped bool // a promise of the running execution is not kept

	replays bool           // an execution whose steps are given
	result  program.Result // of its last step
}

// written is the value of a write that the current run has not made.
type written struct {
	ref   graph.Ref
	value any
}

// New makes a search.
func New(r *program.Runner, l program.Limits) *Search {
	s := &Search{runner: r, limits: l}
	if l.Buffers {
		s.met = map[string]bool{}
	}
	return s
}

// Execution returns the running execution.
func (s *Search) Execution() *program.Execution { return &s.exec }

// Run visits every execution once.
func (s *Search) Run(body func(), visit func(*program.Execution) bool) (program.Counts, error) {
	s.runner.Memory = s
	s.stack = append(s.stack[:0], &graph.Graph{})
	for len(s.stack) > 0 {
		if s.limits.Runs > 0 && s.counts.Runs >= s.limits.Runs {
			s.counts.Stopped = true
			break
		}
		s.g = s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.counts.Runs++
		s.once(body)
		if s.err != nil {
			return s.counts, s.err
		}
		if s.dropped || !s.unseen() {
			s.free = append(s.free, s.g)
			continue
		}
		s.counts.Graphs++
		s.counts.Outcomes[s.exec.Outcome]++
		if !visit(&s.exec) {
			s.counts.Stopped = true
			break
		}
		s.free = append(s.free, s.g)
	}
	return s.counts, nil
}

// fresh returns a graph to fill.
func (s *Search) fresh() *graph.Graph {
	if n := len(s.free); n > 0 {
		g := s.free[n-1]
		s.free = s.free[:n-1]
		return g
	}
	return &graph.Graph{}
}

// once runs the program along the graph, and on to an end.
func (s *Search) once(body func()) {
	s.exec.Reset()
	s.halted = [graph.MaxThreads]bool{}
	s.drained, s.dropped = false, false
	s.chain = s.chain[:0]
	for _, p := range s.g.Promises {
		s.chain = append(s.chain, written{p.Write, p.Value})
	}
	s.left = 0
	for t := range s.g.Threads {
		s.left += len(s.g.Threads[t])
		s.g.Births[t] = graph.Birth{}
	}
	r := s.runner
	r.Begin(body)
	s.resume(r.Threads[0])
	for s.left > 0 && !s.failed() {
		s.repeat()
	}
	for !s.failed() {
		t := s.next()
		if t == nil {
			break
		}
		s.resume(t)
	}
	s.end()
	r.Abort()
}

// resume runs a thread and notes if it panicked.
func (s *Search) resume(t *program.Thread) {
	r := s.runner
	r.Resume(t)
	if r.Panic != nil {
		s.halted[t.ID] = true
		if s.exec.Outcome == program.Complete {
			s.exec.Outcome, s.exec.Panic, s.exec.Stack = program.Panicked, r.Panic, r.Stack
		}
		r.Panic = nil
	}
}

// repeat lets every thread go on that has events in the graph which it has not repeated, or has not
// begun: it may start one that has.
func (s *Search) repeat() {
	left := s.left
	for i := 0; i < len(s.runner.Threads); i++ {
		t := s.runner.Threads[i]
		if !t.Ended && !t.Waits && !s.halted[t.ID] && len(s.g.Threads[t.ID]) == 0 {
			s.resume(t)
			left++
		}
		if len(s.exec.Info[t.ID]) < len(s.g.Threads[t.ID]) && !s.halted[t.ID] {
			if t.Absent {
				continue
			}
			if t.Ended {
				break
			}
			s.resume(t)
		}
	}
	if s.left == left {
		s.fail("a thread did not repeat its events")
	}
}

// failed reports whether the run cannot go on.
func (s *Search) failed() bool { return s.err != nil || s.dropped }

// fail ends a run that does not repeat its graph.
func (s *Search) fail(what string) {
	switch {
	case len(s.g.Promises) > 0:
		s.dropped = true
	case s.err == nil:
		s.err = fmt.Errorf("c11: the program is not deterministic: %s", what)
	}
}

// next returns the first thread that can go on; awaits that would block come last.
func (s *Search) next() *program.Thread {
	s.drained = false
	for _, t := range s.runner.Threads {
		if s.ready(t) && !s.idle(t) {
			return t
		}
	}
	s.drained = true
	for _, t := range s.runner.Threads {
		if s.ready(t) {
			return t
		}
	}
	return nil
}

// ready reports whether a thread can go on.
func (s *Search) ready(t *program.Thread) bool {
	if t.Ended || s.halted[t.ID] {
		return false
	}
	return !t.Waits || t.Request.Op != program.JoinThread || s.over(t.Request.Arg)
}

// over reports whether a thread has come to its end.
func (s *Search) over(thread int) bool {
	return s.runner.Threads[thread].Ended && !s.halted[thread]
}

// idle reports whether a thread stands before an await that the last write does not end.
func (s *Search) idle(t *program.Thread) bool {
	return t.Waits && t.Request.Op == program.Await && !s.ends(s.g, &t.Request)
}

// ends reports whether the last write of the location ends an await.
func (s *Search) ends(g *graph.Graph, q *program.Request) bool {
	w := graph.Init
	if writes := g.Writes(q.Loc); len(writes) > 0 {
		w = writes[len(writes)-1]
	}
	return s.holds(q, w)
}

// holds reports whether a write ends an await. One that is not there ends it too: to read it is an
// outcome of its own.
func (s *Search) holds(q *program.Request, w graph.Ref) bool {
	if w == graph.Init && !s.exec.Started[q.Loc] {
		return true
	}
	return q.Until(s.value(q.Loc, w))
}

// value returns what a write wrote.
func (s *Search) value(loc int32, w graph.Ref) any {
	for i := range s.chain {
		if s.chain[i].ref == w {
			return s.chain[i].value
		}
	}
	return s.exec.Value(loc, w)
}

// turn reports whether it is the turn of a thread that runs and has a new event to add.
func (s *Search) turn(t *program.Thread) bool {
	if s.left > 0 {
		return false
	}
	for _, u := range s.runner.Threads {
		if u == t {
			break
		}
		if s.ready(u) && (s.drained || !s.idle(u)) {
			return false
		}
	}
	if s.drained {
		return true
	}
	return t.Request.Op != program.Await || s.ends(s.g, &t.Request)
}

// Begin makes a thread start where its parent is.
func (s *Search) Begin(t *program.Thread) {
	s.g.Births[t.ID] = t.Birth(len(s.exec.Info[t.Parent]))
}

// Declare makes a location.
func (s *Search) Declare(loc int32, value any, started bool) { s.exec.Declare(loc, value, started) }

// Do repeats the event of the graph, or adds a new one.
func (s *Search) Do(t *program.Thread, q *program.Request) program.Result {
	id := t.ID
	if s.replays {
		t.Pause()
		return s.result
	}
	for {
		if s.halted[id] {
			t.Pause()
			continue
		}
		if n := len(s.exec.Info[id]); n < len(s.g.Threads[id]) {
			if result, ok := s.again(id, n, q); ok {
				return result
			}
		} else if s.turn(t) {
			if len(s.g.Threads[id])+2 > s.limits.Events {
				s.halt(id, program.Bounded, graph.None, graph.None)
			} else if q.Op == program.JoinThread && !s.over(q.Arg) {
				t.Pause()
			} else if result, ok := s.add(id, q); ok {
				return result
			}
			continue
		}
		t.Pause()
	}
}

// halt stops a thread for good. The first outcome stays, but that of a wait gives way to others.
func (s *Search) halt(id int, o program.Outcome, a, b graph.Ref) {
	s.halted[id] = true
	if s.exec.Outcome < o && s.exec.Outcome <= program.Bounded {
		s.exec.Outcome, s.exec.A, s.exec.B = o, a, b
	}
}

// end says how the execution ended.
func (s *Search) end() {
	s.exec.Graph, s.exec.Threads = s.g, len(s.runner.Threads)
	if s.g.Racy {
		if a, b, found := consistency.Races(s.g); found {
			s.exec.Outcome, s.exec.A, s.exec.B = program.Race, a, b
		}
	}
	if s.failed() || s.exec.Outcome > program.Stuck {
		return
	}
	for _, t := range s.runner.Threads {
		waits := t.Waits && (t.Request.Op == program.Await || t.Request.Op == program.Spin)
		if waits {
			s.exec.Outcome = program.Stuck
		}
		if waits && s.goesOn(t.ID, t.Request.Op) {
			s.exec.Outcome = program.Blocked
			return
		}
	}
}

// goesOn reports whether a later write may end the wait of a thread: what it awaits, or something
// that the last round of its loop read, was written again.
func (s *Search) goesOn(thread int, op program.Op) bool {
	if op == program.Spin {
		return !s.g.Waits(thread)
	}
	of := s.g.Threads[thread]
	e := &of[len(of)-1]
	return s.g.Position(e.Loc, e.RF) < len(s.g.Writes(e.Loc))
}

// note keeps what the run knows about an event.
func (s *Search) note(id int, value any, q *program.Request) {
	s.exec.Info[id] = append(s.exec.Info[id], program.Info{Value: value, Request: *q})
}

// again repeats event n of a thread. It reports whether that is possible now.
func (s *Search) again(id, n int, q *program.Request) (program.Result, bool) {
	e := &s.g.Threads[id][n]
	if !matches(e, q) {
		s.fail(fmt.Sprintf("thread %d made another access than before", id))
		return program.Result{}, false
	}
	switch e.Kind {
	case graph.Write:
		if !s.keeps(graph.At(id, n), q.Value) {
			s.dropped = true
			return program.Result{}, false
		}
		s.note(id, q.Value, q)
	case graph.Join:
		if !s.over(q.Arg) {
			return program.Result{}, false
		}
		s.note(id, nil, q)
	case graph.Choice:
		s.note(id, nil, q)
		s.left--
		return program.Result{N: int(e.Arg)}, true
	case graph.Fence:
		s.note(id, nil, q)
	case graph.Read:
		return s.readAgain(id, n, q)
	}
	s.left--
	return program.Result{}, true
}

func (s *Search) readAgain(id, n int, q *program.Request) (program.Result, bool) {
	e := &s.g.Threads[id][n]
	if w := e.RF; w >= 0 && w.Index() >= len(s.exec.Info[w.Thread()]) {
		if _, ok := s.promised(w); !ok {
			return program.Result{}, false // not written yet
		}
	}
	v := s.value(q.Loc, e.RF)
	s.note(id, v, q)
	s.left--
	if !s.same(e, q) {
		s.fail(fmt.Sprintf("thread %d did something else with what it read", id))
		return program.Result{}, false
	}
	if e.Blocked {
		s.halt(id, program.Complete, graph.None, graph.None)
		return program.Result{}, false
	}
	if e.RF == graph.Init && !s.exec.Started[e.Loc] {
		s.halt(id, program.Uninitialized, graph.At(id, n), graph.None)
		return program.Result{}, false
	}
	if e.RMW {
		to, _ := q.Apply(v)
		if !s.keeps(graph.At(id, n+1), to) {
			s.dropped = true
			return program.Result{}, false
		}
		s.note(id, to, q)
		s.left--
	}
	return program.Result{Value: v, OK: e.RMW}, true
}

// same reports whether a request becomes the read that is in the graph.
func (s *Search) same(e *graph.Event, q *program.Request) bool {
	if q.Op == program.ReadCell {
		return true
	}
	var several [2]form
	for _, f := range s.forms(q, e.RF, several[:0]) {
		if f == (form{e.Order, e.RMW, e.Spurious, e.Blocked}) {
			return true
		}
	}
	return false
}

// matches reports whether the event of a graph is that of a request.
func matches(e *graph.Event, q *program.Request) bool {
	switch e.Kind {
	case graph.Read:
		return (q.Reads() || q.Op == program.ReadCell) && q.Loc == e.Loc
	case graph.Write:
		return (q.Op == program.Store || q.Op == program.Initialize || q.Op == program.WriteCell) && q.Loc == e.Loc
	case graph.Fence:
		return q.Op == program.Fence && q.Order == e.Order
	case graph.Join:
		return q.Op == program.JoinThread && q.Arg == int(e.Arg)
	}
	return q.Op == program.Choose && q.Arg == int(e.Of)
}

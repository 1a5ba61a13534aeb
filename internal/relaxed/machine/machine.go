// Package machine finds the executions of a program with an operational machine: a list of stores
// for every location, and for every thread a view, that is, which stores it knows at least. A step
// is one access of one thread; a read chooses a store, a write its place in modification order. The
// search goes through all steps, and stops where it has met the graph before.
//
// Coherence, synchronisation and races follow from views alone. The axiom of sequential consistency
// is checked on the graph, after every step, by the definition (package axioms). The machine is
// simple and slow: it is what the optimal search is compared with.
package machine

import (
	"github.com/linsat/linsat/internal/relaxed/axioms"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Search is a search by the machine.
type Search struct {
	runner *program.Runner
	limits program.Limits
	exec   program.Execution
	memory memory
	graph  graph.Graph

	path  []choice // decisions of this run, and what is left of them
	depth int
	seen  map[string]bool
	key   []byte

	ended  bool // no further step
	pruned bool
	counts program.Counts
	result program.Result
}

// choice is a decision: one of n steps.
type choice struct{ took, of int }

// New makes a search.
func New(r *program.Runner, l program.Limits) *Search {
	return &Search{runner: r, limits: l, seen: map[string]bool{}}
}

// Execution returns the running execution.
func (s *Search) Execution() *program.Execution { return &s.exec }

// Run visits every execution once.
func (s *Search) Run(body func(), visit func(*program.Execution) bool) (program.Counts, error) {
	for {
		s.once(body)
		s.counts.Runs++
		if !s.pruned {
			s.exec.Graph, s.exec.Threads = &s.graph, len(s.runner.Threads)
			s.key = append(s.graph.Key(s.key[:0], s.runner.Places), byte(s.exec.Outcome), '!')
			if !s.seen[string(s.key)] {
				s.seen[string(s.key)] = true
				s.counts.Graphs++
				s.counts.Outcomes[s.exec.Outcome]++
				if !visit(&s.exec) {
					s.counts.Stopped = true
					return s.counts, nil
				}
			}
		}
		for len(s.path) > 0 && s.path[len(s.path)-1].took+1 == s.path[len(s.path)-1].of {
			s.path = s.path[:len(s.path)-1]
		}
		if len(s.path) == 0 {
			return s.counts, nil
		}
		if s.limits.Runs > 0 && s.counts.Runs >= s.limits.Runs {
			s.counts.Stopped = true
			return s.counts, nil
		}
		s.path[len(s.path)-1].took++
	}
}

// once makes one execution along path, and extends path to its end.
func (s *Search) once(body func()) {
	s.exec.Reset()
	s.memory.reset()
	s.graph.Reset()
	s.depth, s.ended, s.pruned = 0, false, false
	r := s.runner
	r.Memory = s
	r.Begin(body)
	r.Resume(r.Threads[0])
	for !s.ended {
		s.step()
	}
	r.Abort()
	if r.Panic != nil {
		s.exec.Outcome, s.exec.Panic, s.exec.Stack = program.Panicked, r.Panic, r.Stack
	}
}

// Begin makes a thread start where its parent is.
func (s *Search) Begin(t *program.Thread) {
	s.graph.Births[t.ID] = t.Birth(len(s.graph.Threads[t.Parent]))
	s.memory.threads[t.ID].now = s.memory.threads[t.Parent].now.clone()
}

// Declare makes a location.
func (s *Search) Declare(loc int32, value any, started bool) {
	s.exec.Declare(loc, value, started)
	s.memory.declare(loc)
}

// Do stops the thread; step performs the access.
func (s *Search) Do(t *program.Thread, q *program.Request) program.Result {
	t.Pause()
	return s.result
}

// option is a step that the machine can make. Without a thread it is the end: the threads that are
// left wait for ever.
type option struct {
	t        *program.Thread
	from, to *store // read from; written after
	n        int    // Choose
	spurious bool
}

// step runs new threads to their first access, and makes one step, or ends the execution.
func (s *Search) step() {
	for i := 0; i < len(s.runner.Threads) && s.runner.Panic == nil; i++ {
		if t := s.runner.Threads[i]; !t.Ended && !t.Waits {
			s.runner.Resume(t)
		}
	}
	if s.runner.Panic != nil {
		s.ended = true
		return
	}
	if s.met() {
		s.ended, s.pruned = true, true
		return
	}
	options := s.options()
	if len(options) == 0 {
		s.end()
		return
	}
	n := s.decide(len(options))
	if options[n].t == nil {
		s.end()
		return
	}
	s.perform(options[n])
}

// met reports whether the search has been at this graph before, or it is not consistent. On the
// way to where the last run left off nothing is new.
func (s *Search) met() bool {
	if s.depth < len(s.path) {
		return false
	}
	if !axioms.Sequential(&s.graph) {
		return true
	}
	s.key = s.graph.Key(s.key[:0], s.runner.Places)
	for _, t := range s.runner.Threads {
		if t.Ended {
			s.key = append(s.key, 'e')
		} else {
			s.key = append(s.key, 'w')
		}
	}
	if s.seen[string(s.key)] {
		return true
	}
	s.seen[string(s.key)] = true
	return false
}

func (s *Search) decide(n int) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, choice{0, n})
	}
	s.depth++
	return s.path[s.depth-1].took
}

// options lists the steps that are possible now.
func (s *Search) options() []option {
	var out []option
	m := &s.memory
	waiting := true // every option is that of an await which the last store does not end
	for _, t := range s.runner.Threads {
		if t.Ended {
			continue
		}
		q := &t.Request
		before := len(out)
		if len(s.graph.Threads[t.ID])+2 > s.limits.Events {
			continue
		}
		switch {
		case q.Reads():
			for _, from := range m.readable(t.ID, q.Loc) {
				v := s.exec.Value(q.Loc, from.ref)
				if from.ref == graph.Init && !s.exec.Started[q.Loc] {
					out = append(out, option{t: t, from: from})
					continue
				}
				if q.Op == program.Await && !q.Until(v) {
					continue
				}
				_, writes := q.Apply(v)
				if !writes || q.Op == program.WeakCompareAndSwap {
					out = append(out, option{t: t, from: from, spurious: writes})
				}
				if writes && m.free(q.Loc, from) {
					out = append(out, option{t: t, from: from, to: from})
				}
			}
		case q.Op == program.Store || q.Op == program.Initialize:
			for _, to := range m.places(t.ID, q.Loc) {
				out = append(out, option{t: t, to: to})
			}
		case q.Op == program.ReadCell || q.Op == program.WriteCell:
			all := m.locs[q.Loc].stores
			out = append(out, option{t: t, from: all[len(all)-1], to: all[len(all)-1]})
		case q.Op == program.JoinThread:
			if s.runner.Threads[q.Arg].Ended {
				out = append(out, option{t: t})
			}
		case q.Op == program.Choose:
			for n := range q.Arg {
				out = append(out, option{t: t, n: n})
			}
		case q.Op == program.Fence:
			out = append(out, option{t: t})
		}
		if len(out) > before && (q.Op != program.Await || s.ends(q)) {
			waiting = false
		}
	}
	if waiting && len(out) > 0 {
		out = append(out, option{})
	}
	return out
}

// ends reports whether the last store of the location ends an await.
func (s *Search) ends(q *program.Request) bool {
	all := s.memory.locs[q.Loc].stores
	last := all[len(all)-1].ref
	return last == graph.Init && !s.exec.Started[q.Loc] || q.Until(s.exec.Value(q.Loc, last))
}

// perform makes a step, and runs its thread to the next access.
func (s *Search) perform(o option) {
	t, q, m := o.t, &o.t.Request, &s.memory
	id := t.ID
	ref := graph.At(id, len(s.graph.Threads[id]))
	s.result = program.Result{}
	switch {
	case q.Reads():
		order := q.Order
		if q.Updates() && o.to == nil {
			order = q.Fail
		}
		s.add(id, graph.Event{Kind: graph.Read, Order: order, Loc: q.Loc, RF: o.from.ref, RMW: o.to != nil,
			Spurious: o.spurious}, nil, s.exec.Value(q.Loc, o.from.ref), q)
		if o.from.ref == graph.Init && !s.exec.Started[q.Loc] {
			s.stop(program.Uninitialized, ref, graph.None)
			return
		}
		m.read(id, q.Loc, o.from, order, ref)
		s.result.Value = s.exec.Value(q.Loc, o.from.ref)
		if o.to != nil {
			v, _ := q.Apply(s.result.Value)
			s.result.OK = true
			m.write(id, q.Loc, o.to, o.from, order, ref+1)
			s.add(id, graph.Event{Kind: graph.Write, Order: order, Loc: q.Loc, RMW: true}, o.to, v, q)
		}
	case q.Op == program.Store || q.Op == program.Initialize:
		s.add(id, graph.Event{Kind: graph.Write, Order: q.Order, Loc: q.Loc}, o.to, q.Value, q)
		m.write(id, q.Loc, o.to, nil, q.Order, ref)
	case q.Op == program.ReadCell:
		s.result.Value = s.exec.Value(q.Loc, o.from.ref)
		other, race := m.race(id, q.Loc, true, false)
		m.read(id, q.Loc, o.from, graph.NotAtomic, ref)
		s.add(id, graph.Event{Kind: graph.Read, Loc: q.Loc, RF: o.from.ref}, nil, s.result.Value, q)
		switch {
		case race:
			s.stop(program.Race, other, ref)
			return
		case o.from.ref == graph.Init && !s.exec.Started[q.Loc]:
			s.stop(program.Uninitialized, ref, graph.None)
			return
		}
	case q.Op == program.WriteCell:
		other, race := m.race(id, q.Loc, true, true)
		s.add(id, graph.Event{Kind: graph.Write, Loc: q.Loc}, o.to, q.Value, q)
		m.write(id, q.Loc, o.to, nil, graph.NotAtomic, ref)
		if race {
			s.stop(program.Race, other, ref)
			return
		}
	case q.Op == program.JoinThread:
		m.tick(id)
		m.threads[id].now.join(&m.threads[q.Arg].now)
		s.add(id, graph.Event{Kind: graph.Join, Arg: int32(q.Arg)}, nil, nil, q)
	case q.Op == program.Choose:
		m.tick(id)
		s.add(id, graph.Event{Kind: graph.Choice, Arg: int32(o.n), Of: int32(q.Arg)}, nil, nil, q)
		s.result.N = o.n
	case q.Op == program.Fence:
		m.fence(id, q.Order)
		s.add(id, graph.Event{Kind: graph.Fence, Order: q.Order}, nil, nil, q)
	}
	s.runner.Resume(t)
}

func (s *Search) add(id int, e graph.Event, after *store, value any, q *program.Request) {
	position := 0
	if after != nil {
		position = after.at
	}
	s.graph.Add(id, e, position)
	s.exec.Info[id] = append(s.exec.Info[id], program.Info{Value: value, Request: *q})
}

func (s *Search) stop(o program.Outcome, a, b graph.Ref) {
	s.exec.Outcome, s.exec.A, s.exec.B = o, a, b
	s.ended = true
	if !axioms.Sequential(&s.graph) {
		s.pruned = true
	}
}

// end says how an execution ended in which no step is possible.
func (s *Search) end() {
	s.ended = true
	for _, t := range s.runner.Threads {
		switch q := &t.Request; {
		case t.Ended:
		case len(s.graph.Threads[t.ID])+2 > s.limits.Events:
			s.exec.Outcome = program.Bounded
			return
		case q.Op == program.Assume, q.Op == program.Spin && !s.graph.Waits(t.ID):
			s.exec.Outcome = program.Blocked
		case (q.Op == program.Await || q.Op == program.Spin) && s.exec.Outcome == program.Complete:
			s.exec.Outcome = program.Stuck
		}
	}
}

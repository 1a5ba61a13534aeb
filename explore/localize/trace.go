package localize

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/schedule"
)

// Trace is one failing trace: the fine-grained one, access by access, with the nodes of the
// interleaving tree that it passes.
type Trace struct {
	Schedule  explore.Schedule
	Execution *explore.Execution // with Events
	History   *history.History   // nil if no operation was called before a panic
	// Check is linsat's verdict about History, with its explanation; zero for executions that Why
	// explains.
	Check linsat.Result
	Why   string // the panic or the deadlock, or ""
	Steps []Step
	// Sequence is the labels of all critical nodes of the trace; Races of those at which the
	// accesses race.
	Sequence, Races Sequence
	// With Options.Repair: what to make atomic, and whether all candidates were tried up to those.
	Repairs         []Repair
	RepairsComplete bool
}

// Step is one decision of a trace, made at a node of the tree.
type Step struct {
	Label    Label // of the node
	Critical bool  // the node is in the critical sequence
	// between the decision taken and those that lead elsewhere; only at a critical node
	Race     Race
	On       string // the variable of a Data race; "d[]" stands for the elements of an array
	Branches []Branch
	Taken    int // position in Branches
}

// Branch is one decision that was possible.
type Branch struct {
	Thread int // -1 for a data choice
	Choice int // the value of a data choice
	// the access; nil for a data choice, and for branches not taken at nodes that are not critical
	Event           *explore.Event
	Label           Label  // of the node it leads to
	Traces, Failing uint64 // from there on
	Open            bool   // not all of them were explored
	Race            Race   // with the branch taken
	// Path is the schedule to a branch not taken at a critical node; explore.Replay continues from
	// its end.
	Path explore.Schedule
}

// trace chooses the failing trace and runs it again.
func (f *finder) trace(r *Result) (*Trace, error) {
	g := r.g
	path := g.choose(f.options.Sequence, true)
	if path == nil {
		path = g.choose(f.options.Sequence, false)
	}
	if path == nil {
		return nil, fmt.Errorf("no failing trace has the critical sequence %s", f.options.Sequence)
	}
	t := &Trace{}
	at := int32(0)
	var ask []*Branch
	accesses := 0
	var where []int // number of accesses before each branch to be shown
	for _, taken := range path {
		n := &g.nodes[at]
		s := Step{Label: n.label, Taken: taken}
		if n.critical() {
			s.Critical, s.Race = true, g.decisive(n, taken)
			t.Sequence = append(t.Sequence, n.label)
			if s.Race != Commuting {
				t.Races = append(t.Races, n.label)
			}
		}
		s.Branches = make([]Branch, len(n.edges))
		for i := range n.edges {
			e := &n.edges[i]
			b := &s.Branches[i]
			*b = Branch{Thread: int(e.decision), Open: e.child < 0}
			if e.decision < 0 {
				b.Thread, b.Choice = -1, int(-1-e.decision)
			}
			if e.child >= 0 {
				c := &g.nodes[e.child]
				b.Label, b.Traces, b.Failing, b.Open = c.label, c.traces, c.failing, c.open
			}
			if i == taken {
				continue
			}
			if b.Race = races(&n.edges[taken], e); s.Critical && b.Race == Data && s.On == "" {
				s.On = g.on(&n.edges[taken], e)
			}
			if s.Critical && e.decision >= 0 && e.child >= 0 {
				b.Path = append(append(explore.Schedule{}, t.Schedule...), e.decision)
				ask = append(ask, b)
				where = append(where, accesses)
			}
		}
		t.Schedule = append(t.Schedule, n.edges[taken].decision)
		if n.kind == race {
			accesses++
		}
		at = n.edges[taken].child
		t.Steps = append(t.Steps, s)
	}
	if err := f.run(t.Schedule, func(e *explore.Execution) { t.Execution = e.Clone() }); err != nil {
		return nil, err
	}
	for i, b := range ask {
		if err := f.run(b.Path, func(e *explore.Execution) {
			if events := concurrent(e.Events); where[i] < len(events) {
				event := events[where[i]]
				b.Event = &event
			}
		}); err != nil {
			return nil, err
		}
	}
	events := concurrent(t.Execution.Events)
	k := 0
	for i := range t.Steps {
		if b := &t.Steps[i].Branches[t.Steps[i].Taken]; b.Thread >= 0 && k < len(events) {
			b.Event = &events[k]
			k++
		}
	}
	var err error
	if len(t.Execution.Ops) > 0 {
		if t.History, err = f.c.History(t.Execution); err != nil {
			return nil, err
		}
	}
	if t.Why = f.outcomes[g.nodes[at].leaf].why; t.Why != "" {
		return t, nil
	}
	ctx := f.ctx
	if ctx.Err() != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(context.WithoutCancel(ctx), showTime)
		defer stop()
	}
	t.Check, err = linsat.Check(ctx, f.spec, t.History)
	return t, err
}

// run replays a schedule with values and source lines.
func (f *finder) run(s explore.Schedule, visit func(*explore.Execution)) error {
	seen := false
	_, err := explore.Run(f.c.Program(), explore.Replay(s), explore.Options{Trace: true, MaxSteps: f.options.MaxSteps,
		OpSteps: f.options.OpSteps}, func(e *explore.Execution) bool {
		seen = true
		visit(e)
		return true
	})
	if err == nil && !seen {
		err = errors.New("the execution does not end")
	}
	if err != nil {
		return fmt.Errorf("replay of schedule %s: %w", s, err)
	}
	return nil
}

// concurrent returns the events of the threads, without those of serial code.
func concurrent(events []explore.Event) []explore.Event {
	var of []explore.Event
	for _, e := range events {
		if e.Thread != schedule.Main {
			of = append(of, e)
		}
	}
	return of
}

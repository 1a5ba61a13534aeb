package localize

import (
	"context"
	"fmt"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec"
)

// Options bounds a search, and defines what counts as a failure. The zero value is fine.
type Options struct {
	MaxRuns int // executions; 0: no bound
	// of the search for traces, without that for explanations; 0: no bound but that of the context
	MaxTime   time.Duration
	MaxStates int // nodes that are kept; 0: 500,000
	MaxSteps  int // accesses of one execution; 0: 1,000
	OpSteps   int // of one operation, as explore.Options has it; 0: no bound
	// Deadlocks makes an execution fail if threads stay blocked. Otherwise its blocked operations
	// are pending, and it fails if the history is not linearizable.
	Deadlocks bool
	// Sequence asks for a failing trace whose races have this critical sequence or, if there is
	// none, whose critical nodes have it. nil asks for the trace with the most races.
	Sequence Sequence
	// Repair also looks for two accesses that, made one atomic event, remove all failing traces.
	Repair bool
	// Unmerged keeps the tree a tree: states that have the same future are not merged. For
	// comparisons; it is exponentially slower.
	Unmerged bool
}

// Result is the result of Find. It must not be changed.
type Result struct {
	Case *explore.Case
	Spec spec.Spec

	// Complete is set if every interleaving was explored. Otherwise Stopped names the limit, and
	// labels and counts hold for the explored part only.
	Complete bool
	// "runs", "time", "states", "cancelled", or "steps": some executions were too long
	Stopped string

	Runs   int // executions
	States int // nodes of the interleaving tree after merging
	// its leaves before merging, and those that fail; math.MaxUint64: that many or more
	Traces, Failing uint64
	Histories       int // classes of checked histories
	Leaves          map[explore.Outcome]int
	Root            Label // of the tree
	Took            time.Duration

	Trace *Trace // a failing trace, nil if none fails

	opSteps int // Options.OpSteps
	g       *graph
}

// Linearizable reports whether no trace fails.
func (r *Result) Linearizable() bool { return r.Failing == 0 }

// Patterns returns the critical sequences of all failing traces, those with the fewest labels
// first. With onlyRaces, critical nodes at which the accesses commute are left out; then a sequence
// can end in Wg, or be empty, if the decisive race comes under another order of commuting accesses.
// It returns nil if there are too many to count.
func (r *Result) Patterns(onlyRaces bool) []Pattern {
	if r.g == nil {
		return nil
	}
	return r.g.patterns(onlyRaces)
}

// Find runs every interleaving of the test and determines which races decide whether its history is
// linearizable with respect to s. It returns an error for a test that explore cannot run, for
// histories that s rejects, and if a history stays undecided. When the context is done it returns
// what is known by then, after at most another second for explanations.
func Find(ctx context.Context, c *explore.Case, s spec.Spec, o Options) (*Result, error) {
	start := time.Now()
	f := &finder{ctx: ctx, c: c, spec: model.Full(s), options: o}
	f.classify = f.check
	r, err := f.search()
	if err != nil {
		return nil, err
	}
	if r.Failing > 0 {
		if r.Trace, err = f.trace(r); err != nil {
			return nil, err
		}
		if o.Repair {
			r.Trace.Repairs, r.Trace.RepairsComplete = f.repairs(r.Trace)
		}
	}
	r.Took = time.Since(start)
	return r, nil
}

// finder examines the executions of one test.
type finder struct {
	ctx      context.Context
	c        *explore.Case
	spec     model.Spec
	options  Options
	classify func(e *explore.Execution) (outcome, error)

	pair     *pair // what is one event, nil: nothing
	strategy *interleave
	classes  map[string]int32 // → position in outcomes
	outcomes []outcome
	leaves   map[explore.Outcome]int
	key      []byte
	late     bool
	cut      bool // an execution was too long
	refuted  bool // an execution fails although a pair of accesses is one event
	err      error
}

// outcome is the result for a class of executions.
type outcome struct {
	fails bool
	why   string // of a failure without a history: the panic, the deadlock
}

// search explores and labels.
func (f *finder) search() (*Result, error) {
	if f.options.MaxSteps == 0 {
		f.options.MaxSteps = defaultMaxSteps
	}
	o := f.options
	if o.MaxStates == 0 {
		o.MaxStates = defaultMaxStates
	}
	if deadline, ok := f.ctx.Deadline(); ok && (o.MaxTime == 0 || time.Until(deadline) < o.MaxTime) {
		o.MaxTime = max(time.Until(deadline), 1)
	}
	f.strategy = newInterleave(o.Unmerged, o.MaxStates)
	f.strategy.atomic = f.pair
	f.classes, f.leaves = map[string]int32{}, map[explore.Outcome]int{}
	program := f.c.Program()
	stats, err := explore.Run(func(x *explore.Exec) {
		f.strategy.memory = x.Memory()
		f.strategy.memory.KeepNames()
		program(x)
	}, f.strategy, explore.Options{MaxRuns: o.MaxRuns, MaxTime: o.MaxTime, MaxSteps: o.MaxSteps, OpSteps: o.OpSteps},
		f.visit)
	if err == nil {
		err = f.err
	}
	if err != nil {
		return nil, err
	}
	g := f.strategy.g
	r := &Result{Case: f.c, Spec: f.spec, Stopped: stats.Stopped, Runs: stats.Executions + stats.Pruned,
		States: len(g.nodes), Histories: len(f.outcomes), Leaves: f.leaves, opSteps: o.OpSteps, g: g}
	switch {
	case f.ctx.Err() != nil:
		r.Stopped = "cancelled"
	case f.strategy.full:
		r.Stopped = "states"
	case f.late:
		r.Stopped = "time"
	case r.Stopped == "" && f.cut:
		r.Stopped = "steps"
	}
	r.Complete = r.Stopped == ""
	if !r.Complete {
		f.strategy.finish()
	}
	g.label(func(leaf int32) bool { return f.outcomes[leaf].fails })
	if len(g.nodes) > 0 {
		r.Root, r.Traces, r.Failing = g.nodes[0].label, g.nodes[0].traces, g.nodes[0].failing
	}
	return r, nil
}

func (f *finder) visit(e *explore.Execution) bool {
	if e.Outcome == explore.TimedOut {
		f.late = true
		return false
	}
	if fresh := f.strategy.fresh; fresh >= 0 {
		f.key = e.Class(f.key[:0])
		k, ok := f.classes[string(f.key)]
		if !ok {
			var o outcome
			if o, f.err = f.classify(e); f.err != nil {
				if f.ctx.Err() != nil {
					f.err = nil
				}
				return false
			}
			k = int32(len(f.outcomes))
			f.outcomes = append(f.outcomes, o)
			f.classes[string(f.key)] = k
		}
		if f.pair != nil && f.outcomes[k].fails {
			f.refuted = true
			return false
		}
		f.strategy.g.nodes[fresh].leaf = k
		f.strategy.g.nodes[fresh].open = f.bounded(e)
		f.cut = f.cut || f.bounded(e)
		f.leaves[e.Outcome]++
	}
	return f.ctx.Err() == nil
}

// bounded reports whether the bound on the steps of an execution cut the last one off, and not one
// on those of an operation.
func (f *finder) bounded(e *explore.Execution) bool {
	return e.Outcome == explore.CutOff && f.strategy.abrupt
}

// check decides an execution with linsat.Check.
func (f *finder) check(e *explore.Execution) (outcome, error) {
	switch {
	case e.Outcome == explore.Panicked:
		return outcome{true, fmt.Sprintf("panic: %v", e.Panic)}, nil
	case e.Outcome == explore.Stuck && f.options.Deadlocks:
		return outcome{true, "deadlock"}, nil
	case len(e.Ops) == 0:
		return outcome{}, nil
	}
	h, err := f.c.History(e)
	if err != nil {
		return outcome{}, err
	}
	result, err := linsat.Check(f.ctx, f.spec, h, linsat.First(),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Workers(1), linsat.Engine("search"))
	if err != nil {
		return outcome{}, fmt.Errorf("history of schedule %s: %w", e.Schedule, err)
	}
	if result.Verdict == engine.Unknown {
		return outcome{}, fmt.Errorf("history of schedule %s stays undecided: %s", e.Schedule, result.Cause)
	}
	return outcome{fails: result.Verdict == engine.NotLinearizable}, nil
}

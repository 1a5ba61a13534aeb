package roundup

// Phase 2.
// What: the object runs the test under all schedules of a strategy. Executions with the same
// results and interval order are checked once: first for linearizability, which implies
// quasi-linearizability at any bound, and otherwise once more with the factor. Where that is "min",
// the least bound of each history is asked for, and the object needs the greatest of them.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// Options of a check. The zero value asks for plain linearizability under all schedules.
type Options struct {
	// the strict object of phase 1, such as the object itself at factor 0; nil: Model
	Golden *explore.Object
	// as --quasi takes it, "" for none: only linearizability is asked for
	Factor  string
	Meaning quasi.Meaning // what quasi-linearizable means
	// operations may block: a stuck execution is not a violation by itself, only its history counts
	Blocking bool
	Strategy func() explore.Strategy // of phase 2; nil: explore.DPOR
	Run      explore.Options         // bounds of phase 2
	Traces   bool                    // count traces, which takes time
	// also decide by Algorithms 1 and 2, if they apply, and check that both agree
	Literal bool
}

// Count counts executions with a verdict, and the histories among them: executions with different
// results or interval orders.
type Count struct{ Executions, Histories int }

func (c *Count) add(executions int) {
	c.Executions += executions
	c.Histories++
}

// Violation is the first execution that violates the property. Its schedule replays it.
type Violation struct{ Execution *explore.Execution }

// Report is the result of Check: the columns of the paper's tables, and the first violations.
type Report struct {
	Case   *explore.Case
	Factor string

	Sequential int           // phase 1: serial runs of the golden model
	Drained    bool          // some of them leave something, so histories are drained
	Phase1     time.Duration // their time

	All             Count // completed executions
	NotLinearizable Count
	NotQuasi        Count // not quasi-linearizable with the factor
	Undecided       Count // linsat.Check gave up
	// executions in which an operation stopped at explore.Options.OpSteps; their histories are
	// checked, with that operation pending
	Stopped Count
	// others that did not complete; the histories of stuck ones are also checked
	Unfinished Count
	// those that are violations whatever their history: panics, and deadlocks without
	// Options.Blocking
	Broken Count
	Asked  int // calls of linsat.Check; the other verdicts follow from these
	// if asked for: traces, and those with an execution that violates the property
	Traces, BuggyTraces int
	// of all completed histories together; here and in the next one math.MaxInt64 stands for more
	Linearizations int64
	// each linearization, with the operations of each class rearranged within its bound; 0 if the
	// factor bounds sets of operations, or if the least bound is not known
	Rearrangements int64
	Phase2         time.Duration
	Run            explore.Stats

	// Linearizable and Quasi are the verdicts for the object on this test. NotLinearizable: some
	// execution is not, or is broken. Linearizable: all executions are, the strategy finished, no
	// execution was cut off but by a bound on operations, and all were decided. Without a factor,
	// Quasi is Unknown. With the factor "min" it is about bounds at all.
	Linearizable, Quasi engine.Verdict
	First, FirstQuasi   *Violation // nil where there is none
	FirstBroken         *Violation
	FirstUnfinished     *Violation
	// With the factor "min": the least bound at which every history of the test is
	// quasi-linearizable, and the first execution that needs Low, nil at 0 and at no bound.
	Least      *linsat.Least
	FirstLeast *Violation
}

// ErrUnfit is wrapped by errors about a test or an object that cannot be checked.
var ErrUnfit = errors.New("cannot be checked")

// Check checks an object on a test. It returns an error if the golden model is not strict, the
// specification is unknown or takes no factor, the object is nondeterministic, or linsat.Check and
// the algorithms of the paper disagree. If a limit is reached, verdicts are Unknown.
func Check(ctx context.Context, c *explore.Case, o Options) (*Report, error) {
	p, err := newPhase2(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if err := p.phase1(); err != nil {
		return nil, err
	}
	return p.explore()
}

// phase1 runs the golden model.
func (p *phase2) phase1() error {
	start := time.Now()
	model, c := p.options.Golden, p.report.Case
	if model == nil {
		m, ok := Model(c.Object.Spec)
		if !ok {
			return fmt.Errorf("%w: there is no golden model for %s; name one", ErrUnfit, c.Object.Spec)
		}
		model = m
	}
	var err error
	if p.golden, err = run(p.ctx, model, c, p.spec); err != nil {
		return err
	}
	p.report.Sequential, p.report.Drained = p.golden.runs, p.golden.leaves && p.spec.Info().Drain != ""
	p.relax.Drain = p.report.Drained
	p.report.Phase1 = time.Since(start)
	return nil
}

// phase2 is a check in progress.
type phase2 struct {
	ctx     context.Context
	options Options
	spec    model.Spec
	kinds   kinds
	relax   *quasi.Question
	golden  *golden
	report  *Report
	start   time.Time          // of phase 2
	ways    map[[2]int32]int64 // rearrangements, by number of operations and bound
	classes map[string]*class
	decided map[string]*[2]decided // by results: linearizable, quasi-linearizable
	traces  *tracing
	key     []byte
	failure error
}

// class is a history, reduced to what verdicts depend on.
type class struct {
	executions     int
	outcome        explore.Outcome
	stopped        bool // an operation reached the bound on its accesses
	lin, quasi     engine.Verdict
	linearizations int64
	sizes          []int32 // how many operations each class of operations has
}

func newPhase2(ctx context.Context, c *explore.Case, o Options) (*phase2, error) {
	s, ok := specs.Lookup(c.Object.Spec)
	if !ok {
		return nil, fmt.Errorf("%w: no specification %q", ErrUnfit, c.Object.Spec)
	}
	var initial any // golden models begin empty unless they state otherwise
	if o.Golden != nil {
		initial = o.Golden.Initial
	}
	if !same(c.Object.Initial, initial) {
		return nil, fmt.Errorf("%w: %s begins with %v and its golden model with %v", ErrUnfit, c.Object.Name,
			c.Object.Initial, initial)
	}
	p := &phase2{ctx: ctx, options: o, spec: s, kinds: kindsOf(s.Info(), c), report: &Report{Case: c, Factor: o.Factor},
		ways: map[[2]int32]int64{}, classes: map[string]*class{}, decided: map[string]*[2]decided{}}
	p.relax = &quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Meaning: o.Meaning}
	if o.Factor == "" {
		return p, nil
	}
	request, err := quasi.Parse(s.Info(), o.Factor)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	p.relax.Factor, p.relax.Sets, p.relax.Free = request.Factor, request.Sets, request.Free
	if request.Free != nil {
		p.report.Least = &linsat.Least{}
	}
	return p, nil
}

// explore runs phase 2.
func (p *phase2) explore() (*Report, error) {
	strategy := explore.DPOR()
	if p.options.Strategy != nil {
		strategy = p.options.Strategy()
	}
	p.traces = newTracing(strategy, p.options.Traces)
	p.start = time.Now()
	stats, err := explore.Run(p.report.Case.Program(), p.traces, p.options.Run, p.visit)
	if err == nil {
		err = p.failure
	}
	if err != nil {
		return nil, err
	}
	r := p.report
	r.Run = stats
	r.Traces, r.BuggyTraces = p.traces.count()
	for _, c := range p.classes {
		p.count(c)
	}
	r.Phase2 = time.Since(p.start)
	r.Linearizable = p.verdict(r.NotLinearizable)
	if p.options.Factor != "" {
		r.Quasi = p.verdict(r.NotQuasi)
	}
	p.least()
	p.rearrange()
	return r, nil
}

// least closes the interval of the least bound. Where some execution is left out, nothing bounds it
// from above.
func (p *phase2) least() {
	r := p.report
	switch l := r.Least; {
	case l == nil:
	case r.Quasi != engine.Linearizable:
		l.High = quasi.Unbounded
	case !l.Settled():
		r.Quasi = engine.Unknown
	}
	for c, free := range p.relax.Free {
		if free {
			p.relax.Factor[c] = r.Least.High
		}
	}
}

// rearrange counts rearrangements. The paper's algorithms, and what they count, know classes only.
func (p *phase2) rearrange() {
	r := p.report
	if len(p.relax.Sets) > 0 || r.Least != nil && r.Quasi != engine.Linearizable {
		return
	}
	for _, c := range p.classes {
		n := c.linearizations
		for i, size := range c.sizes {
			n = times(n, p.arrangements(size, p.relax.Factor[i]))
		}
		r.Rearrangements = plus(r.Rearrangements, n)
	}
}

func (p *phase2) count(c *class) {
	r := p.report
	switch {
	case c.outcome == explore.Completed:
		r.All.add(c.executions)
	case c.stopped:
		r.Stopped.add(c.executions)
	default:
		r.Unfinished.add(c.executions)
	}
	if p.broken(c.outcome) {
		r.Broken.add(c.executions)
	}
	r.Linearizations = plus(r.Linearizations, c.linearizations)
	if c.lin == engine.NotLinearizable {
		r.NotLinearizable.add(c.executions)
	}
	if c.quasi == engine.NotLinearizable {
		r.NotQuasi.add(c.executions)
	}
	if c.checked() && (c.lin == engine.Unknown || c.quasi == engine.Unknown && p.options.Factor != "") {
		r.Undecided.add(c.executions)
	}
}

// checked reports whether executions of a class are checked by linsat.Check.
func (c *class) checked() bool {
	return c.outcome == explore.Completed || c.outcome == explore.Stuck || c.stopped
}

// broken reports whether executions with an outcome are violations, whatever their history.
func (p *phase2) broken(o explore.Outcome) bool {
	return o == explore.Panicked || o == explore.Stuck && !p.options.Blocking
}

// verdict is the verdict for the object, given how many executions violate the property.
func (p *phase2) verdict(violations Count) engine.Verdict {
	stuck := p.report.Run.Outcomes[explore.Stuck]
	switch {
	case violations.Executions > 0, p.report.Broken.Executions > 0:
		return engine.NotLinearizable
	case !p.report.Run.Complete, p.report.Unfinished.Executions > stuck, p.report.Undecided.Executions > 0:
		return engine.Unknown
	case p.report.Stopped.Executions > 0 && p.report.All.Executions+stuck == 0:
		return engine.Unknown // nothing ends within the bound
	}
	return engine.Linearizable
}

// visit checks an execution unless its class has been checked.
func (p *phase2) visit(e *explore.Execution) bool {
	p.key = e.Class(p.key[:0])
	stopped := e.Outcome == explore.CutOff && !p.traces.abrupt
	if stopped {
		p.key = append(p.key, 's')
	}
	c, seen := p.classes[string(p.key)]
	if !seen {
		c = &class{outcome: e.Outcome, stopped: stopped}
		p.classes[string(p.key)] = c
		if e.Outcome != explore.Completed && !stopped && p.report.FirstUnfinished == nil {
			p.report.FirstUnfinished = &Violation{e.Clone()}
		}
		if p.broken(e.Outcome) && p.report.FirstBroken == nil {
			p.report.FirstBroken = &Violation{e.Clone()}
		}
		p.failure = p.decideClass(e, c)
	}
	c.executions++
	v := c.lin
	if p.options.Factor != "" {
		v = c.quasi
	}
	p.traces.add(v == engine.NotLinearizable || p.broken(e.Outcome))
	return p.failure == nil && p.ctx.Err() == nil
}

// decideClass decides the class of an execution and reports the first violations.
func (p *phase2) decideClass(e *explore.Execution, c *class) error {
	if !c.checked() || len(e.Ops) == 0 {
		return nil
	}
	var known *[2]decided
	x := newExtension(e)
	if e.Outcome == explore.Completed {
		key := string(x.key(e, nil))
		if known = p.decided[key]; known == nil {
			known = &[2]decided{}
			p.decided[key] = known
		}
		c.lin, c.quasi = known[0].infer(x), known[1].infer(x)
	}
	var err error
	if c.lin == engine.Unknown {
		if c.lin, err = p.ask(e); err != nil {
			return err
		}
		if known != nil {
			known[0].add(x, c.lin)
		}
	}
	if c.lin == engine.NotLinearizable && p.report.First == nil {
		p.report.First = &Violation{e.Clone()}
	}
	if p.options.Factor != "" {
		if c.lin == engine.Linearizable {
			c.quasi = c.lin
		}
		if c.quasi == engine.Unknown {
			if c.quasi, err = p.ask(e, linsat.Quasi(*p.relax)); err != nil {
				return err
			}
			if known != nil {
				known[1].add(x, c.quasi)
			}
		}
		if c.quasi == engine.NotLinearizable && p.report.FirstQuasi == nil {
			p.report.FirstQuasi = &Violation{e.Clone()}
		}
	}
	if e.Outcome == explore.Completed {
		return p.enumerate(e, x, c)
	}
	return nil
}

// ask checks an execution with linsat.Check.
func (p *phase2) ask(e *explore.Execution, options ...linsat.Option) (engine.Verdict, error) {
	h, err := p.report.Case.History(e)
	if err != nil {
		return engine.Unknown, err
	}
	p.report.Asked++
	if limit := p.options.Run.MaxTime; limit > 0 {
		options = append(options, linsat.Timeout(max(1, limit-time.Since(p.start))))
	}
	r, err := linsat.Check(p.ctx, p.spec, h, append(options, linsat.First(),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))...)
	if err != nil || r.Least == nil {
		return r.Verdict, err
	}
	l := p.report.Least
	if r.Least.Low > l.Low {
		l.Low, p.report.FirstLeast = r.Least.Low, &Violation{e.Clone()}
	}
	l.High = max(l.High, r.Least.High)
	if r.Verdict == engine.Unknown && r.Least.High != quasi.Unbounded {
		return engine.Linearizable, nil // within some bound
	}
	return r.Verdict, nil
}

// enumerate fills in the columns that the paper counts, and compares the verdicts if
// Options.Literal is set.
func (p *phase2) enumerate(e *explore.Execution, x *extension, c *class) error {
	c.linearizations = x.count()
	c.sizes = p.sizes(e)
	bound, fits := literalBound(p.spec.Info().Classes, p.relax.Factor)
	if !p.options.Literal || !fits || p.relax.Drain || p.relax.Meaning != quasi.Slots ||
		len(p.relax.Sets) > 0 || p.relax.Free != nil {
		return nil
	}
	lin, relaxed := literal(e, x, p.golden, p.kinds, bound)
	if disagree(lin, c.lin) || p.options.Factor != "" && disagree(relaxed, c.quasi) {
		return fmt.Errorf(
			"linsat contradicts itself on %v (schedule %s): Algorithms 1 and 2 say linearizable %t, "+
				"quasi-linearizable %t; linsat.Check says %s, %s",
			e.Ops, e.Schedule, lin, relaxed, c.lin, c.quasi)
	}
	return nil
}

// sizes returns how many operations of each class an execution has.
func (p *phase2) sizes(e *explore.Execution) []int32 {
	n := make([]int32, len(p.relax.Factor))
	for i := range e.Ops {
		if class := p.kinds[e.Ops[i].F].class; class >= 0 {
			n[class]++
		}
	}
	return n
}

func disagree(yes bool, v engine.Verdict) bool {
	return v != engine.Unknown && yes != (v == engine.Linearizable)
}

// arrangements returns how many rearrangements n operations have within a bound.
func (p *phase2) arrangements(n, bound int32) int64 {
	key := [2]int32{n, bound}
	if _, known := p.ways[key]; !known {
		p.ways[key] = rearrangements(int(n), bound)
	}
	return p.ways[key]
}

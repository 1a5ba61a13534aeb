package linsat

import (
	"context"
	"fmt"
	"time"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	quasimonitor "github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	quasisearch "github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
)

// headStart is how long the search works alone, after a first try that is counted in steps, before
// the SAT engine joins; headStartEach how much longer for each operation, since many parts are
// decided sooner than their clauses can be built; and headStartOpen for each one that never
// returned, since clauses cannot count and the search can (prices).
const (
	headStart     = 300 * time.Microsecond
	headStartEach = 3 * time.Microsecond
	headStartOpen = 300 * time.Microsecond
)

// verdict is the certified answer on one part.
type verdict struct {
	engine.Answer
	engine     string
	unanswered []Unanswered // by engines that were asked to the end
}

// named runs one engine.
type named struct {
	engine.Engine
	delay time.Duration
}

// engines lists who takes part, cheapest first.
func (c *config) engines() []named {
	var all []named
	add := func(choice EngineChoice, e engine.Engine, delay time.Duration) {
		if c.engine == choice || c.engine == Auto || c.engine == All {
			all = append(all, named{e, delay})
		}
	}
	if c.relax != nil {
		add(OnlyPoly, quasimonitor.New(), 0)
		add(OnlySearch, quasisearch.New(), 0)
	} else {
		add(OnlyPoly, monitor.New(), 0)
		add(OnlySearch, wgl.New(c.searching()...), 0)
	}
	if c.steps == 0 || c.engine != Auto {
		add(OnlySAT, c.sat(), headStart)
	}
	return all
}

// searching is how the search goes about its work: where nobody asks for reasons, without any.
func (c *config) searching() []wgl.Option {
	if c.argueFor == 0 && c.locateTime() == 0 {
		return []wgl.Option{wgl.VerdictOnly()}
	}
	return nil
}

// probeSteps and scoutEach, for each operation, are the steps that the search may take before
// anything runs side by side: small parts are decided within them, and need no goroutines and no
// timers.
const (
	probeSteps = 1 << 13
	probeEach  = 8
)

// sat is the SAT engine on top of the chosen solver.
func (c *config) sat() engine.Engine {
	factory := c.solver.factory
	if factory == nil {
		factory = builtIn
	}
	var e engine.Engine = encode.New(factory)
	if c.relax != nil {
		e = sat.New(factory)
	}
	if c.solver.factory != nil {
		e = renamed{e, "sat (" + c.solver.name + ")"}
	}
	return e
}

// renamed is an engine that says which solver it uses.
type renamed struct {
	engine.Engine
	name string
}

// Name implements engine.Engine.
func (r renamed) Name() string { return r.name }

// judge decides one part: alone, all to the end, or as a race. The answer is certified before it is
// returned; what certify refuses is an error.
func (c *config) judge(ctx context.Context, p *engine.Problem, m *engine.Budget) (verdict, error) {
	all := c.team
	switch {
	case c.engine == All:
		return c.runAll(ctx, all, p, m)
	case c.steps > 0 || len(all) == 1:
		return c.sequential(ctx, all, p, m)
	default:
		return c.race(ctx, all, p, m)
	}
}

// sequential asks one engine after another until one decides.
func (c *config) sequential(ctx context.Context, all []named, p *engine.Problem, m *engine.Budget) (verdict, error) {
	var best verdict
	for _, e := range all {
		a, err := e.Check(ctx, p, m)
		if err != nil {
			return verdict{}, err
		}
		best = better(best, verdict{Answer: a, engine: e.Name()})
		if best.Verdict != engine.Unknown {
			break
		}
	}
	return best, certified(p, &best)
}

// better keeps the more telling of two answers: a decision, or else the cause that a
// caller can do something about.
func better(a, b verdict) verdict {
	effort := a.Effort.Add(b.Effort)
	if weight(b) > weight(a) {
		a = b
	}
	a.Effort = effort
	return a
}

func weight(v verdict) int {
	if v.Verdict != engine.Unknown {
		return 10
	}
	switch v.Cause {
	case engine.NoCause:
		return 0
	case engine.Unsupported:
		return 1
	case engine.Cancelled:
		return 2
	case engine.Undecided:
		return 3
	}
	return 4
}

type reply struct {
	verdict
	err error
}

// race lets the monitor try, then the search for a moment, then runs all but the monitor side by
// side; the first certified decision stops the rest.
func (c *config) race(ctx context.Context, all []named, p *engine.Problem, m *engine.Budget) (verdict, error) {
	first, err := c.sequential(ctx, all[:1], p, m)
	if err != nil || first.Verdict != engine.Unknown {
		return first, err
	}
	if p.Quasi == nil {
		scout := wgl.New(append(c.searching(), wgl.Within(probeSteps, probeEach))...)
		next, err := c.sequential(ctx, []named{{scout, 0}}, p, m)
		if err != nil || next.Verdict != engine.Unknown {
			next.Effort = next.Effort.Add(first.Effort)
			return next, err
		}
		first.Effort = first.Effort.Add(next.Effort)
	}
	if ctx.Err() != nil {
		return better(first, verdict{Answer: engine.Stopped(ctx)}), nil
	}
	return sideBySide(ctx, first, all[1:], p, m)
}

// clausesFor estimates what the clauses of b take, in operations of one mode. The clauses of a test
// grow with its modes and with those of the operations that it may follow.
func clausesFor(b *model.Instance) int {
	t, ok := b.Theory.(*model.RegisterTheory)
	if !ok || !model.Derived(t) {
		return b.Partition.Len()
	}
	n := 0
	for i := range b.Partition.Ops {
		modes := len(t.Of(int32(i)))
		n += max(1, modes*modes)
	}
	return n
}

// sideBySide runs engines until one decides; before is what was found out so far.
func sideBySide(ctx context.Context, before verdict, racers []named, p *engine.Problem, m *engine.Budget) (verdict, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(engine.ErrAnswered)
	replies := make(chan reply, len(racers))
	wait := time.Duration(clausesFor(p.Instance)) * headStartEach
	for i := range p.Instance.Partition.Ops {
		if p.Instance.Partition.Ops[i].Pending() {
			wait += headStartOpen
		}
	}
	for _, e := range racers {
		v := verdict{engine: e.Name()}
		engine.Go(func() (err error) {
			if e.delay > 0 {
				t := time.NewTimer(e.delay + wait)
				defer t.Stop()
				select {
				case <-ctx.Done():
					v.Answer = engine.Stopped(ctx)
					return nil
				case <-t.C:
				}
			}
			v.Answer, err = e.Check(ctx, p, m)
			return err
		}, func(err error) { replies <- reply{v, err} })
	}
	best := before
	for range racers {
		r := <-replies
		if r.err != nil {
			return verdict{}, r.err
		}
		best = better(best, r.verdict)
		if r.Verdict != engine.Unknown {
			break
		}
	}
	return best, certified(p, &best)
}

// certified replays the witness of a yes. A refused witness is a contradiction.
func certified(p *engine.Problem, v *verdict) error {
	if v.Verdict != engine.Linearizable {
		return nil
	}
	if err := certifyYes(p, v.Answer); err != nil {
		return &Disagreement{Part: p.Instance.Partition.Title(p.Instance.Spec.Info()), Says: []string{v.engine + ": linearizable", "certify: " + err.Error()},
			Because: fmt.Sprintf("%s answers linearizable with a witness that certify refuses: %v", v.engine, err)}
	}
	return nil
}

func certifyYes(p *engine.Problem, a engine.Answer) error {
	if p.Quasi != nil {
		return verify.Rearrangement(p.Instance, p.Quasi, a.Witness, a.Rearranged, a.Drains)
	}
	return verify.Witness(p.Instance, a.Witness)
}

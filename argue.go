package linsat

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/linsat/linsat/solver"
)

// defaultArgue bounds the time spent on the reasons of a no.
const defaultArgue = 5 * time.Second

// argue finds out why r is a no: a minimal core with its argument, or under a factor the refutation
// that came with the verdict; and has certify judge it. It changes only what r says of that.
func (c *config) argue(ctx context.Context, r *Result, evidence any) error {
	if c.relax != nil {
		return c.argueQuasi(ctx, r, evidence)
	}
	outer := ctx
	ctx, stop := context.WithTimeout(ctx, c.argueFor)
	defer stop()
	if evidence == nil && r.Part.Len() > maxCoreFirst {
		evidence = c.prices(ctx, r)
	}
	if evidence != nil {
		switch err := verify.Evidence(ctx, r.Instance, evidence); {
		case err == nil:
			r.Evidence, r.Certified, r.Uncertified = evidence, true, ""
			decided := *r // stands if the time is up before there is a core
			c.decided.Store(&decided)
			if c.anyReason {
				return nil
			}
		case ctx.Err() == nil && !errors.Is(err, verify.ErrTooLarge):
			return &Disagreement{Part: r.Part.Title(r.Spec.Info()), Because: "certify refuses the evidence of an engine: " + err.Error()}
		}
	}
	var core *explain.Core
	var err error
	if few, ok := evidence.(*proof.CollectionConflict); ok {
		named := few.Values
		if few.Via >= 0 {
			named = append(slices.Clone(named), few.Via)
		}
		core, err = explain.FindAmong(ctx, r.Instance, named, few.Op, c.decideForCore)
	}
	if core == nil && err == nil && (evidence == nil || r.Part.Len() <= maxArgued) {
		inTime, enough := ctx, func() {}
		switch {
		case r.Certified && r.Part.Len() > maxPatient:
			inTime, enough = context.WithTimeout(ctx, coreOnTop)
		case r.Certified:
			inTime, enough = context.WithTimeout(ctx, coreBeside)
		}
		core, err = explain.Find(inTime, r.Instance, r.Failure, nil, c.decideForCore)
		enough()
	}
	switch {
	case err != nil:
		return err
	case core == nil && !r.Certified:
		r.Uncertified = "no reason was found within the limits"
		c.exhaust(outer, r)
	case core == nil:
	case r.Certified && (core.Argument == nil || !core.Minimal && (len(core.Facts) > manyFacts || core.Argument.Size().Steps > manySteps)): // the evidence says it in less
		core = nil
	case core.Argument == nil:
		r.Core = core
		r.Uncertified = core.NoArgument
		c.exhaust(outer, r)
		// a list of most of the history explains nothing
		if r.Certified && !core.Minimal && len(core.Facts) > manyFacts {
			r.Core, core = nil, nil
		}
	default:
		r.Core = core
		if err := verify.Argument(r.Instance, core.Claim, core.Argument); err != nil {
			return &Disagreement{Part: r.Part.Title(r.Spec.Info()), Because: "certify refuses the argument of a no: " + err.Error()}
		}
		r.Certified, r.Uncertified = true, ""
	}
	if core != nil && c.allCores {
		return c.moreCores(ctx, r)
	}
	return nil
}

// maxCoreFirst is the size of the largest part for which prices are not tried before the core is
// looked for.
const maxCoreFirst = 200

// prices asks the search for evidence about what never returned, nil if there is none, for a
// quarter of the time.
func (c *config) prices(ctx context.Context, r *Result) any {
	ctx, stop := context.WithTimeout(ctx, c.argueFor/4)
	defer stop()
	return wgl.Evidence(ctx, &engine.Problem{Instance: r.Instance}, engine.NewBudget(0, c.memory))
}

// moreCores looks for reasons without the facts of those that are known.
func (c *config) moreCores(ctx context.Context, r *Result) error {
	var without []explain.Fact
	for core := r.Core; ; {
		without = append(without, core.Facts...)
		var err error
		core, err = explain.Find(ctx, r.Instance, nil, without, c.decideForCore)
		if err != nil || core == nil || len(core.Facts) == 0 {
			return err
		}
		r.MoreCores = append(r.MoreCores, core)
	}
}

// exhaust has certify try everything: at first with what the core forgets, then with the shortest
// prefix alone.
func (c *config) exhaust(ctx context.Context, r *Result) {
	claims := []*proof.Weakening{{Cut: history.Never}}
	if r.Failure != nil {
		claims[0].Cut = r.Failure.Cut
	}
	if r.Core != nil {
		claims = []*proof.Weakening{r.Core.Claim, {Cut: r.Core.Claim.Cut}}
	}
	for _, claim := range claims {
		if nodes, furthest, err := verify.Tried(ctx, r.Instance, claim, verify.MaxNodes); err == nil {
			r.Exhausted, r.Cases, r.Furthest, r.Certified, r.Uncertified = claim, nodes, furthest, true, ""
			return
		}
	}
}

// maxPatient is the size of the largest part for whose core, where evidence has been certified
// already, there is coreBeside of the time for reasons; for a longer one there is coreOnTop.
const (
	maxPatient = 5000
	coreBeside = time.Second
	coreOnTop  = 50 * time.Millisecond
)

// manyFacts is from how many facts on a core says less than what the evidence of an engine names.
const manyFacts = 24

// manySteps is from how many steps on an argument says less than that.
const manySteps = 100

// maxArgued is the size of the largest part for whose no an argument is sought although a monitor
// gave evidence.
const maxArgued = 20_000

// stepsForCore bounds one question of the search for a core, of a long part stepsForEach of its
// operations.
const (
	stepsForCore = 100_000
	stepsForEach = 40
)

// decideForCore decides weakened parts: by a monitor where one takes them, else by search where
// they are small and by SAT first where they are not.
func (c *config) decideForCore(ctx context.Context, b *model.Instance) engine.Verdict {
	if a, err := monitor.New().Check(ctx, &engine.Problem{Instance: b}, nil); err == nil && a.Verdict != engine.Unknown {
		return a.Verdict
	}
	engines := []engine.Engine{wgl.New(wgl.VerdictOnly()), encode.New(func() solver.Solver { return gini.New() })}
	if b.Theory == nil {
		engines = engines[:1]
	} else if b.Partition.Len() > 200 && !model.Derived(b.Theory) {
		engines[0], engines[1] = engines[1], engines[0]
	}
	for _, e := range engines {
		a, err := e.Check(ctx, &engine.Problem{Instance: b}, engine.NewBudget(max(stepsForCore, stepsForEach*int64(b.Partition.Len())), 0))
		if err == nil && a.Verdict != engine.Unknown {
			return a.Verdict
		}
	}
	return engine.Unknown
}

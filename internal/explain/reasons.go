package explain

import (
	"context"
	"errors"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Why a history is not linearizable: the operation that cannot be placed, a minimal core with its
// argument, or the evidence that an engine gave; whatever the verifier confirms of these certifies
// the violation.

// Violation is a refuted partition, which is to be explained.
type Violation struct {
	Spec     model.Spec // of the whole history
	Instance *model.Instance
	Quasi    *quasi.Question // nil for plain linearizability
	Failure  *engine.Failure // where the engine knows it
	Reached  history.Rank    // where the engine says (engine.Answer.Reached)
	Proof    proof.Proof     // that the engine gave, not verified; nil for none
}

// Wanted says what an explanation should hold, and how long it may take.
type Wanted struct {
	Reasons   time.Duration // for core and argument; 0 for none
	Locate    time.Duration // for the operation that cannot be placed; 0 for not at all
	AnyReason bool          // whatever certifies soonest is enough
	AllCores  bool          // every core that shares no fact with another
	Beside    bool          // reasons and locating may run side by side
}

// Engines are the engines that an explanation asks, as values.
type Engines struct {
	// Decide decides a partition with all that the caller has.
	Decide func(ctx context.Context, p *engine.Task, b *engine.Budget) (engine.Answer, error)
	// Weakened decides one of very many weakened partitions with little effort.
	Weakened func(ctx context.Context, p *engine.Task, b *engine.Budget) engine.Verdict
	// Frontier decides a prefix and tells how far a violation can be followed (Answer.Failure).
	Frontier func(ctx context.Context, p *engine.Problem, b *engine.Budget) (engine.Answer, error)
	// Pending looks for evidence that no assignment of pending operations can explain the completed
	// ones; nil if it finds none.
	Pending func(ctx context.Context, p *engine.Problem, b *engine.Budget) proof.Proof
}

// Reasons are what an explanation found.
type Reasons struct {
	Failure *engine.Failure
	// Unlocated says why there is no Failure, where that is not for lack of time.
	Unlocated string
	// Certified reports whether the verifier confirmed the violation; Uncertified says why not.
	Certified   bool
	Uncertified string
	// Proof is what the verifier confirmed: the argument of Core where there is one, else what the
	// engine gave, or that trying all orders showed it. It is nil unless Certified.
	Proof     proof.Proof
	Core      *Core
	MoreCores []*Core
	// NoCore says why there is no Core under a factor, where one was looked for.
	NoCore string
	// Held says who holds a lock when, which is told in place of the argument of Core. The verifier
	// confirmed it. It is nil where nothing has owners.
	Held *proof.HoldConflict
	// Furthest are configurations with the fewest completed operations left, of those that an
	// Exhaustion tried.
	Furthest []engine.Configuration
}

// NotAsked is the value of Uncertified when explanations were disabled.
const NotAsked = "no reasons were asked for"

// leadsBack is why a violation is not located where orders say what times do not.
const leadsBack = "explicit order or a revision puts an operation before one that was called earlier"

// timeUp is the value of Uncertified while no reason has been found.
const timeUp = "the time was up before a reason was found"

// explainer explains one violation.
type explainer struct {
	Engines
	Violation
	Wanted
	budget *engine.Budget
	soFar  func(Reasons)
	// named are the operations that a refutation in clauses names.
	named []history.OpID
	// located waits for the failing return where it is looked for aside, and notes it.
	located func()
	Reasons
}

// Explain explains a violation. The verdict does not depend on the outcome, even when the time runs
// out. soFar is called with the reasons to report if ctx is done before better ones are found. An
// error is an *engine.Disagreement or comes from the specification.
func Explain(ctx context.Context, e Engines, v Violation, w Wanted, b *engine.Budget, soFar func(Reasons)) (Reasons,
	error) {
	if w.Reasons == 0 && w.Locate == 0 {
		return NoReasons(v.Instance.Partition, v.Failure), nil
	}
	x := &explainer{Engines: e, Violation: v, Wanted: w, budget: b, soFar: soFar}
	x.Reasons = Reasons{Failure: v.Failure, Uncertified: NotAsked}
	if w.Reasons > 0 {
		x.Uncertified = timeUp
	}
	if deadline, limited := ctx.Deadline(); limited {
		var enough context.CancelFunc
		ctx, enough = context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/writeShare))
		defer enough()
	}
	aside, stop := context.WithCancel(ctx)
	defer stop()
	failure, unlocated := v.Failure, ""
	if LeadsBack(v.Instance.Partition) {
		failure, unlocated, w.Locate = nil, leadsBack, 0
		x.Violation.Failure, x.Reasons.Failure, x.Unlocated = nil, nil, unlocated
	}
	locate := func() { failure, unlocated = x.locate(aside) }
	wait := func() {}
	x.located = func() {
		wait()
		x.Reasons.Failure, x.Unlocated = failure, unlocated
	}
	switch {
	case v.Quasi != nil || failure != nil || w.Locate == 0:
	case w.Beside && w.Reasons > 0 && v.Proof != nil && (v.Instance.Partition.Len() > maxArgued || triesAll(&v)):
		// The explanation does not need it.
		wait = engine.Aside(locate)
	default:
		locate()
		x.located()
	}
	if w.Reasons > 0 {
		find := x.reasons
		if v.Quasi != nil {
			find = x.quasiReasons
		}
		if err := find(ctx); err != nil {
			stop()
			wait()
			return Reasons{}, err
		}
	}
	x.located()
	return x.Reasons, nil
}

// NoReasons are those of a violation that is not to be explained; failure is nil if not known.
func NoReasons(p *model.Partition, failure *engine.Failure) Reasons {
	known := Reasons{Failure: failure, Uncertified: NotAsked}
	if LeadsBack(p) {
		known.Failure, known.Unlocated = nil, leadsBack
	}
	return known
}

// triesAll reports whether the explanation is that the verifier tries all orders of the whole
// partition.
func triesAll(v *Violation) bool {
	tried, ok := v.Proof.(*proof.Exhaustion)
	return ok && tried.Weakening.Retain == nil && v.Instance.Partition.Len() > maxPatient &&
		v.Instance.Axiomatic() == nil
}

// certified records the proof that the verifier confirmed.
func (x *explainer) certified(p proof.Proof) {
	x.Reasons.Proof, x.Certified, x.Uncertified = p, true, ""
}

// reasons finds a minimal core with its argument, or verifies the evidence that came with the
// verdict. It never changes the verdict.
func (x *explainer) reasons(outer context.Context) error {
	ctx, stop := context.WithTimeout(outer, x.Wanted.Reasons)
	defer stop()
	n := x.Instance.Partition.Len()
	evidence := x.Violation.Proof
	if alone, ok := evidence.(*proof.Saturation); ok {
		// Which values refute is what an engine knows; the verifier counts the cases.
		if evidence = nil; n > maxCoreFirst && x.saturate(ctx, alone.Weakening) == nil {
			evidence = x.Reasons.Proof
			x.soFar(x.Reasons)
			if x.AnyReason {
				return nil
			}
		}
	}
	if evidence == nil && n > maxCoreFirst && twoValued(x.Instance) {
		if err := x.tryAll(ctx, &proof.Weakening{Cut: x.cut()}); err != nil {
			return err
		}
		if x.Certified {
			x.soFar(x.Reasons)
			if x.AnyReason {
				return nil
			}
		}
	}
	if evidence == nil && n > maxCoreFirst && !x.Certified {
		evidence = x.pending(ctx)
	}
	tried, _ := evidence.(*proof.Exhaustion)
	if tried != nil && x.AnyReason {
		return x.confirm(outer, tried)
	}
	// What an engine says that one should try is where to look for a core: trying comes last.
	if evidence != nil && tried == nil && !x.Certified {
		switch err := verify.Proof(ctx, nil, x.Instance, evidence); {
		case err == nil:
			x.certified(evidence)
			x.Reasons.Held, _ = evidence.(*proof.HoldConflict)
			x.soFar(x.Reasons)
			if x.AnyReason {
				return nil
			}
		case ctx.Err() == nil && !errors.Is(err, base.ErrTooLarge):
			return x.refused("the evidence of an engine", err)
		}
	}
	if evidence == nil && n > maxCoreFirst && !x.Certified {
		if err := x.retry(ctx, &proof.Weakening{Cut: x.cut()}); err != nil {
			return err
		}
		if x.Certified {
			evidence = x.Reasons.Proof
			x.soFar(x.Reasons)
			if x.AnyReason {
				return nil
			}
		}
	}
	counted := false // the cases of the whole partition, which a core may replace
	if (evidence == nil || howFar(evidence)) && n > maxPatient && x.Instance.Axiomatic() == nil {
		if err := x.tryAll(outer, &proof.Weakening{Cut: x.cut()}); err != nil {
			return err
		}
		if counted = x.Certified; counted {
			x.soFar(x.Reasons)
			if x.AnyReason || tried != nil {
				return nil
			}
		}
	}
	if triesAll(&x.Violation) && !x.Certified { // then a core is sought up to the failing return
		x.located()
	}
	core, err := x.core(ctx, evidence)
	counted = counted || tried != nil && x.Certified
	switch {
	case err != nil:
		return err
	case core == nil && tried != nil && x.Certified:
		return nil
	case core == nil && tried != nil:
		return x.confirm(outer, tried)
	case core == nil && !x.Certified:
		x.Uncertified = "no reason was found within the limits"
		return x.exhaust(outer, &proof.Weakening{Cut: x.cut()})
	case core == nil:
	case x.Certified && (core.Argument == nil && !counted || !core.Minimal && (len(core.Facts) > manyFacts ||
		core.Argument != nil && core.Argument.Size().Steps > manySteps)):
		// The evidence of the engine is shorter.
		core = nil
	case core.Argument == nil:
		x.Core = core
		if !counted {
			x.Uncertified = core.NoArgument
		}
		if counted && len(core.Facts) <= fewestFacts {
			break // the cases of the whole are counted; those of the core may be too many
		}
		if err := x.exhaust(outer, core.Weakening, &proof.Weakening{Cut: core.Weakening.Cut}); err != nil {
			return err
		}
		// a list of most of the history explains nothing
		if x.Certified && !core.Minimal && len(core.Facts) > manyFacts {
			x.Core, core = nil, nil
		}
	default:
		x.Core = core
		if err := verify.Proof(context.WithoutCancel(ctx), nil, x.Instance, core.Proof()); err != nil {
			return x.refused("the argument of a violation", err)
		}
		x.certified(core.Proof())
	}
	if core != nil && x.AllCores {
		return x.moreCores(ctx)
	}
	return nil
}

// twoValued reports whether the partition is one cell of at most two values, so that few
// configurations are to be tried.
func twoValued(b *model.Instance) bool {
	t, ok := b.Axiomatic().(*model.RegisterTheory)
	return ok && len(t.Init) == 1 && t.Values <= 2
}

// refused returns the error for evidence of an engine, or an argument of the prover, that the
// verifier rejects.
func (x *explainer) refused(what string, err error) error {
	p := x.Instance.Partition
	return &engine.Disagreement{Partition: p.Title(x.Instance.Spec.Info()), Because: "the verifier refuses " + what +
		": " + err.Error()}
}

// core looks for a core: among the few operations that the evidence names, else anywhere.
func (x *explainer) core(ctx context.Context, evidence proof.Proof) (*Core, error) {
	if evidence != nil && (evidence.Kind() == proof.KindCollectionConflict ||
		evidence.Kind() == proof.KindHoldConflict) {
		if core, err := x.among(ctx, evidence.Operations(x.Instance)); core != nil || err != nil {
			return core, err
		}
	}
	if tried, ok := evidence.(*proof.Exhaustion); ok {
		if core := FindKept(ctx, x.Instance, tried.Weakening, x.decide); core != nil {
			return core, nil
		}
		core, err := FindLeft(ctx, x.Instance, tried.Weakening, x.decide)
		if core == nil && err == nil && x.Instance.Partition.Len() <= maxCoreFirst {
			return Find(ctx, x.Instance, x.Reasons.Failure, nil, x.decide)
		}
		if core != nil || err != nil || x.Instance.Axiomatic() != nil || tried.Weakening.Retain != nil ||
			x.Instance.Partition.Len() > maxOperations {
			return core, err
		}
		if err := x.confirm(ctx, tried); err != nil {
			return nil, err
		}
		x.soFar(x.Reasons)
		return Find(ctx, x.Instance, x.Reasons.Failure, nil, x.decide)
	}
	n := x.Instance.Partition.Len()
	switch {
	case n > maxArgued && (x.Certified || evidence != nil):
		return nil, nil
	case evidence != nil && (evidence.Kind() == proof.KindGrowthConflict ||
		evidence.Kind() == proof.KindDependencyCycles):
		return nil, nil
	case x.Certified && n > maxPatient:
		var enough context.CancelFunc
		ctx, enough = context.WithTimeout(ctx, x.Wanted.Reasons/onTopShare)
		defer enough()
	case x.Certified:
		var enough context.CancelFunc
		ctx, enough = context.WithTimeout(ctx, x.Wanted.Reasons/besideShare)
		defer enough()
	}
	return Find(ctx, x.Instance, x.Reasons.Failure, nil, x.decide)
}

// among looks for a core among the operations that evidence names. Where they are many, the
// evidence says as much, and a core is only sought for a short time.
func (x *explainer) among(ctx context.Context, named []history.OpID) (*Core, error) {
	if len(named) > maxOperations {
		return nil, nil
	}
	if x.Certified && len(named) > manyFacts {
		var enough context.CancelFunc
		ctx, enough = context.WithTimeout(ctx, x.Wanted.Reasons/besideShare)
		defer enough()
	}
	return FindAmong(ctx, x.Instance, named, x.decide)
}

// decide is the Decide of cores.
func (x *explainer) decide(ctx context.Context, b *model.Instance) engine.Verdict {
	return x.Weakened(ctx, &engine.Task{Instance: b, Quasi: x.Quasi}, x.budget)
}

// pending spends a share of the time on evidence about pending operations; it returns nil if it
// finds none.
func (x *explainer) pending(ctx context.Context) proof.Proof {
	ctx, stop := context.WithTimeout(ctx, x.Wanted.Reasons/boundShare)
	defer stop()
	return x.Pending(ctx, &engine.Problem{Instance: x.Instance}, x.budget.Share(0))
}

// moreCores looks for cores without the facts of those already found.
func (x *explainer) moreCores(ctx context.Context) error {
	var without []Fact
	for core := x.Core; ; {
		without = append(without, core.Facts...)
		var err error
		core, err = Find(ctx, x.Instance, nil, without, x.decide)
		if err != nil || core == nil || len(core.Facts) == 0 {
			return err
		}
		x.MoreCores = append(x.MoreCores, core)
	}
}

// cut is the rank of the return that cannot be explained, history.Never if none is known.
func (x *explainer) cut() history.Rank {
	if f := x.Reasons.Failure; f != nil {
		return f.Cut
	}
	return history.Never
}

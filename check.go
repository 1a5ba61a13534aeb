package linsat

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	quasiexplain "github.com/linsat/linsat/internal/quasi/explain"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// Check decides whether h is linearizable with respect to s, or with Quasi whether it is
// quasi-linearizable. It returns an error for options that make no sense ([ErrOption]), for an
// argument that is missing ([ErrArgument]), for operations or values that s does not accept
// (*history.Error), for a specification whose code panics or is impure (*spec.Fault), and if
// engines contradict each other (*Disagreement). Running out of time, memory or steps is not an
// error but an Unknown result with its cause.
func Check(ctx context.Context, s spec.Spec, h *history.History, options ...Option) (Result, error) {
	full, err := whole(s)
	if err != nil {
		return Result{}, err
	}
	q := question{spec: full, ready: h, prepare: func(context.Context) (*history.History, error) { return h, nil }}
	r, err := q.run(ctx, options)
	if err != nil {
		return Result{}, err
	}
	return public(&r), nil
}

// checking is a Check under way.
type checking struct {
	*config
	spec  model.Spec
	model model.Spec // that is said to be spec, or nil
	// unconfirmed says that the answer has still to stand a confirmation
	unconfirmed bool
	budget      *engine.Budget
	history     atomic.Pointer[history.History]
	// known is the result to return if the time is up before it is explained better.
	known     *atomic.Pointer[result.Result]
	portfolio *portfolio.Portfolio
	validated bool // nothing is wrong with what is asked
}

// newChecking returns a check of s under way, in place of k if that is not nil.
func newChecking(c *config, s model.Spec, budget *engine.Budget, of *checking) *checking {
	k := &checking{config: c, spec: s, budget: budget, known: &atomic.Pointer[result.Result]{}}
	if of != nil {
		k.model, k.unconfirmed = of.model, of.unconfirmed
	}
	k.portfolio = portfolio.New(portfolio.Options{
		Engines: k.engine, Quasi: k.quasi != nil, Solver: k.solver.factory, SolverName: k.solver.name,
		Partitioning: k.partitioning, Workers: k.workers, Sequential: k.steps > 0, First: k.first,
		VerdictOnly: k.reasons == 0 && k.locate == 0, Explain: k.reasons, Violation: k.know,
	})
	return k
}

// check decides the question, and explains a violation. A violation that is not certified, or a
// contradiction, may come from operations that differ in pointers alone and were taken for one:
// then it decides again, with these apart.
func (k *checking) check(ctx context.Context, h *history.History) (result.Result, error) {
	r, err := k.checkOnce(ctx, h)
	if s := k.doubted(&r, err); s != nil {
		known := k.known
		k = newChecking(k.config, s, k.budget, k)
		k.known = known
		r, err = k.checkOnce(ctx, h)
	}
	return k.byContents(ctx, h, r, err)
}

// restsOnEqual is said of a violation that nothing but the model's Equal may have made.
const restsOnEqual = "it rests on what the model's Equal says"

// byContents repeats a check whose answer rests on the model's Equal: a violation that is not
// certified, or a contradiction. With states apart whose contents differ, the answer is right
// whatever Equal says. Beyond about twice the steps of the first check, that one's answer stays.
func (k *checking) byContents(ctx context.Context, h *history.History, r result.Result, err error) (result.Result,
	error) {
	if !k.restsOnEqual(&r, err) {
		return r, err
	}
	x := k.spec.(interface {
		ByContents(memory int64) model.Spec
		Unequal() *model.Fault
	})
	again := newChecking(k.config, x.ByContents(k.memory), k.budget.Share(againSteps+2*r.Effort.Steps), k)
	sure, failed := again.checkOnce(ctx, h)
	switch {
	case failed == nil && sure.Verdict == engine.Linearizable:
		return result.Result{}, x.Unequal()
	case failed == nil && sure.Verdict == engine.NotLinearizable:
		return sure, nil
	case err == nil:
		r.Uncertified = strings.TrimPrefix(r.Uncertified+"; "+restsOnEqual, "; ")
	}
	return r, err
}

// restsOnEqual reports whether byContents would repeat the check.
func (k *checking) restsOnEqual(r *result.Result, err error) bool {
	x, ok := k.spec.(interface{ ComparesStates() bool })
	return ok && open(r, err) && x.ComparesStates()
}

// open reports whether an answer is a violation that is not certified, or a contradiction.
func open(r *result.Result, err error) bool {
	var contradiction *engine.Disagreement
	return errors.As(err, &contradiction) || err == nil && r.Verdict == engine.NotLinearizable && !r.Certified
}

// doubted returns the specification with which to decide again, nil for none.
func (k *checking) doubted(r *result.Result, err error) model.Spec {
	x, ok := k.spec.(interface{ Apart(memory int64) model.Spec })
	if !ok || !open(r, err) {
		return nil
	}
	return x.Apart(k.memory)
}

// checkOnce decides the question, and explains a violation.
func (k *checking) checkOnce(ctx context.Context, h *history.History) (result.Result, error) {
	r, err := k.decide(ctx, h)
	if err == nil && r.Verdict == engine.NotLinearizable {
		k.know(r)
		err = k.explainAll(ctx, &r)
	}
	if err != nil {
		return result.Result{}, err
	}
	return r, nil
}

// decide decides the question.
func (k *checking) decide(ctx context.Context, h *history.History) (r result.Result, err error) {
	engine.ProgressOf(ctx).Begin(engine.Deciding, k.budget)
	r, err = k.portfolio.Check(ctx, k.asked(h), k.budget)
	if l := r.Least; err == nil && l != nil && l.Below != nil {
		l.Certified, err = quasiexplain.Confirm(l.Refuted, l.Asked, l.Below.Proof, k.reasons > 0)
	}
	return r, err
}

// asked is what the portfolio is asked about h.
func (k *checking) asked(h *history.History) *portfolio.Question {
	return &portfolio.Question{Spec: k.spec, History: h, Quasi: k.quasi, Least: k.least}
}

// explainAll adds the explanation of a violation, and of those in other partitions where they are
// wanted.
func (k *checking) explainAll(ctx context.Context, r *result.Result) (err error) {
	engine.ProgressOf(ctx).Begin(engine.Explaining, k.budget)
	if err := k.explain(ctx, r); err != nil {
		return err
	}
	if k.explanation.EachPartition && k.reasons > 0 && len(r.PartitionVerdicts) > 1 && r.Quasi == nil {
		k.know(*r)
		r.Others, err = k.others(ctx, r)
	}
	return err
}

// others explains the partitions besides that of r that are not linearizable, as far as the time
// for reasons allows.
func (k *checking) others(ctx context.Context, r *result.Result) ([]result.Result, error) {
	ctx, stop := context.WithTimeout(ctx, k.reasons)
	defer stop()
	var others []result.Result
	for i := range r.PartitionVerdicts {
		part := r.PartitionVerdicts[i].Partition
		if r.PartitionVerdicts[i].Verdict != engine.NotLinearizable || part == r.Partition {
			continue
		}
		instance, err := k.spec.Bind(part)
		if err != nil {
			return nil, err
		}
		a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: instance}, k.budget)
		if err != nil {
			return nil, err
		}
		if a.Verdict != engine.NotLinearizable { // the time is up
			break
		}
		one := *r
		one.Partition, one.Bound, one.Bind, one.Others = part, instance, nil, nil
		one.Reached, one.Given = a.Reached, a.Proof
		one = one.Explained(explain.Reasons{Failure: a.Failure, Uncertified: explain.NotAsked})
		if err := k.explain(ctx, &one); err != nil {
			return nil, err
		}
		others = append(others, one)
	}
	return others, nil
}

// explain adds the explanation of a violation.
func (k *checking) explain(ctx context.Context, r *result.Result) error {
	decided := *r
	if r.Quasi != nil && len(r.Quasi.Sets) > 0 {
		a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: r.Instance(), Quasi: withoutSets(r.Quasi)}, k.budget)
		if err != nil || a.Verdict != engine.NotLinearizable {
			r.Uncertified = explain.NoSets
			return err
		}
	}
	if k.reasons == 0 && k.locate == 0 {
		*r = r.Explained(explain.NoReasons(r.Partition, r.Failure))
		return nil
	}
	asked := explain.Engines{Decide: k.portfolio.Decide, Weakened: portfolio.DecideWeakened,
		Frontier: portfolio.Frontier, Pending: portfolio.PendingBound}
	violation := explain.Violation{Spec: r.Spec, Instance: r.Instance(), Quasi: withoutSets(r.Quasi),
		Failure: r.Failure, Reached: r.Reached, Proof: r.Given}
	wanted := explain.Wanted{Reasons: k.reasons, AnyReason: k.explanation.Cores == AnyCore,
		AllCores: k.explanation.Cores == AllCores, Beside: k.workers > 1}
	if k.steps == 0 { // locating is bounded by time, so it is not reproducible
		wanted.Locate = k.locate
	}
	reasons, err := explain.Explain(ctx, asked, violation, wanted, k.budget, func(found explain.Reasons) {
		k.knowOf(r, decided.Explained(found))
	})
	if err != nil {
		return err
	}
	*r = r.Explained(reasons)
	return nil
}

// withoutSets is a question without its bounds on sets of operations, which only restrict what is
// accepted: a violation without them is one with them, for the same reasons.
func withoutSets(q *quasi.Question) *quasi.Question {
	if q == nil || len(q.Sets) == 0 {
		return q
	}
	base := *q
	base.Sets = nil
	return &base
}

func (k *checking) know(r result.Result) {
	if k.unconfirmed {
		r.Certified, r.Uncertified, r.Core, r.Proof = false, "it was not tried on the model", nil, nil
	}
	if k.doubted(&r, nil) != nil {
		return
	}
	k.known.Store(&r)
}

// knowOf is know, unless r is about another partition than the one known.
func (k *checking) knowOf(of *result.Result, r result.Result) {
	if known := k.known.Load(); known == nil || known.Partition == of.Partition {
		k.know(r)
	}
}

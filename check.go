package linsat

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// Check decides whether h is linearizable with respect to s, or with Quasi whether it is
// quasi-linearizable. It returns an error for options that make no sense ([ErrOption]), for an
// argument that is missing ([ErrOption]), for operations or values that s does not accept
// (*history.Error), for a specification whose code panics or is impure (*meta.Fault), and if
// engines contradict each other (*verdict.Disagreement). Running out of time, memory or steps is
// not an error but an Unknown result with its cause.
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
		k.know(r)
		known := *l
		l = &known
		r.Least = l
		l.Certified, err = k.confirm(ctx, l)
	}
	return r, err
}

// confirm reports whether the verifier confirms that no bound below the least suffices.
func (k *checking) confirm(ctx context.Context, l *result.Least) (bool, error) {
	_, refuted, err := k.withoutSets(ctx, l.Refuted, l.Asked)
	if err != nil {
		return false, err
	}
	violation := explain.Violation{Spec: k.spec, Instance: l.Refuted, Failure: l.Below.Failure,
		Reached: l.Below.Reached}
	asked := *l.Asked
	if refuted {
		asked.Sets, violation.Proof = nil, l.Below.Proof
		if verify.Proof(ctx, &asked, l.Refuted, violation.Proof) == nil {
			return true, nil
		}
	}
	if !asked.Plain() {
		violation.Quasi = &asked
	}
	reasons, err := explain.Explain(ctx, k.engines(), violation,
		explain.Wanted{Reasons: k.reasons, AnyReason: true}, k.budget, func(explain.Reasons) {})
	return reasons.Certified, err
}

// engines are those that explanations ask.
func (k *checking) engines() explain.Engines {
	return explain.Engines{Decide: k.portfolio.Decide, Weakened: portfolio.DecideWeakened,
		Frontier: portfolio.Frontier, Pending: portfolio.PendingBound}
}

// asked is what the portfolio is asked about h.
func (k *checking) asked(h *history.History) *portfolio.Question {
	return &portfolio.Question{Spec: k.spec, History: h, Quasi: k.quasi, Free: k.free}
}

// explainAll adds the explanation of a violation, and of those in other partitions where they are
// wanted.
func (k *checking) explainAll(ctx context.Context, r *result.Result) (err error) {
	engine.ProgressOf(ctx).Begin(engine.Explaining, k.budget)
	if err := k.explain(ctx, r); err != nil {
		return err
	}
	if k.explanation.EachPartition && k.reasons > 0 && len(r.PartitionVerdicts) > 1 && r.Plain() {
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
		a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: instance, Quasi: r.Quasi}, k.budget)
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
	question, refuted, err := k.withoutSets(ctx, r.Instance(), r.Quasi)
	if err != nil {
		return err
	}
	if !refuted {
		question, r.Given = r.Quasi, nil
	}
	if k.reasons == 0 && k.locate == 0 {
		*r = r.Explained(explain.NoReasons(r.Partition, r.Failure))
		return nil
	}
	violation := explain.Violation{Spec: r.Spec, Instance: r.Instance(), Quasi: question,
		Failure: r.Failure, Reached: r.Reached, Proof: r.Given}
	wanted := explain.Wanted{Reasons: k.reasons, AnyReason: k.explanation.Cores == AnyCore,
		AllCores: k.explanation.Cores == AllCores, Beside: k.workers > 1}
	if k.steps == 0 { // locating is bounded by time, so it is not reproducible
		wanted.Locate = k.locate
	}
	reasons, err := explain.Explain(ctx, k.engines(), violation, wanted, k.budget, func(found explain.Reasons) {
		k.knowOf(r, decided.Explained(found))
	})
	if err != nil {
		return err
	}
	*r = r.Explained(reasons)
	return nil
}

// withoutSets returns the question that explains a violation of q, and whether it has that
// violation: one that rests on bounds on sets alone has no proof.
func (k *checking) withoutSets(ctx context.Context, b *model.Instance, q *quasi.Question) (*quasi.Question, bool,
	error) {
	base := explainedQuestion(q)
	if base == nil || len(q.Sets) == 0 {
		return base, true, nil
	}
	a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: b, Quasi: base}, k.budget)
	return base, a.Verdict == engine.NotLinearizable, err
}

// explainedQuestion is the question whose answer explains a violation of q: nil, linearizability,
// where q is the same, else q without its bounds on sets of operations. They only restrict what is
// accepted: a violation without them is one with them, for the same reasons.
func explainedQuestion(q *quasi.Question) *quasi.Question {
	switch {
	case q == nil || q.Plain():
		return nil
	case len(q.Sets) == 0:
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

// question is what Check is asked about a history that is made within the limits.
type question struct {
	spec    model.Spec
	model   model.Spec       // that is said to be spec, or nil
	ready   *history.History // what prepare returns, if it is there already
	prepare func(ctx context.Context) (*history.History, error)
	confirm *confirmation
	made    atomic.Pointer[history.History]
}

// confirmation is what an answer has to stand, nil for nothing.
type confirmation struct {
	stand func(ctx context.Context, r *result.Result) error
}

func (c *confirmation) of(ctx context.Context, r *result.Result) error {
	if c == nil {
		return nil
	}
	return c.stand(ctx, r)
}

// run is Check: it enforces the limits, and answers with what is known when they are reached.
func (q *question) run(ctx context.Context, options []Option) (r result.Result, err error) {
	start := time.Now()
	defer func() {
		if err == nil {
			r.Took = time.Since(start)
		}
	}()
	c, err := configured(options)
	if err != nil {
		return result.Result{}, err
	}
	k := newChecking(c, model.Fresh(q.spec, c.memory), engine.NewBudget(c.steps, c.memory), nil)
	k.model, k.unconfirmed = q.model, q.confirm != nil
	if r, done, err := k.quickly(ctx, q.ready); done {
		return r, err
	}
	decide := k.check
	if k.aboutReads() {
		decide = k.oldReads
	}
	return k.withinLimits(ctx, func(ctx context.Context) (found result.Result, err error) {
		h, err := q.prepare(ctx)
		if err == nil {
			k.history.Store(h)
			q.made.Store(h)
		}
		if err == nil && !k.validated {
			err = c.refuse(k.spec, h)
		}
		if err == nil {
			found, err = decide(ctx, h)
		}
		if err == nil {
			err = q.confirm.of(ctx, &found)
		}
		return found, err
	})
}

// quickly decides h on the goroutine of the caller if that is soon done, and reports whether it
// was. Then no goroutine and no timer have been needed. There are such checks only under no limit
// but a deadline that is far off, and they end before anything that takes long: the reasons of a
// violation, engines side by side. The check that follows goes on from there.
func (k *checking) quickly(ctx context.Context, h *history.History) (r result.Result, done bool, err error) {
	if h == nil || ctx == nil || k.aboutReads() || k.memory > 0 || k.cache > 0 || k.steps > 0 || k.timeout > 0 &&
		k.timeout < quickTimeout {
		return r, false, nil
	}
	if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) < quickTimeout || ctx.Err() != nil {
		return r, false, nil
	}
	err = engine.Contained(func() (err error) {
		if err = k.refuse(k.spec, h); err != nil {
			return err
		}
		k.validated = true
		roomOnStack()
		if done, err = k.portfolio.Quickly(ctx, k.asked(h), k.budget); !done {
			return err
		}
		// a violation that is an answer so far is not to be explained
		if r, err = k.decide(ctx, h); r.Verdict == engine.NotLinearizable {
			r = r.Explained(explain.NoReasons(r.Partition, r.Failure))
		}
		return err
	})
	return r, done || err != nil, err
}

// withinLimits does work within the limits on time and memory.
func (k *checking) withinLimits(ctx context.Context, work func(ctx context.Context) (result.Result, error)) (
	result.Result, error) {
	c := k.config
	if ctx == nil {
		return result.Result{}, errNoContext
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(engine.ErrAnswered)
	if c.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.timeout)
		defer stop()
	}
	k.budget.LimitCache(c.cache)
	done := make(chan struct{})
	// Both are written before done is closed. After the deadline nobody reads them any more.
	var answer result.Result
	var err error
	engine.Go(func() (failed error) {
		roomOnStack()
		answer, failed = work(ctx)
		return failed
	}, func(failed error) {
		err = failed
		close(done)
	})
	if deadline.Await(ctx, done, deadline.Check) && !(err != nil && ctx.Err() != nil &&
		errors.Is(err, context.Cause(ctx))) {
		return answer, err
	}
	return k.unfinished(engine.CauseOf(ctx)), nil
}

// unfinished is the result when the engines did not stop at the deadline, be it for a step of the
// specification that did not return: what is known, or else Unknown.
func (k *checking) unfinished(cause engine.Cause) result.Result {
	if known := k.known.Load(); known != nil {
		r := *known
		if r.Verdict == engine.Unknown { // within bounds
			r.Cause = cause
			return r
		}
		if !r.Certified {
			r.Uncertified = fmt.Sprintf("the search for its reasons was stopped by: %v", cause)
			if k.restsOnEqual(&r, nil) {
				r.Uncertified += "; " + restsOnEqual
			}
		}
		return r
	}
	text := "stopped"
	if cause == engine.Timeout {
		text = "deadline passed"
	}
	step := guest.RunningStep(k.spec, k.history.Load())
	if step == "" && k.model != nil { // which has a history of its own
		step = guest.RunningStep(k.model, nil)
	}
	if step != "" {
		text += " while a specification step was running: " + step
	} else {
		text += " before the engines had answered"
	}
	r := result.Result{Spec: k.spec, Quasi: k.quasi, Cause: cause, Detail: text}
	k.undecided(&r)
	return r
}

// undecided names the partition that was not decided, where all operations are on one object of a
// shipped specification: then no code of the caller is asked.
func (k *checking) undecided(r *result.Result) {
	h := k.history.Load()
	if _, shipped := specs.Lookup(k.spec.Info().Name); !shipped || h == nil {
		return
	}
	parts := model.Split(k.spec, h, k.partitioning)
	if len(parts) != 1 {
		return
	}
	r.Partitions, r.Partition = 1, parts[0]
	r.Bind = func() *model.Instance {
		b, err := k.spec.Bind(parts[0])
		if err != nil { // its engines have bound it, or the deadline came before
			return nil
		}
		return b
	}
}

// roomOnStack makes the stack of a new goroutine as large as checks of small histories need. Where
// it grew step by step, deep in calls, that took a sixth of such a check: every frame is moved.
func roomOnStack() { takeRoom(false) }

// takeRoom has a frame of that size, which is cleared only where it is used: never.
//
//go:noinline
func takeRoom(used bool) {
	if used {
		var room [stackRoom]byte
		runtime.KeepAlive(&room)
	}
}

// Explain returns r with the reasons that Check was not asked for (NoCore): of a violation the
// operation that cannot be placed, a core and what certifies it. Nothing is decided again that r
// tells, and a model is not asked again what it has answered. Of the options, those about limits
// and reasons count; the question is that of r.
//
// A result that is not a violation, or is certified, is returned as it is. Errors are those of
// Check.
func (r *Result) Explain(ctx context.Context, options ...Option) (Result, error) {
	if r == nil {
		return Result{}, errNoResult
	}
	full, err := explained(ctx, r.whole(), options, nil)
	if err != nil {
		return Result{}, err
	}
	return public(full), nil
}

// Explain is that of Result, in terms of the indices of the operations.
func (r *OpsResult) Explain(ctx context.Context, options ...Option) (OpsResult, error) {
	if r == nil {
		return OpsResult{}, errNoResult
	}
	full, err := explained(ctx, r.whole(), options, r.confirm)
	if err != nil {
		return OpsResult{}, err
	}
	if r.History == nil { // it claims nothing
		return *r, nil
	}
	return opsResult(full, r.History, r.confirm), nil
}

var errNoResult = missing("the result is nil: Check gives one")

func explained(ctx context.Context, r *result.Result, options []Option, confirm *confirmation) (*result.Result, error) {
	c, err := configured(options)
	switch {
	case err != nil:
		return nil, err
	case c.questions > 0:
		return nil, senseless(errors.New("linsat: Explain takes no question: it is that of the result"))
	case r.Verdict != engine.NotLinearizable || r.Certified:
		return r, nil
	}
	start := time.Now()
	c.quasi, c.partitioning = r.Quasi, r.Partitioning
	k := newChecking(c, r.Spec, engine.NewBudget(c.steps, c.memory), nil)
	k.unconfirmed = confirm != nil
	k.history.Store(r.Partition.History)
	k.know(*r)
	found, err := k.withinLimits(ctx, func(ctx context.Context) (result.Result, error) {
		again := *r
		if r.Given == nil && r.Failure == nil { // only the verdict was wanted
			a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: r.Instance(), Quasi: r.Quasi}, k.budget)
			if err != nil || a.Verdict != engine.NotLinearizable {
				return again, err
			}
			again.Failure, again.Reached, again.Given = a.Failure, a.Reached, a.Proof
		}
		err := k.explainAll(ctx, &again)
		if err == nil {
			err = confirm.of(ctx, &again)
		}
		return again, err
	})
	if err != nil {
		return nil, err
	}
	found.Took = r.Took + time.Since(start)
	return &found, nil
}

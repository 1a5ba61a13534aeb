package linsat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
)

// grace is how long Check waits, after its time is up, for engines to return by themselves. What
// has not returned then (a specification inside one long step) is left behind and its answer
// ignored.
const grace = 40 * time.Millisecond

// Check decides whether h is linearizable with respect to s, or with Quasi whether it is
// quasi-linearizable. It returns an error for options that make no sense, for operations or values
// that s does not take (*history.Error), for a specification whose code panics or is not pure
// (*model.Fault, *engine.Panic), and as *Disagreement when engines contradict each other; running
// out of time, memory or steps is an Unknown result with its cause.
func Check(ctx context.Context, s model.Spec, h *history.History, options ...Option) (Result, error) {
	return run(ctx, s, func() (*history.History, error) { return h, nil }, options)
}

// run is Check of a history that is made within the limits.
func run(ctx context.Context, s model.Spec, prepare func() (*history.History, error), options []Option) (Result, error) {
	c := &config{engine: Auto, argueFor: defaultArgue}
	if err := engine.Contained(func() error { return configure(c, options) }); err != nil {
		return Result{}, err
	}
	if ctx == nil {
		return Result{}, errors.New("linsat: the context is nil; context.Background() is one without a limit")
	}
	if c.workers == 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if c.relax != nil && c.scope == model.ByKey {
		c.scope = model.ByObject
	}
	if c.steps > 0 {
		c.workers = 1
	}
	c.team = c.engines()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(engine.ErrAnswered)
	if c.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.timeout)
		defer stop()
	}
	if c.memory > 0 {
		defer memory.Limit(c.memory)()
		go memory.Watch(ctx, c.memory, func() { cancel(engine.ErrMemory) })
	}
	type outcome struct {
		r   Result
		err error
	}
	done := make(chan outcome, 1)
	var judged Result
	var prepared atomic.Pointer[history.History]
	engine.Go(func() error {
		h, err := prepare()
		if err == nil {
			prepared.Store(h)
			err = c.refuse(s, h)
		}
		if err == nil {
			judged, err = c.check(ctx, s, h)
		}
		return err
	}, func(err error) { done <- outcome{judged, err} })
	select {
	case o := <-done:
		return o.r, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.r, o.err
	case <-time.After(grace):
		if r := c.decided.Load(); r != nil {
			cut := *r
			if !cut.Certified {
				cut.Uncertified = fmt.Sprintf("the search for its reasons was stopped by: %v", engine.CauseOf(ctx))
			}
			return cut, nil
		}
		cause := engine.CauseOf(ctx)
		return Result{Spec: s, Quasi: c.relax, Cause: cause, Detail: insideStep(cause, guest.RunningStep(s, prepared.Load()))}, nil
	}
}

// insideStep says what did not end when the time was up; step is the call that is in progress, or
// "".
func insideStep(cause engine.Cause, step string) string {
	text := "stopped while a specification step was running"
	if cause == engine.Timeout {
		text = "deadline passed while a specification step was running"
	}
	if step != "" {
		text += ": " + step
	}
	return text
}

// check splits, binds and judges the parts with c.workers at a time, and merges.
func (c *config) check(ctx context.Context, s model.Spec, h *history.History) (Result, error) {
	r := Result{Spec: s, Quasi: c.relax}
	if err := specs.CheckStated(s, h); err != nil {
		return Result{}, err
	}
	if c.engine == Auto && c.scope == model.ByKey && c.relax == nil && c.least == nil && c.steps == 0 && specs.ManySmallPartitions(s, h) {
		if whole, ok, err := c.checkWhole(ctx, r, h); ok || err != nil {
			return whole, err
		}
	}
	parts := model.Split(s, h, c.scope)
	r.Parts, r.Scope = len(parts), c.scope
	parent := ctx
	ctx, stop := context.WithCancelCause(parent)
	defer stop(engine.ErrAnswered)
	defer c.noted.giveUp()

	meter := engine.NewBudget(c.steps, c.memory)
	verdicts := make([]verdict, len(parts))
	bounds := make([]*model.Instance, len(parts))
	// All parts are bound before any is judged: bad input in one part is bad input whatever the
	// others say.
	errs := c.each(ctx, len(parts), func(i int) (err error) {
		bounds[i], err = bind(s, parts[i])
		return err
	})
	if err := firstError(errs); err != nil {
		return r, err
	}
	if c.relax != nil || c.least != nil {
		for _, b := range bounds {
			if b != nil && len(b.Bulk) > 0 {
				return r, b.Partition.Error(b.Bulk[0], fmt.Sprintf("%s takes out everything at once, which no quasi factor allows for", h.Values.Format(b.Partition.Ops[b.Bulk[0]].F)),
					"write it as removals one after the other, the last of which finds nothing")
			}
		}
	}
	if c.relax != nil && c.relax.Causal {
		for _, b := range bounds {
			if b != nil && b.ItemDelta == nil {
				return r, &history.Error{File: h.Source, What: fmt.Sprintf("nothing is inserted into a %s and removed from it, so there is no causality between its operations", s.Info().Name),
					Hint: "leave out --quasi-causal"}
			}
		}
	}
	if c.least != nil {
		return c.checkLeast(ctx, r, h, parts, bounds, meter)
	}
	errs = c.each(ctx, len(parts), func(i int) (err error) {
		if bounds[i] == nil { // the time was up
			return nil
		}
		verdicts[i], err = c.judge(ctx, &engine.Problem{Instance: bounds[i], Quasi: c.relax}, meter)
		switch {
		case err != nil || verdicts[i].Verdict == engine.NotLinearizable && c.first:
			stop(engine.ErrAnswered)
		case verdicts[i].Verdict == engine.NotLinearizable:
			c.note(ctx, stop, r, i, bounds[i], verdicts[i])
		}
		return err
	})
	if err := firstError(errs); err != nil {
		return r, err
	}
	stopped := ctx.Err() != nil
	for i := range verdicts {
		// it was not its turn any more
		if stopped && verdicts[i].engine == "" && verdicts[i].Verdict == engine.Unknown && verdicts[i].Cause == engine.NoCause {
			verdicts[i].Cause = engine.CauseOf(ctx)
		}
	}
	return c.merge(parent, ctx, r, h, parts, bounds, verdicts)
}

// checkWhole lets the monitor decide a history that falls into very many parts as one; ok is false
// if it does not. A no is decided again, in all parts, or under First in the part that the
// refutation is about.
func (c *config) checkWhole(ctx context.Context, r Result, h *history.History) (whole Result, ok bool, err error) {
	p := model.Whole(h)
	b, err := bind(r.Spec, p)
	if err != nil {
		return r, false, err
	}
	v, err := c.sequential(ctx, c.team[:1], &engine.Problem{Instance: b}, engine.NewBudget(0, c.memory))
	switch {
	case err != nil || v.Verdict == engine.Unknown:
		return r, false, err
	case v.Verdict == engine.NotLinearizable && c.first:
		return c.inPart(ctx, r, h, refutedOperation(b, v.Evidence))
	case v.Verdict == engine.NotLinearizable:
		return r, false, nil
	}
	r.Parts, r.Scope, r.Effort = 1, c.scope, v.Effort
	r.Verdict, r.Certified, r.Engines, r.Witness = engine.Linearizable, true, []string{v.engine}, v.Witness
	r.Answers = []PartAnswer{{p, v.Witness, nil, 0}}
	r.Judged = []PartVerdict{{Part: p, Verdict: v.Verdict, Engine: v.engine}}
	return r, true, nil
}

// inPart judges the part of one operation of h; ok is false unless that is a no.
func (c *config) inPart(ctx context.Context, r Result, h *history.History, op int32) (no Result, ok bool, err error) {
	parts := model.Split(r.Spec, h, c.scope)
	at := slices.IndexFunc(parts, func(p *model.Partition) bool {
		_, found := slices.BinarySearch(p.Index, op)
		return found
	})
	if at < 0 {
		return r, false, nil
	}
	b, err := bind(r.Spec, parts[at])
	if err != nil {
		return r, false, err
	}
	v, err := c.judge(ctx, &engine.Problem{Instance: b}, engine.NewBudget(0, c.memory))
	if err != nil || v.Verdict != engine.NotLinearizable {
		return r, false, err
	}
	r.Parts, r.Scope = len(parts), c.scope
	no, err = c.merge(ctx, ctx, r, h, parts[at:at+1], []*model.Instance{b}, []verdict{v})
	return no, true, err
}

// refutedOperation returns an operation that a refutation of cells is about, or -1.
func refutedOperation(b *model.Instance, evidence any) int32 {
	switch e := evidence.(type) {
	case *proof.RegisterConflict:
		if len(e.Ops) > 0 {
			return slices.Max(e.Ops)
		}
	case *proof.ToggleCount:
		return int32(slices.Index(b.Theory.(*model.RegisterTheory).Object, e.Cell))
	}
	return -1
}

// each calls do for 0, ..., n-1 until ctx is done, by c.workers at a time, and returns what the
// calls returned.
func (c *config) each(ctx context.Context, n int, do func(i int) error) []error {
	errs := make([]error, n)
	var next atomic.Int64
	workers := min(max(1, c.workers), n)
	several := 1 + min(n/(16*workers), 63) // that a worker takes on at once, where there are many
	work := func() {
		for {
			from := int(next.Add(int64(several))) - several
			for i := from; i < min(from+several, n); i++ {
				if ctx.Err() != nil {
					return
				}
				errs[i] = engine.Contained(func() error { return do(i) })
			}
			if from+several >= n {
				return
			}
		}
	}
	waits := make([]func(), workers)
	for w := range waits {
		waits[w] = engine.Aside(work)
	}
	for _, wait := range waits {
		wait()
	}
	return errs
}

// firstError prefers a contradiction to bad input, and then the first part's; it is nil if there is
// none.
func firstError(errs []error) error {
	var first error
	for _, err := range errs {
		var d *Disagreement
		if errors.As(err, &d) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// merge makes one result of the parts' verdicts: a no of one part is a no of the whole, and the
// first one in the order of parts is explained; then what stayed unknown counts, then the witnesses
// are put together. ctx is that of the judging, which a no may have stopped; parent goes on.
func (c *config) merge(parent, ctx context.Context, r Result, h *history.History, parts []*model.Partition, bounds []*model.Instance, verdicts []verdict) (Result, error) {
	answered := map[string]int{}
	undecided := -1
	var evidence any
	r.Judged = make([]PartVerdict, len(parts))
	for i, v := range verdicts {
		r.Judged[i] = PartVerdict{parts[i], v.Verdict, v.Cause, v.Detail, v.engine}
		r.Unanswered = addUnanswered(r.Unanswered, v.unanswered)
		r.Effort = r.Effort.Add(v.Effort)
		r.Drains += v.Drains
		switch v.Verdict {
		case engine.NotLinearizable:
			if r.Verdict != engine.NotLinearizable {
				r.Verdict, r.Part, r.Instance, r.Failure = v.Verdict, parts[i], bounds[i], v.Failure
				r.Engines = []string{v.engine}
				r.Uncertified = NotAsked
				evidence = v.Evidence
			}
		case engine.Linearizable:
			answered[v.engine]++
		default:
			if undecided < 0 || weight(v) > weight(verdicts[undecided]) {
				undecided = i
			}
		}
	}
	if r.Verdict == engine.NotLinearizable {
		return c.reasons(parent, r, evidence)
	}
	r.Engines = slices.SortedFunc(maps.Keys(answered), func(a, b string) int {
		return cmp.Or(cmp.Compare(answered[b], answered[a]), cmp.Compare(a, b))
	})
	if undecided >= 0 {
		v := verdicts[undecided]
		r.Part, r.Instance, r.Cause, r.Detail = parts[undecided], bounds[undecided], v.Cause, v.Detail
		if r.Cause == engine.NoCause || r.Cause == engine.Cancelled {
			r.Cause = engine.CauseOf(ctx)
		}
		return r, nil
	}
	r.Verdict, r.Certified = engine.Linearizable, true
	r.Answers = make([]PartAnswer, 0, len(parts))
	for i, v := range verdicts {
		r.Answers = append(r.Answers, PartAnswer{parts[i], v.Witness, v.Rearranged, v.Drains})
	}
	if c.relax != nil && len(parts) == 1 {
		r.Witness, r.Rearranged = verdicts[0].Witness, verdicts[0].Rearranged
		return r, nil
	}
	orders := make([][]int32, len(parts))
	room := make([]int32, len(h.Ops))
	for i, v := range verdicts {
		orders[i], room = room[:0:parts[i].Len()], room[parts[i].Len():]
		for _, k := range v.Witness {
			if int(k) < parts[i].Len() { // drains belong to no operation of the history
				orders[i] = append(orders[i], parts[i].Global(k))
			}
		}
	}
	r.Witness = mergeWitnesses(h, orders)
	if err := verify.Merged(h, r.Witness); err != nil {
		return Result{}, &Disagreement{Because: "the merged witness is refused: " + err.Error()}
	}
	return r, nil
}

// reasons completes a no: which operation cannot be placed, the core, the argument. The verdict
// stands whatever becomes of that, also if the time is up meanwhile.
func (c *config) reasons(ctx context.Context, r Result, evidence any) (Result, error) {
	decided := r
	c.decided.Store(&decided)
	if deadline, limited := ctx.Deadline(); limited { // the caller has something to write, too
		left := time.Until(deadline)
		var enough context.CancelFunc
		ctx, enough = context.WithDeadline(ctx, deadline.Add(-left/8))
		defer enough()
	}
	aside, stop := context.WithCancel(ctx)
	defer stop()
	failure := r.Failure
	locate := func() { failure = c.locate(aside, decided.Spec, decided.Instance, evidence) }
	wait := func() {}
	switch {
	case c.relax != nil || r.Failure != nil || c.steps > 0 || c.locateTime() == 0:
	case c.workers > 1 && c.argueFor > 0 && evidence != nil && r.Part.Len() > maxArgued: // the argument does not need it
		wait = engine.Aside(locate)
	default:
		locate()
		r.Failure = failure
	}
	if c.argueFor > 0 {
		if err := c.argue(ctx, &r, evidence); err != nil {
			stop()
			wait()
			return Result{}, err
		}
	}
	wait()
	r.Failure = failure
	return r, nil
}

package portfolio

import (
	"context"
	"fmt"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
)

// Check splits the history, decides the partitions by Workers at a time, and merges their answers,
// from where Quickly left them. What it returns about a linearizable history has been replayed by
// the verifier; a violation comes with what the engine gave, unverified. An error is bad input
// (*history.Error), a broken specification, or a *engine.Disagreement.
func (p *Portfolio) Check(ctx context.Context, q *Question, b *engine.Budget) (result.Result, error) {
	r := p.claimless(q)
	if err := p.begin(q); err != nil {
		return r, err
	}
	if p.parts == nil {
		if p.whole {
			if whole, ok, err := p.unsplit(ctx, r, q, b); ok || err != nil {
				return whole, err
			}
		}
		if err := p.divide(ctx, q); err != nil {
			return r, err
		}
	}
	if r.Partitions = len(p.parts); q.Free != nil {
		return p.leastBound(ctx, r, q, b)
	}
	progress := engine.ProgressOf(ctx)
	progress.Divided(len(p.parts))
	for range p.done {
		progress.Decided()
	}
	cause := engine.Cancelled // of partitions whose turn does not come
	if !p.suffices() {
		var stop context.CancelCauseFunc
		ctx, stop = context.WithCancelCause(ctx)
		defer stop(engine.ErrAnswered)
		if err := p.decideRest(ctx, stop, r, b); err != nil {
			return r, err
		}
		cause = engine.CauseOf(ctx)
	}
	for i := range p.parts {
		if x := &p.parts[i]; x.engine == "" && x.Verdict == engine.Unknown && x.Cause == engine.NoCause {
			x.Cause = cause
		}
	}
	return p.merge(ctx, r, q, p.parts)
}

// decideRest decides the partitions that Quickly did not.
func (p *Portfolio) decideRest(ctx context.Context, stop context.CancelCauseFunc, r result.Result,
	b *engine.Budget) error {
	defer p.known.release()
	for i := range p.done {
		p.report(ctx, stop, r, i)
	}
	progress := engine.ProgressOf(ctx)
	return firstError(p.each(ctx, p.done, len(p.parts), func(i int) error {
		x := &p.parts[i]
		if x.rest == nil { // the time was up
			return nil
		}
		defer progress.Decided()
		err := p.decide(ctx, x, b, false)
		if err != nil {
			stop(engine.ErrAnswered)
			return err
		}
		p.report(ctx, stop, r, i)
		return nil
	}))
}

// Quickly decides what is decided soon, of a history of a few operations and a shipped
// specification, whose code returns, and reports whether that is all that is asked: a violation may
// have to be explained. It starts no goroutine and no timer. Check goes on from there.
func (p *Portfolio) Quickly(ctx context.Context, q *Question, b *engine.Budget) (answered bool, err error) {
	if p.o.Engines != Auto || p.o.Sequential || q.Quasi != nil || q.Free != nil ||
		len(q.History.Ops) > quickOperations || !specs.Shipped(q.Spec) {
		return false, nil
	}
	if err := p.begin(q); err != nil || p.whole {
		return false, err
	}
	if err := p.divide(ctx, q); err != nil {
		return false, err
	}
	begin := time.Now()
	brief := briefly{ctx, begin.Add(quickMost)}
	for p.done < len(p.parts) && !p.suffices() && time.Since(begin) <= quickTime {
		x := &p.parts[p.done]
		if err := p.decide(brief, x, b, true); err != nil || x.next != decided {
			return false, err
		}
		p.done++
	}
	return p.suffices() && (p.o.VerdictOnly || !p.refutes()), nil
}

// briefly is a context with a deadline that only Err observes. It needs no timer, and its Done is
// that of the context within.
type briefly struct {
	context.Context
	end time.Time
}

// Err implements context.Context.
func (c briefly) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if time.Now().After(c.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// begin finds what is wrong with the question before the history is split, and whether it is split
// at once.
func (p *Portfolio) begin(q *Question) error {
	if p.begun {
		return nil
	}
	p.begun, p.spec = true, q.Spec
	if err := specs.CheckStated(q.Spec, q.History); err != nil {
		return err
	}
	p.whole = p.o.Engines == Auto && p.o.Partitioning == model.ByKey && q.Quasi == nil && !p.o.Sequential &&
		specs.ManySmallPartitions(q.Spec, q.History)
	return nil
}

// divide splits the history. All partitions are looked at before any is decided: bad input in one
// partition is bad input whatever the others say. What else binding takes can wait until a
// partition has its turn.
func (p *Portfolio) divide(ctx context.Context, q *Question) error {
	split := model.Split(q.Spec, q.History, p.o.Partitioning)
	parts := make([]part, len(split))
	factor := q.Quasi != nil || q.Free != nil
	for i, s := range split {
		s.TheoryLater = p.o.Engines == Auto && !p.o.Sequential && !factor &&
			(len(split) >= manyPartitions || s.Len() <= smallPartition)
		parts[i].of, parts[i].Quasi = s, q.Quasi
	}
	var err error
	if len(q.History.Ops) <= quickOperations && !factor && specs.Shipped(q.Spec) {
		rest := make([]model.Prepared, len(split))
		err = engine.PrepareAll(q.Spec, split, rest)
		for i := range parts {
			parts[i].rest = rest[i]
		}
	} else {
		err = firstError(p.each(ctx, 0, len(parts), func(i int) (err error) {
			x := &parts[i]
			if x.rest, err = engine.Prepare(q.Spec, x.of); err == nil && factor {
				err = p.bind(x)
			}
			return err
		}))
	}
	if err == nil {
		err = q.refuse(parts)
	}
	if err == nil {
		p.parts = parts
	}
	return err
}

// suffices reports whether no other partition need be decided.
func (p *Portfolio) suffices() bool { return p.done == len(p.parts) || p.o.First && p.refutes() }

// refutes reports whether one of the partitions that are decided in order is refuted.
func (p *Portfolio) refutes() bool {
	for i := range p.done {
		if p.parts[i].Verdict == engine.NotLinearizable {
			return true
		}
	}
	return false
}

// claimless is a result about q that claims nothing.
func (p *Portfolio) claimless(q *Question) result.Result {
	return result.Result{Spec: q.Spec, Quasi: q.Quasi, Partitioning: p.o.Partitioning}
}

// conclude sets a verdict that is known, with what goes with it before it is explained.
func conclude(r *result.Result, v engine.Verdict) {
	if r.Verdict = v; v == engine.Linearizable {
		r.Certified = true
	} else {
		r.Uncertified = explain.NotAsked
	}
}

// refuse reports what a factor is not defined for, nil if there is nothing like it in the
// partitions.
func (q *Question) refuse(parts []part) error {
	if q.Quasi == nil {
		return nil
	}
	for i := range parts {
		if b := parts[i].Instance; b != nil && len(b.Items.Bulk) > 0 {
			return b.Partition.Error(b.Items.Bulk[0],
				fmt.Sprintf("%s takes out everything at once, which no quasi factor allows for",
					q.History.Values.Format(b.Partition.Ops[b.Items.Bulk[0]].F)),
				"write it as removals one after the other, the last of which finds nothing")
		}
	}
	for i := range parts {
		if b := parts[i].Instance; q.Quasi.Causal && b != nil && b.Items.Delta == nil {
			return &history.Error{File: q.History.Source,
				What: fmt.Sprintf("nothing is inserted into a %s and removed from it, so there is no causality "+
					"between its operations", q.Spec.Info().Name),
				Hint: "leave out --quasi-causal"}
		}
	}
	return nil
}

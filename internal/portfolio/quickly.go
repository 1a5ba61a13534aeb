package portfolio

import (
	"context"
	"slices"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// Most checks of small histories are over before a goroutine for them has woken up or a timer has
// been set, so these are tried without any, on the goroutine of the caller. That is for shipped
// specifications only: code of the caller's own may not return.
//
// Each partition is asked as in a race, up to the point where engines run side by side. What is
// decided until then, and what the probe said of the next partition, is where Check goes on.

// deciding is how far a question is decided.
type deciding struct {
	parts     []*model.Partition
	bind      []model.Prepared // nil: not yet
	bounds    []*model.Instance
	decisions []decision
	done      int       // so many partitions are decided
	probed    *decision // what the probe said of the next one; nil if it was not asked
	answered  bool      // no other partition need be decided
}

// briefly is a context that is done some time after it was made. It needs no timer, but only Err
// tells it.
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

// Quickly decides what is decided soon, for a history of a few operations, and reports whether that
// is all that is asked: a violation may have to be explained. Check, which has to follow, goes on
// from there, and finds all that is wrong with the question.
func (p *Portfolio) Quickly(ctx context.Context, q *Question, b *engine.Budget) (answered bool) {
	if p.o.Engines != Auto || p.o.Sequential || q.Quasi != nil || q.Least != nil ||
		len(q.History.Ops) > quickOperations || !specs.Shipped(q.Spec) {
		return false
	}
	if specs.CheckStated(q.Spec, q.History) != nil || p.takesWhole(q) {
		return false
	}
	d := p.divide(q)
	if engine.PrepareAll(q.Spec, d.parts, d.bind) != nil {
		return false
	}
	p.begun = d
	begin := time.Now()
	brief := briefly{ctx, begin.Add(quickMost)}
	for i := range d.parts {
		if d.answered || time.Since(begin) > quickTime {
			break
		}
		if !p.askQuickly(brief, q.Spec, d, i, b) {
			return false
		}
		d.done++
		d.answered = p.o.First && d.decisions[i].Verdict == engine.NotLinearizable
	}
	d.answered = d.answered || d.done == len(d.parts)
	return p.suffices(d)
}

// suffices reports whether what is decided is all that is asked.
func (p *Portfolio) suffices(d *deciding) bool {
	return d.answered && (p.o.VerdictOnly || !d.refuted())
}

// answered is the outcome of a question of which all that is asked is decided.
func (p *Portfolio) answered(ctx context.Context, q *Question, d *deciding) (Outcome, error) {
	o := Outcome{Quasi: q.Quasi, Partitions: len(d.parts)}
	if progress := engine.ProgressOf(ctx); progress != nil {
		progress.Divided(len(d.parts))
		for range d.done {
			progress.Decided()
		}
	}
	for i := d.done; i < len(d.parts); i++ {
		d.decisions[i].Cause = engine.Cancelled // its turn did not come
	}
	return p.merge(ctx, o, q, d.parts, d.bounds, d.decisions)
}

// refuted reports whether a partition is.
func (d *deciding) refuted() bool {
	return slices.ContainsFunc(d.decisions, func(x decision) bool { return x.Verdict == engine.NotLinearizable })
}

// askQuickly reports whether monitors or the probe decide the next partition, as far as is asked.
func (p *Portfolio) askQuickly(ctx context.Context, s model.Spec, d *deciding, i int, b *engine.Budget) (decided bool) {
	var err error
	if d.bounds[i], err = engine.Finish(s, d.parts[i], d.bind[i]); err != nil {
		d.bounds[i] = nil
		return false
	}
	task := &engine.Task{Instance: d.bounds[i]}
	if !d.bounds[i].TheoryLeft {
		d.decisions[i], err = sequential(ctx, p.team()[:1], task, b)
		if err == nil && d.decisions[i].Verdict != engine.Unknown {
			return true
		}
	}
	before := d.decisions[i].Effort
	d.decisions[i] = decision{}
	probed, err := p.probe(ctx, task, b)
	switch {
	case err != nil:
		return false
	case probed.Verdict == engine.Linearizable, probed.Verdict == engine.NotLinearizable &&
		(p.o.VerdictOnly || !d.bounds[i].TheoryLeft && ctx.Err() == nil):
		probed.Effort = probed.Effort.Add(before)
		d.decisions[i] = probed
		return true
	case ctx.Err() == nil:
		d.probed = &probed
	}
	return false
}

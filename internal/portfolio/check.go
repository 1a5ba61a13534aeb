package portfolio

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// Check splits the history, decides the partitions by Workers at a time, and merges their answers.
// What it returns about a linearizable history has been replayed by the verifier; a violation comes
// with what the engine gave, unverified. An error is bad input (*history.Error), a broken
// specification, or a *engine.Disagreement.
func (p *Portfolio) Check(ctx context.Context, q *Question, b *engine.Budget) (Outcome, error) {
	if p.begun != nil && p.suffices(p.begun) {
		return p.answered(ctx, q, p.begun)
	}
	return p.checkAll(ctx, q, b)
}

// checkAll is Check of what Quickly has not answered.
func (p *Portfolio) checkAll(ctx context.Context, q *Question, b *engine.Budget) (Outcome, error) {
	o := Outcome{Quasi: q.Quasi}
	d := p.begun
	if d == nil {
		if err := specs.CheckStated(q.Spec, q.History); err != nil {
			return o, err
		}
		if p.takesWhole(q) {
			if whole, ok, err := p.whole(ctx, o, q, b); ok || err != nil {
				return whole, err
			}
		}
		d = p.divide(q)
	}
	parts, bounds, decisions := d.parts, d.bounds, d.decisions
	o.Partitions = len(parts)
	parent := ctx
	ctx, stop := context.WithCancelCause(parent)
	defer stop(engine.ErrAnswered)
	defer p.known.release()

	// All partitions are looked at before any is decided: bad input in one partition is bad input
	// whatever the others say. What else binding takes can wait until a partition has its turn.
	if p.begun == nil {
		errs := p.each(ctx, 0, len(parts), func(i int) (err error) {
			if d.bind[i], err = engine.Prepare(q.Spec, parts[i]); err == nil && (q.Quasi != nil || q.Least != nil) {
				bounds[i], err = engine.Finish(q.Spec, parts[i], d.bind[i])
			}
			return err
		})
		if err := firstError(errs); err != nil {
			return o, err
		}
	}
	if err := q.refuse(bounds); err != nil {
		return o, err
	}
	if q.Least != nil {
		return p.leastBound(ctx, o, q, parts, bounds, b)
	}
	progress := engine.ProgressOf(ctx)
	progress.Divided(len(parts))
	for i := range d.done {
		progress.Decided()
		if decisions[i].Verdict == engine.NotLinearizable && !p.o.First {
			p.violation(ctx, stop, o, i, d, decisions[i])
		}
	}
	if d.answered {
		stop(engine.ErrAnswered)
	}
	errs := p.each(ctx, d.done, len(parts), func(i int) (err error) {
		if d.bind[i] == nil { // the time was up
			return nil
		}
		defer progress.Decided()
		decisions[i], err = p.decide(ctx, q, d, i, b)
		switch {
		case err != nil || decisions[i].Verdict == engine.NotLinearizable && p.o.First:
			stop(engine.ErrAnswered)
		case decisions[i].Verdict == engine.NotLinearizable:
			p.violation(ctx, stop, o, i, d, decisions[i])
		}
		return err
	})
	if err := firstError(errs); err != nil {
		return o, err
	}
	stopped := ctx.Err() != nil
	for i := range decisions {
		d := &decisions[i]
		// its turn did not come
		if stopped && d.engine == "" && d.Verdict == engine.Unknown && d.Cause == engine.NoCause {
			d.Cause = engine.CauseOf(ctx)
		}
	}
	return p.merge(ctx, o, q, parts, bounds, decisions)
}

// divide splits the history.
func (p *Portfolio) divide(q *Question) *deciding {
	parts := model.Split(q.Spec, q.History, p.o.Partitioning)
	p.theoriesLater(q, parts)
	return &deciding{parts: parts, bind: make([]model.Prepared, len(parts)), bounds: make([]*model.Instance,
		len(parts)), decisions: make([]decision, len(parts))}
}

// decide decides partition i, and binds it if that takes more than its outline.
func (p *Portfolio) decide(ctx context.Context, q *Question, d *deciding, i int, b *engine.Budget) (decision, error) {
	var monitored *decision
	if d.bounds[i] == nil {
		found, refuted, err := p.outlined(ctx, q, d, i, b)
		switch {
		case err != nil:
			return decision{}, err
		case refuted:
			return *found, nil
		}
		if d.bounds[i], err = engine.Finish(q.Spec, d.parts[i], d.bind[i]); err != nil {
			return decision{}, err
		}
		monitored = found
	}
	task := &engine.Task{Instance: d.bounds[i], Quasi: q.Quasi}
	probe := func() (decision, error) { return p.probe(ctx, task, b) }
	if d.probed != nil && i == d.done {
		probe = func() (decision, error) { return *d.probed, nil }
	}
	switch {
	case monitored != nil:
		return p.raceAfter(ctx, *monitored, task, b, probe)
	case d.bounds[i].TheoryLeft:
		return p.withoutTheory(ctx, q, d.bounds, i, b, probe)
	case d.probed != nil && i == d.done:
		return p.raceWith(ctx, task, b, probe)
	}
	return p.partition(ctx, task, b)
}

// refuse reports what a factor is not defined for, nil if there is nothing like it in the
// partitions.
func (q *Question) refuse(bounds []*model.Instance) error {
	if q.Quasi == nil {
		return nil
	}
	for _, b := range bounds {
		if b != nil && len(b.Bulk) > 0 {
			return b.Partition.Error(b.Bulk[0],
				fmt.Sprintf("%s takes out everything at once, which no quasi factor allows for",
					q.History.Values.Format(b.Partition.Ops[b.Bulk[0]].F)),
				"write it as removals one after the other, the last of which finds nothing")
		}
	}
	if !q.Quasi.Causal {
		return nil
	}
	for _, b := range bounds {
		if b != nil && b.ItemDelta == nil {
			return &history.Error{File: q.History.Source,
				What: fmt.Sprintf(
					"nothing is inserted into a %s and removed from it, so there is no causality between its operations", q.Spec.Info().Name),
				Hint: "leave out --quasi-causal"}
		}
	}
	return nil
}

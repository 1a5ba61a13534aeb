package portfolio

import (
	"context"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// reply is what one of several engines at work answers.
type reply struct {
	decision
	err error
}

// race lets the monitors try, then the probe, then runs search and SAT side by side; the first
// decision stops the other.
func (p *Portfolio) race(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	return p.raceWith(ctx, q, b, func() (decision, error) { return p.probe(ctx, q, b) })
}

// raceWith is race with the answer of the probe, which may be there already.
func (p *Portfolio) raceWith(ctx context.Context, q *engine.Task, b *engine.Budget,
	probe func() (decision, error)) (decision, error) {
	before, err := inOrder(ctx, p.team()[:1], q, b)
	if err != nil {
		return before, err
	}
	return p.raceAfter(ctx, before, q, b, probe)
}

// raceAfter is raceWith with the answer of the monitors, not yet replayed.
func (p *Portfolio) raceAfter(ctx context.Context, before decision, q *engine.Task, b *engine.Budget,
	probe func() (decision, error)) (decision, error) {
	if before.Verdict != engine.Unknown {
		return before, replayed(q, &before)
	}
	if q.Quasi != nil {
		for _, try := range [...]func(context.Context, *engine.Task, *engine.Budget) (decision, error){
			p.unmoved, p.widened, p.completed,
		} {
			if d, err := try(ctx, q, b); err != nil || d.Verdict != engine.Unknown {
				return d, err
			}
		}
	}
	probed, err := probe()
	if err != nil {
		return decision{}, err
	}
	if probed.Verdict != engine.Unknown {
		probed.Effort = probed.Effort.Add(before.Effort)
		return probed, nil
	}
	before.Effort = before.Effort.Add(probed.Effort)
	if ctx.Err() != nil {
		return better(before, decision{Answer: engine.Stopped(ctx)}), nil
	}
	return parallel(ctx, before, p.team()[1:], q, b)
}

// parallel runs engines until one decides; before is what was found out so far.
func parallel(ctx context.Context, before decision, racers []member, q *engine.Task, b *engine.Budget) (decision,
	error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(engine.ErrAnswered)
	replies := make(chan reply, len(racers))
	more := joinsLater(q)
	for _, e := range racers {
		d := decision{engine: e.Name()}
		engine.Go(func() (err error) {
			if e.delay > 0 {
				t := time.NewTimer(e.delay + more)
				defer t.Stop()
				select {
				case <-ctx.Done():
					d.Answer = engine.Stopped(ctx)
					return nil
				case <-t.C:
				}
			}
			d.Answer, err = e.Check(ctx, q, b)
			return err
		}, func(err error) { replies <- reply{d, err} })
	}
	best := before
	for range racers {
		r := <-replies
		if r.err != nil {
			return decision{}, r.err
		}
		best = better(best, r.decision)
		if r.Verdict != engine.Unknown {
			break
		}
	}
	return best, replayed(q, &best)
}

// joinsLater is how much longer than headStart the SAT engine waits before it joins.
func joinsLater(q *engine.Task) time.Duration {
	wait := time.Duration(clausesFor(q.Instance)) * headStartEach
	if t, ok := q.Instance.Theory.(*model.CollectionTheory); ok && q.Quasi == nil && t.Discipline == model.LIFO {
		n := time.Duration(len(t.Does))
		wait += n * n * headStartStack
	}
	for i := range q.Instance.Partition.Ops {
		if q.Instance.Partition.Ops[i].Pending() {
			wait += headStartPending
		}
	}
	return wait
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
		modes := len(t.Of(history.OpID(i)))
		n += max(1, modes*modes)
	}
	return n
}

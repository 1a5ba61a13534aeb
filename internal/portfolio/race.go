package portfolio

import (
	"context"
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/txn"
)

// reply is what one of several engines at work answers.
type reply struct {
	decision
	err error
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
			if wait := startsAfter(e, q, more); wait > 0 {
				t := time.NewTimer(wait)
				defer t.Stop()
				select {
				case <-ctx.Done():
					d.Answer = engine.Stopped(ctx)
					return nil
				case <-t.C:
				}
			}
			d.Answer, err = e.Check(ctx, q, b)
			d = d.tried()
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

// racers lists the engines that race: all but the monitors, and but the SAT engine where it would
// only list the states that the search visits.
func (p *Portfolio) racers(q *engine.Task) []member {
	return slices.DeleteFunc(slices.Clone(p.team()[1:]), func(e member) bool {
		return e.delay == headStart && q.Quasi == nil && !q.Instance.Clausal() && !txn.Applies(q.Instance)
	})
}

// startsAfter is how long an engine waits before it takes part. Of transactions the solver comes
// first, and the search waits.
func startsAfter(e member, q *engine.Task, more time.Duration) time.Duration {
	switch ofTransactions := q.Quasi == nil && txn.Applies(q.Instance); {
	case ofTransactions && e.delay == 0:
		return time.Duration(q.Instance.Partition.Len()) * searchEach
	case e.delay == 0, ofTransactions && e.delay == headStart:
		return 0
	}
	return e.delay + more
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
	t, ok := b.Axiomatic().(*model.RegisterTheory)
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

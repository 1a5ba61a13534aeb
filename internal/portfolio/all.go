package portfolio

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
)

// All engines to the end, side by side, and compared.
//
// What one of them found is the answer, also where the time runs out for the others: each of them
// that takes the question and has no answer by then is named in the result. Once an engine has
// refuted a partition, the others leave some of the time that is left for its explanation.

// all runs all engines to the end, side by side, and compares.
func (p *Portfolio) all(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(engine.ErrAnswered)
	replies := make(chan reply, len(p.team()))
	for _, e := range p.team() {
		d := decision{engine: e.Name()}
		engine.Go(func() (err error) {
			ctx, stop := p.within(ctx, e)
			defer stop()
			d.Answer, err = e.Check(ctx, q, b)
			return err
		}, func(err error) { replies <- reply{d, err} })
	}
	byEngine := map[string]reply{}
	for len(byEngine) < len(p.team()) && ctx.Err() == nil {
		select {
		case r := <-replies:
			byEngine[r.engine] = r
			if r.Verdict == engine.NotLinearizable && r.err == nil {
				defer p.leaveTime(ctx, stop)()
			}
		case <-ctx.Done():
		}
	}
	late := time.After(deadline.Engine)
	for waits := true; waits && len(byEngine) < len(p.team()); {
		select {
		case r := <-replies:
			byEngine[r.engine] = r
		case <-late:
			waits = false
		}
	}
	var inOrder []reply
	for _, e := range p.team() {
		r, ok := byEngine[e.Name()]
		if !ok {
			r.decision = decision{Answer: engine.Stopped(ctx), engine: e.Name()}
		}
		inOrder = append(inOrder, r)
	}
	return p.compared(ctx, q, b, inOrder)
}

// addAsked counts partitions by engine and cause, in the order in which they are met.
func addAsked(sum, more []result.Asked) []result.Asked {
	for _, u := range more {
		k := slices.IndexFunc(sum, func(x result.Asked) bool {
			return x.Engine == u.Engine && x.Cause == u.Cause && x.Not == u.Not
		})
		if k < 0 {
			sum = append(sum, u)
			continue
		}
		sum[k].Partitions += u.Partitions
	}
	return sum
}

// compared makes one decision of what all engines say, or a *engine.Disagreement.
func (p *Portfolio) compared(ctx context.Context, q *engine.Task, b *engine.Budget, replies []reply) (decision, error) {
	var best decision
	var answered [engine.NotLinearizable + 1]*reply // the first of every verdict
	var says []string
	var asked []result.Asked
	for _, r := range replies {
		if r.err != nil {
			return decision{}, r.err
		}
		asked = append(asked, result.Asked{Engine: r.engine, Partitions: 1})
		if r.Verdict == engine.Unknown {
			asked[len(asked)-1].Cause = r.Cause
		}
		if r.Verdict == engine.Unknown && r.Cause == engine.Unsupported {
			continue
		}
		says = append(says, fmt.Sprintf("%s: %v", r.engine, r.Verdict))
		if err := replayed(q, &r.decision); err != nil {
			return decision{}, err
		}
		if answered[r.Verdict] == nil {
			answered[r.Verdict] = &r
		}
		failure := best.Failure
		if r.Verdict == engine.NotLinearizable && failure == nil {
			failure = r.Failure
		}
		best = better(best, r.tried())
		best.Failure = failure
	}
	if yes, no := answered[engine.Linearizable], answered[engine.NotLinearizable]; yes != nil && no != nil {
		return decision{}, p.disagreement(ctx, q, b, says, *yes, *no)
	}
	if best.engine == "" {
		best.Cause = engine.Unsupported
	}
	if p.notAsked != "" {
		asked = append(asked, result.Asked{Engine: string(SMT), Not: p.notAsked, Partitions: 1})
	}
	best.asked = asked
	return best, nil
}

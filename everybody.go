package linsat

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/linsat/linsat/internal/engine"
)

// All engines to the end, side by side, and compared.
//
// What one of them found is the answer, also where the time runs out for the others: each of them
// that takes the question and has no answer by then is named in the result. Once an engine has
// refuted a part, the others leave some of the time that is left for the reasons of the no.

// Unanswered is an engine that was asked under All, and had no answer when the time was up or its
// limits were reached.
type Unanswered struct {
	Engine string
	Cause  engine.Cause
	Parts  int // of how many parts
}

// runAll runs all engines to the end, side by side, and compares.
func (c *config) runAll(ctx context.Context, all []named, p *engine.Problem, m *engine.Budget) (verdict, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(engine.ErrAnswered)
	replies := make(chan reply, len(all))
	for _, e := range all {
		v := verdict{engine: e.Name()}
		engine.Go(func() (err error) {
			v.Answer, err = e.Check(ctx, p, m)
			return err
		}, func(err error) { replies <- reply{v, err} })
	}
	byEngine := map[string]reply{}
	for len(byEngine) < len(all) && ctx.Err() == nil {
		select {
		case r := <-replies:
			byEngine[r.engine] = r
			if r.Verdict == engine.NotLinearizable && r.err == nil {
				defer c.leaveTime(ctx, stop)()
			}
		case <-ctx.Done():
		}
	}
	late := time.After(grace / 2)
	for waits := true; waits && len(byEngine) < len(all); {
		select {
		case r := <-replies:
			byEngine[r.engine] = r
		case <-late:
			waits = false
		}
	}
	var inOrder []reply
	for _, e := range all {
		r, ok := byEngine[e.Name()]
		if !ok {
			r.verdict = verdict{Answer: engine.Stopped(ctx), engine: e.Name()}
		}
		inOrder = append(inOrder, r)
	}
	return compared(ctx, all, p, inOrder)
}

// addUnanswered counts parts by engine and cause, in the order in which they are met.
func addUnanswered(sum, more []Unanswered) []Unanswered {
	for _, u := range more {
		k := slices.IndexFunc(sum, func(x Unanswered) bool { return x.Engine == u.Engine && x.Cause == u.Cause })
		if k < 0 {
			sum = append(sum, u)
			continue
		}
		sum[k].Parts += u.Parts
	}
	return sum
}

// compared makes one verdict of what all engines say, or a *Disagreement.
func compared(ctx context.Context, all []named, p *engine.Problem, replies []reply) (verdict, error) {
	var best verdict
	var answered [engine.NotLinearizable + 1]*reply // the first of every verdict
	var says []string
	var unanswered []Unanswered
	for _, r := range replies {
		if r.err != nil {
			return verdict{}, r.err
		}
		if r.Verdict == engine.Unknown && r.Cause == engine.Unsupported {
			continue
		}
		says = append(says, fmt.Sprintf("%s: %v", r.engine, r.Verdict))
		if r.Verdict == engine.Unknown {
			unanswered = append(unanswered, Unanswered{r.engine, r.Cause, 1})
		}
		if err := certified(p, &r.verdict); err != nil {
			return verdict{}, err
		}
		if answered[r.Verdict] == nil {
			answered[r.Verdict] = &r
		}
		failure := best.Failure
		if r.Verdict == engine.NotLinearizable && failure == nil {
			failure = r.Failure
		}
		best = better(best, r.verdict)
		best.Failure = failure
	}
	if yes, no := answered[engine.Linearizable], answered[engine.NotLinearizable]; yes != nil && no != nil {
		return verdict{}, disagreement(ctx, all, p, says, *yes, *no)
	}
	if best.engine == "" {
		best.Cause = engine.Unsupported
	}
	best.unanswered = unanswered
	return best, nil
}

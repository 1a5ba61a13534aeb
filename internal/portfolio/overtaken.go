package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/verify"
)

// What: most violations of a factor are local: a removal passes over more items than it may, or an
// item is overtaken by more removals. Clauses about these few operations refute them whatever the
// others do, so that it does not matter how many there are and how many never returned.
//
// Invariant: the verifier has checked the refutation.
//
// Cost: that of explain.Overtaking, and overtakenTime.

// overtaken looks for few operations of q that are refuted; Unknown if it finds none.
func (p *Portfolio) overtaken(ctx context.Context, q *engine.Task, _ *engine.Budget) (decision, error) {
	named := explain.Overtaking(q.Instance, q.Quasi)
	if named == nil || engine.LeftOut(string(SAT)) {
		return decision{}, nil
	}
	short, stop := context.WithTimeout(ctx, overtakenTime)
	defer stop()
	refutation := explain.RefuteValues(short, q.Instance, q.Quasi, named)
	if refutation == nil || verify.Proof(ctx, q.Quasi, q.Instance, refutation) != nil {
		return decision{}, nil
	}
	return decision{Answer: engine.Answer{Verdict: engine.NotLinearizable, By: "overtaken", Proof: refutation},
		engine: "sat"}, nil
}

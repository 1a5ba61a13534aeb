package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/widening"
	"github.com/linsat/linsat/internal/verify"
)

// What: what the plain engines refute although every operation has as much room as the factor may
// give it (package widening) is not quasi-linearizable. Most violations are local, and far from
// what a factor allows: a value that appears from nowhere, or long after what it should precede.
// The monitors find them in a time that neither the bound nor pending operations make exponential.
//
// Invariant: only "not linearizable" is concluded. The refutation is of another history; what the
// engine gave for it is verified here, and goes with the answer.
//
// Cost: that of the plain monitors, and a fixed number of steps.

// widened looks for a refutation of the widening of q; Unknown if it finds none.
func (p *Portfolio) widened(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	part := widening.Of(q.Instance, q.Quasi)
	if part == nil {
		return decision{}, nil
	}
	wide, err := engine.Bind(q.Instance.Spec, part)
	if err != nil {
		return decision{}, err
	}
	d, err := p.plainly(ctx, &engine.Task{Instance: wide}, b)
	if err != nil || d.Verdict != engine.NotLinearizable || refuses(ctx, wide, d) {
		return decision{}, err
	}
	return decision{Answer: engine.Answer{Verdict: d.Verdict, Effort: d.Effort,
		Proof: &proof.Widening{Refutation: proof.Inner{Proof: d.Proof}}}, engine: d.engine}, nil
}

// refuses reports whether the verifier refuses what a plain engine gave for its refutation, if
// anything.
func refuses(ctx context.Context, plain *model.Instance, d decision) bool {
	return d.Proof != nil && verify.Proof(ctx, nil, plain, d.Proof) != nil
}

// plainly asks the plain monitors, and then the plain search for some steps. Witnesses are not
// replayed.
func (p *Portfolio) plainly(ctx context.Context, plain *engine.Task, b *engine.Budget) (decision, error) {
	d, err := inOrder(ctx, plain, b.Share(0), engine.For(monitor.New()))
	if err != nil || d.Verdict != engine.Unknown {
		return d, err
	}
	steps := plainSteps + plainEach*int64(plain.Instance.Partition.Len())
	return inOrder(ctx, plain, b.Share(steps), p.search())
}

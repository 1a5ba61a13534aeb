package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
)

// What: where no operation may move, under slots, the question is that of linearizability
// (quasi.Question.Plain). So it is asked as such: the engines, proofs and explanations of plain
// histories apply, and it takes what they take. A linearization is ρ′ and ρ″ at once, followed by
// the drains in its order.
//
// Invariant: "linearizable" is replayed by the verifier under the factor.
//
// Under All the engines of the factor are asked, so that they are compared.

// atZero decides x, a plain question or one under a factor that is the same as one.
func (p *Portfolio) atZero(ctx context.Context, x *part, b *engine.Budget) error {
	if err := p.bind(x); err != nil {
		return err
	}
	d, err := p.plain().one(ctx, &engine.Task{Instance: x.Instance}, b)
	if err == nil && x.Quasi != nil && d.Verdict == engine.Linearizable {
		asWitness(&x.Task, &d)
		err = replayed(&x.Task, &d)
	}
	x.decision, x.next = d, decided
	return err
}

package portfolio

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
)

// What: a history that is linearizable is quasi-linearizable under every factor. Then ρ″ is ρ′, a
// linearization, and the drains take what is left over in its order. So the plain monitors and a
// short plain search come before the engines of a factor: they are polynomial, or nearly, where
// those are not, and they know much more of operations that never returned.
//
// Invariant: "linearizable" is replayed by the verifier under the factor.
//
// Cost: that of the plain monitors, and a fixed number of steps.

// unmoved looks for a linearization of q, a question under a factor; Unknown if it finds none.
func (p *Portfolio) unmoved(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	d, err := p.plainly(ctx, &engine.Task{Instance: q.Instance}, b)
	if err != nil || d.Verdict != engine.Linearizable {
		return decision{}, err
	}
	asWitness(q, &d)
	if replay(q, d.Answer) != nil {
		return decision{}, nil
	}
	return d, nil
}

// asWitness makes of a linearization ρ′ and ρ″ under the factor of q.
func asWitness(q *engine.Task, d *decision) {
	if q.Quasi.Drain {
		least, _ := q.Instance.LeftOver(d.Witness)
		d.Drains = len(q.Instance.Keys(least))
		for k := range d.Drains {
			d.Witness = append(d.Witness, history.OpID(q.Instance.Partition.Len()+k))
		}
	}
	d.Rearranged = d.Witness
}

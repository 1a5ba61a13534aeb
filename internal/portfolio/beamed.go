package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/beam"
)

// What: a beam (package beam) rearranges long histories of stacks and priority queues in which
// removals move, whatever of them is pending, where depth-first search is lost.
//
// Invariant: only "linearizable" is concluded, and the verifier replays it.
//
// Cost: that of the beam, if it finds nothing.

// beamed looks for a rearrangement for q; Unknown if it finds none.
func (p *Portfolio) beamed(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	return beamedBy(beam.FindWithin, ctx, q, b)
}

// beamedBy is beamed by one way to find.
func beamedBy(find func(context.Context, *engine.Task, *engine.Budget) engine.Answer, ctx context.Context,
	q *engine.Task, b *engine.Budget) (decision, error) {
	d := decision{Answer: find(ctx, q, b.Share(beamSteps*int64(q.Instance.Partition.Len()))), engine: "search"}
	if d.Verdict != engine.Linearizable {
		return decision{}, nil
	}
	return d, replayed(q, &d)
}

// rises looks for a rearrangement at greater and greater bounds, which takes little at each. It
// leaves time for the bounds below.
func (x *bracket) rises(parent context.Context) error {
	ctx, stop := x.half(parent)
	defer stop()
	for k := x.refused + 1; k <= x.refused+beamBounds && ctx.Err() == nil; k++ {
		at := x.at(k)
		d, err := beamedBy(beam.Find, ctx, &engine.Task{Instance: x.b, Quasi: &at}, x.budget)
		if err != nil {
			return err
		}
		if d.Verdict == engine.Linearizable {
			x.accept(d, k)
			return nil
		}
	}
	return nil
}

package portfolio

import (
	"cmp"
	"context"
	"sort"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/quasi/beam"
	"github.com/linsat/linsat/internal/verify"
)

// What: a beam (package beam) rearranges long histories of stacks, priority queues and counters in
// which removals or tickets move, whatever of them is pending, where depth-first search is lost.
//
// Invariant: only "linearizable" is concluded, and the verifier replays it.
//
// Cost: that of the beam, if it finds nothing.

// beamed looks for a rearrangement for q; Unknown if it finds none. Where it may go further astray,
// a beam notices later, so smaller bounds are tried, too.
func (p *Portfolio) beamed(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	most := int32(0)
	for _, bound := range q.Quasi.Factor {
		most = max(most, bound)
	}
	for _, low := range [...]int32{most, most / 2} {
		d := decision{Answer: beamFor(ctx, q, low, beamPlaces, b).Answer, engine: "search"}
		if d.Verdict == engine.Linearizable {
			return d, replayed(q, &d)
		}
	}
	return decision{}, nil
}

// beamFor is beam.Find with its share of the steps.
func beamFor(ctx context.Context, q *engine.Task, low int32, places int, b *engine.Budget) beam.Found {
	return beam.Find(ctx, q, low, places, b.Share(beamSteps*int64(q.Instance.Partition.Len())))
}

// What: least bounds. One bound after another is tried. Where the beam dies out at the greatest
// bound but one that is refused, the operations near to that place are likely to have none in any
// order. So clauses about few of them are tried: they refute the bound, whatever else happened.

// beams reports whether a beam may decide: where one engine is named, it alone may.
func (p *Portfolio) beams() bool {
	return (p.o.Engines == Auto || p.o.Engines == All) && !engine.LeftOut("beam")
}

// rises looks for an upper bound, and for a lower one that is one less.
func (x *bracket) rises(ctx context.Context) error {
	for k := x.refused + 1; k <= x.refused+beamBounds && x.yes == nil && ctx.Err() == nil; k++ {
		at := x.at(k)
		task := &engine.Task{Instance: x.b, Quasi: &at}
		d := decision{Answer: beamFor(ctx, task, k, 0, x.budget).Answer, engine: "search"}
		x.effort = x.effort.Add(d.Effort)
		if err := replayed(task, &d); err != nil || d.Cause == engine.Unsupported {
			return err
		}
		if d.Verdict == engine.Linearizable {
			x.accept(d, k)
		}
	}
	if k := x.accepted - 2; x.yes != nil && k > x.refused && !engine.LeftOut(string(SAT)) {
		at := x.at(k + beamBounds)
		found := beamFor(ctx, &engine.Task{Instance: x.b, Quasi: &at}, k, beamPlaces, x.budget)
		x.near(ctx, found.Places, k)
	}
	return nil
}

// near has clauses refute a bound at places where a beam died out at that bound or a greater one.
func (x *bracket) near(ctx context.Context, places []beam.Place, bound int32) {
	at := x.at(bound)
	compare := func(a, b beam.Place) int { return cmp.Compare(b.Bound, a.Bound) }
	sort.SliceStable(places, func(i, j int) bool { return compare(places[i], places[j]) < 0 })
	for _, most := range [...]int{fewValues, manyValues} {
		for _, p := range places {
			short, stop := context.WithTimeout(ctx, nearTime)
			refutation := explain.RefuteNear(short, x.b, &at, p.Near, most)
			stop()
			if refutation != nil && verify.Proof(ctx, &at, x.b, refutation) == nil {
				x.refuseAt(decision{Answer: engine.Answer{Verdict: engine.NotLinearizable, By: "beam",
					Proof: refutation}, engine: "sat"}, bound)
				return
			}
			if ctx.Err() != nil {
				return
			}
		}
	}
}

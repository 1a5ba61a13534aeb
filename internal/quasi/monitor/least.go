package monitor

// The least bound of the removals.
//
// What: without any bound between slots and places there are windows already; if a content's slot
// cannot come within k of its place, the bound must be above k. That lower bound is nearly always
// the least bound itself (in 16 of 18 large runs; one less in the others). So the search starts
// there, doubles the distance while the bound is refuted, and then bisects. If no bound suffices,
// the bound equal to the number of contents is refuted as well.
//
// Cost: one propagation, and mostly one or two decisions.

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
)

// Least finds the least bound of the removals for a queue that Check supports; see
// engine.Minimizer. A refutation proves that the bound below it is too small. Under --quasi-causal,
// or where pending operations matter, the answer may be an interval.
func (*Engine) Least(ctx context.Context, p *engine.Task, free []bool, m *engine.Budget) (engine.Least, error) {
	open := engine.Least{High: quasi.Unbounded}
	stop := func(a engine.Answer) (engine.Least, error) {
		open.Cause, open.Detail = a.Cause, a.Detail
		return open, nil
	}
	q := collectFree(p, free)
	if q == nil {
		return stop(engine.Answer{Cause: engine.Unsupported})
	}
	largest := int32(q.M)
	decideAt := func(k int32) engine.Answer {
		a := decide(ctx, p, q, k, m)
		open.Effort = open.Effort.Add(a.Effort)
		if a.Verdict == engine.Linearizable {
			open.High, open.Yes = k, &a
		}
		if a.Verdict == engine.NotLinearizable {
			open.Low, open.No = k+1, &a
		}
		return a
	}
	none := func() (engine.Least, error) {
		open.Low, open.High = quasi.Unbounded, quasi.Unbounded
		return open, nil
	}
	if q.Flaw != nil {
		decideAt(largest)
		return none()
	}
	need := int64(p.Instance.Partition.Len()) * bytesPerOperation
	if !m.Grow(need) {
		m.Grow(-need)
		return stop(engine.Answer{Cause: engine.Memory})
	}
	w := q.Propagate(ctx, largest)
	m.Grow(-need)
	if w == nil {
		return stop(engine.Stopped(ctx))
	}
	if w.Refuted {
		a := conclude(ctx, p, w, m)
		if a.Verdict != engine.NotLinearizable {
			return stop(a)
		}
		open.No = &a
		return none()
	}
	k := w.Gap()
	w = nil // frees its memory
	for step := int32(1); ; step *= 2 {
		a := decideAt(k)
		if a.Verdict == engine.Linearizable {
			break
		}
		if a.Verdict == engine.Unknown {
			return stop(a)
		}
		if k == largest {
			return none()
		}
		k = min(k+step, largest)
	}
	for open.Low < open.High {
		// Nothing is proved below yet, or the bisection continues.
		k := open.Low + (open.High-open.Low)/2
		if open.No == nil {
			k = open.High - 1
		}
		if a := decideAt(k); a.Verdict == engine.Unknown {
			return stop(a)
		}
	}
	return open, nil
}

// collectFree reads the partition as a queue whose removals are exactly the free class in use.
func collectFree(p *engine.Task, free []bool) *window.Queue {
	relax := *p.Quasi
	relax.Factor = append(quasi.Factor(nil), relax.Factor...)
	for c := range relax.Factor {
		if c < len(free) && free[c] {
			relax.Factor[c] = 1
		}
	}
	q, bound := window.Collect(p.Instance, &relax)
	if q == nil || q.R > 0 && bound != 1 {
		return nil
	}
	return q
}

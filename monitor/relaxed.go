package monitor

// Quasi-linearizable FIFO queues with distinct values.
//
// What: package window either refutes the history or gives windows for slots and places; a schedule by earliest
// deadlines (schedule.go) or else a complete search under a limit (layers.go), for a smaller bound if it is slow for this
// one, finds a solution inside them; from the solution come ρ′ and ρ″, which are checked against the definition
// before anything is answered.
//
// Of 2,300 decisions on simulated runs (1,000 to 10,000 operations, 4 to 32 processes, with and without a tenth of empty
// results, bounds from two below to one above that of the run) four stayed open.
//
// Both answers are sound, and within the limit of the search the procedure is complete. With --quasi-causal the conditions are
// only necessary: a no stands, a yes stands if ρ′ happens to obey it too.

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/quasi/window"
)

func relaxedQueue(ctx context.Context, p *check.Problem, m *check.Meter) check.Answer {
	q, bound := window.Collect(p.Bound, p.Relax)
	if q == nil {
		return check.Answer{Cause: check.NotMine}
	}
	return decide(ctx, p, q, bound, m)
}

// bytesPerOperation is what windows, log and schedule take for one operation, by measurement.
const bytesPerOperation = 128

// decide answers the problem with the removals bounded by bound, whatever its factor says of them.
func decide(ctx context.Context, p *check.Problem, q *window.Queue, bound int32, m *check.Meter) check.Answer {
	if q.Flaw != nil {
		flaw := *q.Flaw
		flaw.Bound = bound
		return check.Answer{Verdict: check.NotLinearizable, Evidence: &flaw}
	}
	need := int64(p.Bound.Part.Len()) * bytesPerOperation
	defer m.Grow(-need)
	if !m.Grow(need) {
		return check.Answer{Cause: check.Memory}
	}
	if !m.Spend(int64(q.M + q.R)) {
		return check.Answer{Cause: check.Steps}
	}
	w := q.Propagate(ctx, bound)
	if w == nil {
		return check.Stopped(ctx)
	}
	return conclude(ctx, p, w, bound, m)
}

// conclude goes on from windows.
func conclude(ctx context.Context, p *check.Problem, w *window.Windows, bound int32, m *check.Meter) check.Answer {
	if w.Refuted {
		return refuted(w, func() any { return w.Refutation() })
	}
	if pos := schedule(ctx, w); pos != nil {
		return accepted(p, w, pos, bound, check.Effort{})
	}
	if ctx.Err() != nil {
		return check.Stopped(ctx)
	}
	l := newLayers(w)
	result := l.search(ctx, m, quickNodes)
	if result == unsettled && l.cause == check.Undecided {
		if a := below(ctx, p, w, bound, m); a.Verdict == check.Linearizable {
			return a
		}
		result = l.search(ctx, m, layerNodes)
	}
	switch result {
	case found:
		return accepted(p, w, l.pos, bound, check.Effort{Nodes: l.nodes})
	case exhausted:
		a := refuted(w, func() any { return w.RefuteFrom(l.bottom+1, l.deepest) })
		a.Effort.Nodes = l.nodes
		return a
	}
	return check.Answer{Cause: l.cause, Detail: fmt.Sprintf("no slots and places found within %d nodes", l.nodes), Effort: check.Effort{Nodes: l.nodes}}
}

// How many nodes a search may take beyond a few for each layer: at first and for each smaller bound, and in the end.
const (
	quickNodes = 1 << 13
	layerNodes = 1 << 17
)

// below looks for a solution with a smaller bound, which is one all the more: there is less choice, hence less to go
// wrong with, and a search that was lost at bound 3 is often straight at 2.
func below(ctx context.Context, p *check.Problem, w *window.Windows, bound int32, m *check.Meter) check.Answer {
	for k := w.K - 1; k >= max(0, w.K-4); k-- {
		v := w.Q.Propagate(ctx, k)
		if v == nil || v.Refuted {
			break
		}
		pos := schedule(ctx, v)
		if pos == nil {
			l := newLayers(v)
			if l.search(ctx, m, quickNodes) == found {
				pos = l.pos
			}
		}
		if pos != nil {
			return accepted(p, w, pos, bound, check.Effort{})
		}
	}
	return check.Answer{}
}

func refuted(w *window.Windows, evidence func() any) check.Answer {
	if w.Q.Fit != window.Exact {
		return check.Answer{Cause: check.Undecided, Detail: "refuted without the pending operations only"}
	}
	return check.Answer{Verdict: check.NotLinearizable, Evidence: evidence()}
}

func accepted(p *check.Problem, w *window.Windows, pos []int32, bound int32, effort check.Effort) check.Answer {
	a := check.Answer{Verdict: check.Linearizable, Drains: w.Q.D, Effort: effort}
	a.Witness, a.Rearranged = sequences(w.Q, pos, p.Relax.Causal, p.Bound.Part.Len())
	if !replay(p.Bound, p.Relax, bound, &a) {
		detail := "slots and places give no witness"
		if p.Relax.Causal {
			detail = "the solution removes a value before it is inserted"
		}
		return check.Answer{Cause: check.Undecided, Detail: detail, Effort: effort}
	}
	return a
}

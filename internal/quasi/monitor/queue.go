package monitor

// Quasi-linearizable FIFO queues with distinct values.
//
// What: package window either refutes the history or gives windows for slots and places. A schedule
// by earliest deadlines (schedule.go), or else a complete search under a limit (layers.go), finds a
// solution inside them. If that is slow at this bound, smaller bounds are tried. ρ′ and ρ″ are read
// from the solution (witness.go).
//
// Of 2,300 decisions on simulated runs (1,000 to 10,000 operations, 4 to 32 processes, with and
// without a tenth of empty results, bounds from two below to one above that of the run), four
// stayed undecided.
//
// Both answers are sound, and within the limit of the search the procedure is complete. With
// --quasi-causal the conditions are only necessary: a violation still holds, and a solution counts
// if its ρ′ happens to be causal.

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/window"
)

// decide answers the problem with the given bound for the removals, whatever its factor says of
// them.
func decide(ctx context.Context, p *engine.Task, q *window.Queue, bound int32, m *engine.Budget) engine.Answer {
	if q.Flaw != nil {
		flaw := *q.Flaw
		flaw.Bound = bound
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: &flaw}
	}
	need := int64(p.Instance.Partition.Len()) * bytesPerOperation
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}
	}
	if !m.Spend(int64(q.M + q.R)) {
		return engine.Answer{Cause: engine.Steps}
	}
	w := q.Propagate(ctx, bound)
	if w == nil {
		return engine.Stopped(ctx)
	}
	return conclude(ctx, p, w, m)
}

// conclude decides from the windows.
func conclude(ctx context.Context, p *engine.Task, w *window.Windows, m *engine.Budget) engine.Answer {
	if w.Refuted {
		return refuted(w, func() proof.Proof { return w.Refutation() })
	}
	if pos := schedule(ctx, w); pos != nil {
		return accepted(p, w, pos, engine.Effort{})
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx)
	}
	if pos := below(ctx, w, m); pos != nil {
		return accepted(p, w, pos, engine.Effort{})
	}
	l := newLayers(w)
	result := l.search(ctx, m, layerNodes)
	switch result {
	case found:
		return accepted(p, w, l.pos, engine.Effort{Nodes: l.nodes})
	case exhausted:
		a := refuted(w, func() proof.Proof { return nil }) // pairings or clauses certify it
		a.Effort.Nodes = l.nodes
		return a
	}
	return engine.Answer{Cause: l.cause, Detail: fmt.Sprintf("no slots and places found within %d nodes", l.nodes),
		Effort: engine.Effort{Nodes: l.nodes}}
}

// below looks for slots and places within a smaller bound, which are within this bound as well. A
// smaller bound leaves fewer choices, so bounds are tried from the least that the windows do not
// exclude on, in growing steps, and at last that one for longer. It returns nil if it finds none.
func below(ctx context.Context, w *window.Windows, m *engine.Budget) []window.Position {
	widest := w.Q.Propagate(ctx, int32(w.Q.M))
	if widest == nil {
		return nil
	}
	var least *layers
	k := widest.Gap()
	for step := int32(1); k < w.Bound && ctx.Err() == nil; k, step = k+step, 4*step {
		v := w.Q.Propagate(ctx, k)
		if v == nil || v.Refuted {
			continue
		}
		if pos := schedule(ctx, v); pos != nil {
			return pos
		}
		l := newLayers(v)
		if l.search(ctx, m, quickNodes) == found {
			return l.pos
		}
		if least == nil {
			least = l
		}
	}
	if least != nil && least.cause == engine.Undecided && least.search(ctx, m, layerNodes) == found {
		return least.pos
	}
	return nil
}

func refuted(w *window.Windows, evidence func() proof.Proof) engine.Answer {
	if w.Q.Fit != window.Exact {
		return engine.Answer{Cause: engine.Undecided, Detail: "refuted without the pending operations only"}
	}
	return engine.Answer{Verdict: engine.NotLinearizable, Proof: evidence()}
}

// accepted returns the answer with the witness that slots and places give. Windows do not express
// causality, so under it there may be no witness.
func accepted(p *engine.Task, w *window.Windows, pos []window.Position, effort engine.Effort) engine.Answer {
	a := engine.Answer{Verdict: engine.Linearizable, Drains: w.Q.D, Effort: effort}
	a.Witness, a.Rearranged = sequences(w.Q, pos, p.Quasi.Causal, p.Instance.Partition.Len())
	if p.Quasi.Causal && !causal(w.Q, p.Instance, a.Witness, a.Rearranged) {
		return engine.Answer{Cause: engine.Undecided, Detail: "slots and places give no causal witness", Effort: effort}
	}
	return a
}

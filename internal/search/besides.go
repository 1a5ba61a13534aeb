package search

// What: the phases that keep configurations of their own: queues, stacks and deques whose values
// repeat (package stackdeque), and readers-writer locks.
//
// For long deques this comes first, because plain search keeps all contents that it reaches.
//
// Cost: the steps of these searches are cheap, since they take no step of a machine: stepsEach of
// them count as one of the limit.

import (
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stackdeque"
	"github.com/linsat/linsat/internal/wgl"
)

// decideFIFO is the phase of one queue.
func decideFIFO(r *wgl.Run) wgl.Decision {
	return decideBy(r, func(b *engine.Account) engine.Answer {
		return stackdeque.Queue(r.Instance, r.Instance.Theory.(*model.CollectionTheory), b)
	})
}

// decideByWindows is the phase of one stack.
func decideByWindows(r *wgl.Run) wgl.Decision {
	return decideBy(r, func(b *engine.Account) engine.Answer {
		return stackdeque.Stack(r.Instance, r.Instance.Theory.(*model.CollectionTheory), b)
	})
}

// decideDeque is the phase of one deque. It does not decide other partitions.
func decideDeque(r *wgl.Run) wgl.Decision {
	return decideBy(r, func(b *engine.Account) engine.Answer { return stackdeque.Deque(r.Instance, b) })
}

// decideBy runs a search of its own within the limits that the run has left.
func decideBy(r *wgl.Run, search func(b *engine.Account) engine.Answer) (d wgl.Decision) {
	limit := r.Limit - r.Steps - r.Aside
	if limit < math.MaxInt64/stepsEach {
		limit *= stepsEach
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: limit, Uncounted: r.Uncounted, MostBytes: r.MostBytes}
	if n := r.Budget.SoftBytes(); n > 0 {
		b.MostBytes = n
	}
	a := search(&b)
	d = wgl.Decision{Outcome: wgl.Undecided, Witness: a.Witness, Evidence: a.Proof, Reached: a.Reached}
	switch {
	case a.Verdict == engine.Linearizable:
		d.Outcome = wgl.Found
	case a.Verdict == engine.NotLinearizable:
		d.Outcome = wgl.Failed
	case a.Cause == engine.Memory && r.Evicts():
		// this search cannot forget, but the depth-first search can
	case a.Cause != engine.NoCause:
		d.Outcome = wgl.GaveUp
		r.Stop(a.Cause)
	}
	b.Close()
	d.Steps = b.Steps
	return d
}

package search

// What: the searches that keep configurations of their own: queues, stacks and deques whose values
// repeat (package collections), and readers-writer locks.
//
// For long deques this comes first, because plain search keeps all contents that it reaches.
//
// Cost: the steps of these searches are cheap, since they take no step of a machine: stepsEach of
// them count as one of the limit.

import (
	"math"

	"github.com/linsat/linsat/internal/collections"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// decideFIFO is the search on one queue.
func decideFIFO(r *wgl.Run) wgl.Decision {
	return decideBy(r, math.MaxInt64, func(b *engine.Account) engine.Answer {
		return collections.Queue(r.Instance, r.Instance.Theory.(*model.CollectionTheory), b)
	})
}

// decideByWindows is the search on one stack, for so many steps.
func decideByWindows(r *wgl.Run, most int64) wgl.Decision {
	return decideBy(r, most, func(b *engine.Account) engine.Answer {
		return collections.Stack(r.Instance, r.Instance.Theory.(*model.CollectionTheory), b)
	})
}

// decideByWindowsSoon tries whether that decides soon, before few pending operations are tried: of
// the stacks that either decides this decides half, in up to a thirtieth of the time.
func decideByWindowsSoon(r *wgl.Run) wgl.Decision {
	return decideByWindows(r, soonEach*int64(len(r.Ops)))
}

// decideDeque is the search on one deque. It does not decide other partitions.
func decideDeque(r *wgl.Run) wgl.Decision {
	return decideBy(r, math.MaxInt64, func(b *engine.Account) engine.Answer { return collections.Deque(r.Instance, b) })
}

// decideBy runs a search of its own for so many steps, within the limits that the run has left.
func decideBy(r *wgl.Run, most int64, search func(b *engine.Account) engine.Answer) (d wgl.Decision) {
	limit := r.Limit - r.Steps - r.Aside
	if limit < math.MaxInt64/stepsEach {
		limit *= stepsEach
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: min(limit, most), Uncounted: r.Uncounted,
		MostBytes: r.MostBytes}
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
	case a.Cause == engine.Steps && b.Steps >= most:
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

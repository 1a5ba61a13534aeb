package monitor

// Pending pops of a deque: which values they took.
//
// What: at first they take nothing. If that is refuted, by some values alone, one of these that
// nothing removed must have been taken by a pending pop that is not used yet: each of these is
// tried, in turn, in the same way. So what is refuted in all cases is refuted.
//
// Cost: a decision for each case, within dequeTries and dequeTrySteps, beyond which nothing is
// said.

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// takers tries pending pops.
type takers struct {
	*deque
	used     []bool
	tries    int
	named    map[int32]bool // values that some refutation names
	empty    map[int32]bool // operations that found nothing, the same
	witness  []int32
	complete bool
}

// withPending decides the deque, whatever pending pops took.
func (d *deque) withPending(ctx context.Context, b *model.Instance) engine.Answer {
	t := &takers{deque: d, used: make([]bool, len(d.pendOp)), named: map[int32]bool{}, empty: map[int32]bool{}, complete: true}
	yes := t.try(ctx)
	switch {
	case yes:
		return engine.Answer{Verdict: engine.Linearizable, Witness: t.witness}
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case !t.complete:
		return engine.Answer{Cause: engine.Undecided, Detail: "which values pending removals took decides"}
	}
	var values, empties []int32
	for v := range t.named {
		values = append(values, v)
	}
	for i := range t.empty {
		empties = append(empties, i)
	}
	return engine.Answer{Verdict: engine.NotLinearizable, Proof: onlyValues(b, values, empties)}
}

// try reports whether there is a linearization in which at least the pending pops that are used
// take their values.
func (t *takers) try(ctx context.Context) bool {
	if t.tries++; t.tries > dequeTries || t.tries*len(t.deque.values) > dequeTrySteps {
		t.complete = false
		return false
	}
	witness, no, ok := t.decide(ctx, true)
	switch {
	case !ok:
		t.complete = false
		return false
	case no == nil:
		t.witness = witness
		return true
	}
	core, empties := t.conflictCore(ctx, no)
	for _, v := range core {
		t.named[v] = true
	}
	for _, e := range empties {
		t.empty[t.emptyOp[e]] = true
	}
	latest := t.latest(core, empties)
	for _, v := range core {
		if !t.stays[v] {
			continue
		}
		for p, lo := range t.pendLo {
			if lo >= latest { // it cannot take v in time
				break
			}
			if t.used[p] || !t.complete {
				continue
			}
			t.used[p] = true
			t.assign(v, p)
			t.turn(v)
			if t.try(ctx) {
				return true
			}
			t.assign(v, -1)
			t.turn(v)
			t.used[p] = false
		}
	}
	return false
}

// latest returns the moment by which all that has to take effect of a core has returned: a pop that
// is called later does not help. Pending pops that have taken a value have to take effect, too.
func (t *takers) latest(values, empties []int32) int32 {
	last := int32(0)
	for _, v := range values {
		if last = max(last, t.insHi[v]); !t.stays[v] {
			last = max(last, t.remHi[v])
		}
	}
	for _, e := range empties {
		last = max(last, t.emptyHi[e])
	}
	return last
}

package monitor

// Pending pops of a deque: which values they took.
//
// What: at first they take nothing. If that is refuted, by some values alone, one of these that
// nothing removed must have been taken by a pending pop that is not used yet: each of these is
// tried, in turn, in the same way. So what is refuted in all cases is refuted.
//
// Cost: a decision for each case, within limits beyond which nothing is said.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// takers tries pending pops.
type takers struct {
	*deque
	used     []bool
	tries    int
	limit    int
	named    map[int32]bool        // values that some refutation names
	empty    map[history.OpID]bool // operations that found nothing, the same
	witness  []history.OpID
	complete bool
}

func newTakers(d *deque) *takers {
	return &takers{deque: d, used: make([]bool, len(d.pendOp)), named: map[int32]bool{}, empty: map[history.OpID]bool{},
		complete: true, limit: dequeTries}
}

// refutation proves that b's part is refuted by what the refutations of all cases name. Values have
// other numbers there: the k-th one here is number[k].
func (t *takers) refutation(b *model.Instance, number func(v int32) int32) engine.Answer {
	var values []int32
	var empties []history.OpID
	for v := range t.named {
		values = append(values, number(v))
	}
	for i := range t.empty {
		empties = append(empties, i)
	}
	return engine.Answer{Verdict: engine.NotLinearizable, Proof: onlyValues(b, values, empties)}
}

// withPending decides the deque, whatever pending pops took.
func (d *deque) withPending(ctx context.Context, b *model.Instance) engine.Answer {
	if a := d.byParts(ctx, b); a.Verdict != engine.Unknown {
		return a
	}
	for _, v := range d.values {
		d.take(v, -1)
	}
	t := newTakers(d)
	yes := t.try(ctx)
	switch {
	case yes:
		return engine.Answer{Verdict: engine.Linearizable, Witness: t.witness}
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case !t.complete:
		return engine.Answer{Cause: engine.Undecided, Detail: "which values pending removals took decides"}
	}
	return t.refutation(b, func(v int32) int32 { return v })
}

// maybeTaken reports whether nothing that returned removes v.
func (d *deque) maybeTaken(v int32) bool { return d.remHi[v] == d.end+1 }

// take lets pending pop p take v, if nothing that returned does; p < 0: nothing takes it.
func (d *deque) take(v int32, p int) {
	if d.maybeTaken(v) {
		d.assign(v, p)
		d.turn(v)
	}
}

// try reports whether there is a linearization in which at least the pending pops that are used
// take their values.
func (t *takers) try(ctx context.Context) bool {
	if t.tries++; t.tries > t.limit || t.spent() {
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
		// by end: when the last one was called; another one called then can do as much
		tried := [ends]moment{-1, -1}
		for p, lo := range t.pendLo {
			if lo >= latest { // it cannot take v in time
				break
			}
			if at := edge(t.back[t.pendOp[p]]); t.used[p] || !t.complete || tried[at] == lo {
				continue
			} else {
				tried[at] = lo
			}
			t.used[p] = true
			t.take(v, p)
			if t.try(ctx) {
				return true
			}
			t.take(v, -1)
			t.used[p] = false
		}
	}
	return false
}

// latest returns the moment by which all that has to take effect of a core has returned: a pop that
// is called later does not help. Pending pops that have taken a value have to take effect, too.
func (t *takers) latest(values []int32, empties []int) moment {
	last := moment(0)
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

package monitor

// Locks with owners: owned, reentrant and fenced mutexes.
//
// What: each owner's operations are one after the other, so they tell how often it holds the lock
// between them. A hold goes from an acquisition of the lock by an owner that does not hold it to
// the release that gives it up. It certainly lasts from the return of the one to the call of the
// other, and at most from the call of the one to the return of the other. The history is
// linearizable exactly if
//   - no operation contradicts its owner's others,
//   - no two holds certainly last at one time, and
//   - some hold may last at some time of each attempt that was refused to one that did not hold the
//     lock.
//
// Why: of two holds that do not certainly overlap only one can come first, since an owner's
// acquisition returns before it calls its release. So the order of the holds is known. Where the
// end of one and the beginning of the next may meet, they do, as early as they can; else each
// lasts as long as it can. Then somebody holds the lock whenever somebody can: at the place where
// two meet nothing is lost, since attempts of these two owners do not reach it.
//
// Pending operations: a release may have ended its owner's last hold at any time since its call. An
// acquisition may have taken effect only after all completed holds; where an attempt may have been
// refused because of it, the search decides.
//
// Source: ours.
//
// Unsupported: an owner whose operations overlap. Tokens and explicit order only refute more, so
// where there are any, nothing is accepted.
//
// Invariants: holds are in the order of their acquisitions' returns, and the end of each is before
// the beginning of the next, or in the same gap between two ranks.
//
// Cost: O(n log n).

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// hold is a time in which an owner holds the lock.
type hold struct {
	acquire, release history.OpID // proof.Initial: since the start; absent: for ever
	from, held       history.Rank // call and return of the acquisition
	leaves, to       history.Rank // call and return of the release
	begin, end       history.Rank // gaps, right after these ranks, in which it begins and ends
}

// holdings is a history of one lock.
type holdings struct {
	ops   []history.Op
	lock  *model.Holding
	holds []hold         // by held
	alone []history.OpID // attempts that were refused to owners that did not hold the lock
	inner []history.OpID // completed operations of which only their owner's others matter
	// pending is the first call of an acquisition that never returned; Never for none
	pending history.Rank
}

// ownHolds is what the operations of an owner until now tell.
type ownHolds struct {
	count int32 // how often it holds the lock
	hold  hold  // the current one, while it does
}

// checkHolds decides a lock with owners, or refutes it.
func checkHolds(ctx context.Context, b *model.Instance, lock *model.Holding) engine.Answer {
	h := &holdings{ops: b.Partition.Ops, lock: lock, pending: history.Never}
	conflict, reason := h.collect()
	switch {
	case reason != "":
		return engine.Answer{Cause: engine.Unsupported, Detail: reason}
	case conflict == nil:
		conflict = h.twice()
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx)
	}
	var order []history.OpID
	if conflict == nil {
		order, conflict = h.order()
	}
	switch {
	case conflict != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: conflict}
	case order == nil:
		return engine.Answer{Cause: engine.Undecided,
			Detail: "an acquisition that never returned may be why another was refused"}
	case !lock.Exact || len(b.Partition.Edges) > 0:
		return engine.Answer{Cause: engine.Unsupported, Detail: "tokens or explicit order decide"}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: order}
}

// collect finds the holds, or the first operation that contradicts its owner's others, or says why
// it cannot.
func (h *holdings) collect() (conflict *proof.HoldConflict, reason string) {
	most := h.lock.Holder
	for _, owner := range h.lock.Owner {
		most = max(most, owner)
	}
	last := make([]history.Rank, most+1) // by owner: the latest return until now
	for k := range h.ops {
		owner := h.lock.Owner[k]
		if last[owner] > h.ops[k].Call {
			return nil, "operations of one owner overlap"
		}
		last[owner] = h.ops[k].Return
	}
	owners := make([]ownHolds, most+1)
	if h.lock.Held > 0 {
		o := &owners[h.lock.Holder]
		o.count = h.lock.Held
		o.hold = hold{acquire: proof.Initial, release: absent, from: -2, held: -1, leaves: history.Never,
			to: history.Never}
	}
	for k := range h.ops {
		i, op, does := history.OpID(k), &h.ops[k], h.lock.Does[k]
		o := &owners[h.lock.Owner[k]]
		switch {
		case op.Pending():
			if does == model.Acquires && o.count == 0 {
				h.pending = min(h.pending, op.Call)
			}
			if does == model.Releases && o.count == 1 {
				o.hold.release, o.hold.leaves = i, op.Call
			}
			continue
		case h.lock.Refuses(does, o.count):
			return &proof.HoldConflict{Rule: proof.HoldOwn, Ops: []history.OpID{i}}, ""
		}
		switch {
		case does == model.Acquires && o.count == 0:
			o.hold = hold{acquire: i, release: absent, from: op.Call, held: op.Return, leaves: history.Never,
				to: history.Never}
			o.count = 1
		case does == model.Acquires:
			o.count++
			h.inner = append(h.inner, i)
		case does == model.Releases && o.count == 1:
			o.hold.release, o.hold.leaves, o.hold.to = i, op.Call, op.Return
			h.holds = append(h.holds, o.hold)
			o.count = 0
		case does == model.Releases:
			o.count--
			h.inner = append(h.inner, i)
		case does == model.NotReady && o.count == 0:
			h.alone = append(h.alone, i)
		default:
			h.inner = append(h.inner, i)
		}
	}
	for k := range owners {
		if owners[k].count > 0 {
			h.holds = append(h.holds, owners[k].hold)
		}
	}
	sort.Slice(h.holds, func(i, j int) bool { return h.holds[i].held < h.holds[j].held })
	return nil, ""
}

// twice finds two holds that certainly last at one time.
func (h *holdings) twice() *proof.HoldConflict {
	for k := 1; k < len(h.holds); k++ {
		if x, y := &h.holds[k-1], &h.holds[k]; y.held < x.leaves {
			return &proof.HoldConflict{Rule: proof.HoldTwice, Ops: []history.OpID{x.acquire, y.acquire}}
		}
	}
	return nil
}

// order places all operations, or finds an attempt that was refused while nobody can have held the
// lock. It returns neither where a pending acquisition may be the reason.
func (h *holdings) order() (order []history.OpID, conflict *proof.HoldConflict) {
	type place struct {
		at int64 // four places in a gap: before an end, the end, a beginning, and after it
		op history.OpID
	}
	const before, ends, begins, after = 0, 1, 2, 3
	places := make([]place, 0, len(h.ops))
	put := func(op history.OpID, gap history.Rank, where int64) {
		places = append(places, place{at: 4*int64(gap) + where, op: op})
	}
	for k := range h.holds {
		x := &h.holds[k]
		if k == 0 || h.holds[k-1].to < x.from {
			x.begin = x.from
		} else {
			x.begin = h.holds[k-1].end
		}
		switch last := k == len(h.holds)-1; {
		case last && (x.release < 0 || x.to == history.Never):
			x.release, x.end = absent, history.Never
		case last || x.to < h.holds[k+1].from:
			x.end = x.to - 1
		default:
			x.end = max(x.leaves, h.holds[k+1].from)
		}
		if x.acquire >= 0 {
			put(x.acquire, x.begin, begins)
		}
		if x.release >= 0 {
			put(x.release, x.end, ends)
		}
	}
	for _, i := range h.inner {
		put(i, h.ops[i].Call, after)
	}
	for _, i := range h.alone {
		o := &h.ops[i]
		k, _ := slices.BinarySearchFunc(h.holds, o.Call, func(x hold, call history.Rank) int {
			return cmp.Compare(x.end, call)
		})
		if k == len(h.holds) || h.holds[k].begin >= o.Return {
			if h.pending < o.Return {
				return nil, nil
			}
			return nil, &proof.HoldConflict{Rule: proof.HoldNobody, Ops: []history.OpID{i}}
		}
		if gap := max(o.Call, h.holds[k].begin); gap == h.holds[k].end {
			put(i, gap, before)
		} else {
			put(i, gap, after)
		}
	}
	sort.SliceStable(places, func(i, j int) bool { return places[i].at < places[j].at })
	order = make([]history.OpID, len(places))
	for k := range places {
		order[k] = places[k].op
	}
	return order, nil
}

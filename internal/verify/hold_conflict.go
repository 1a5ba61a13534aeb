package verify

import (
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Refutations of locks with owners.
//
// What: judges proof.HoldConflict on the raw intervals and on what the operations say
// (model.Holding). Explicit order and tokens only forbid more.
//
// How: goes through the operations in the order of their calls and counts for each owner how often
// it holds the lock. That is known between its operations, since no two of them overlap. An owner
// that contradicts itself is not followed any further.
//
// Why that is enough: an owner that holds the lock before and after some moment without giving it
// up in between is the only one to hold it then, and an attempt that is refused to an owner that
// does not hold the lock needs somebody else who does. Pending operations may have taken effect or
// not: a pending release may have ended a hold at any time since its call, and a pending
// acquisition may have begun one.
//
// Cost: O(n).

// stretch is a time in which an owner holds the lock: certainly from held to leaves, and at most
// from its beginning to its end.
type stretch struct {
	owner        int32
	acquisition  history.OpID // proof.Initial for the holder at the start
	release      history.OpID // proof.NoOp for none
	begin, held  int64
	leaves, ends int64
}

// lockTimes is what the operations of all owners say.
type lockTimes struct {
	stretches []stretch
	pending   []stretch      // acquisitions that never returned: begin alone is known
	broken    map[int32]bool // owners that contradict themselves, or whose operations overlap
	// own is the operation asked about, if it contradicts what its owner did before: the owner
	// holds the lock so often, since by.
	own, by history.OpID
	count   int32
	free    map[history.OpID]bool // by attempt that was refused: its owner does not hold the lock
}

// Hold checks that r refutes b's partition. It returns nil or what is wrong.
func Hold(b *model.Instance, r *proof.HoldConflict) error {
	_, err := HoldOf(b, r)
	return err
}

// HoldParts is what a HoldConflict is about.
type HoldParts struct {
	Rule proof.HoldRule
	// Ends are the releases that end the two holds, proof.NoOp for none; or, of an attempt that
	// was refused, the last one before and the first acquisition after it.
	Ends [2]history.OpID
	// Of an operation that contradicts its owner's others: how often the owner holds the lock
	// before it, and by which operation, proof.NoOp if it is the first that matters.
	Held int32
	By   history.OpID
}

// HoldOf is Hold, and returns what r is about.
func HoldOf(b *model.Instance, r *proof.HoldConflict) (HoldParts, error) {
	parts := HoldParts{Ends: [2]history.OpID{proof.NoOp, proof.NoOp}, By: proof.NoOp}
	if b.Holding() == nil {
		return parts, base.Faultf("", "the partition is not a lock with owners")
	}
	if r == nil || len(r.Ops) == 0 || len(r.Ops) > 2 || (r.Rule == proof.HoldTwice) != (len(r.Ops) == 2) {
		return parts, base.Faultf("", "it takes one operation, or two under twice, got %d", len(r.Ops))
	}
	for _, i := range r.Ops {
		start := i == proof.Initial && r.Rule == proof.HoldTwice
		if !start && (i < 0 || int(i) >= b.Partition.Len() || b.Partition.Ops[i].Pending()) {
			return parts, base.Faultf(base.Op(b.Partition, i), "it is no completed operation of the partition")
		}
	}
	parts.Rule = r.Rule
	times := lockTimesOf(b.Partition.Ops, b.Holding(), r.Ops[0])
	switch r.Rule {
	case proof.HoldOwn:
		if times.own != r.Ops[0] {
			return parts, base.Faultf(base.Op(b.Partition, r.Ops[0]),
				"it does not contradict what its owner did before")
		}
		parts.Held, parts.By = times.count, times.by
		return parts, nil
	case proof.HoldTwice:
		return parts, times.together(b.Partition, r.Ops, &parts)
	case proof.HoldNobody:
		return parts, times.nobody(b, r.Ops[0], &parts)
	}
	return parts, base.Faultf("", "it is unknown")
}

// lockTimesOf follows all owners. asked is the operation of which is asked whether it contradicts
// its owner's others.
func lockTimesOf(ops []history.Op, lock *model.Holding, asked history.OpID) *lockTimes {
	t := &lockTimes{broken: map[int32]bool{}, own: proof.NoOp, by: proof.NoOp, free: map[history.OpID]bool{}}
	until := map[int32]int64{}
	for k := range ops {
		if before, any := until[lock.Owner[k]]; any && before > int64(ops[k].Call) {
			t.broken[lock.Owner[k]] = true
		}
		until[lock.Owner[k]] = int64(ops[k].Return)
		if ops[k].Pending() {
			until[lock.Owner[k]] = forever
		}
	}
	held, changed, current := map[int32]int32{}, map[int32]history.OpID{}, map[int32]stretch{}
	if lock.Held > 0 {
		held[lock.Holder] = lock.Held
		current[lock.Holder] = stretch{lock.Holder, proof.Initial, proof.NoOp, -2, -1, forever, forever}
	}
	for k := range ops {
		i, o, owner, does := history.OpID(k), &ops[k], lock.Owner[k], lock.Does[k]
		call, ret := int64(o.Call), int64(o.Return)
		if t.broken[owner] {
			continue
		}
		n := held[owner]
		if o.Pending() {
			switch {
			case does == model.Acquires && n == 0:
				t.pending = append(t.pending, stretch{owner: owner, acquisition: i, begin: call})
			case does == model.Releases && n == 1:
				s := current[owner]
				s.release, s.leaves = i, call
				current[owner] = s
			}
			continue
		}
		if lock.Refuses(does, n) {
			t.broken[owner] = true
			if i == asked {
				t.own, t.count = i, n
				if c, any := changed[owner]; any {
					t.by = c
				}
			}
			continue
		}
		switch does {
		case model.Acquires:
			changed[owner] = i
			if held[owner]++; n == 0 {
				current[owner] = stretch{owner, i, proof.NoOp, call, ret, forever, forever}
			}
		case model.Releases:
			changed[owner] = i
			if held[owner]--; n == 1 {
				s := current[owner]
				s.release, s.leaves, s.ends = i, call, ret
				t.stretches = append(t.stretches, s)
				delete(current, owner)
			}
		case model.NotReady:
			t.free[i] = n == 0
		}
	}
	for _, s := range current {
		t.stretches = append(t.stretches, s)
	}
	return t
}

// together checks that two owners certainly hold the lock at one time.
func (t *lockTimes) together(p *model.Partition, acquisitions []history.OpID, parts *HoldParts) error {
	var found [2]*stretch
	for k := range t.stretches {
		for j, i := range acquisitions {
			if t.stretches[k].acquisition == i {
				found[j] = &t.stretches[k]
			}
		}
	}
	x, y := found[0], found[1]
	switch {
	case x == nil || y == nil || x.owner == y.owner:
		return base.Faultf(base.Op(p, acquisitions...), "they do not begin holds of two owners")
	case t.broken[x.owner] || t.broken[y.owner]:
		return base.Faultf(base.Op(p, acquisitions...),
			"one of their owners contradicts itself, or its operations overlap")
	case max(x.held, y.held) >= min(x.leaves, y.leaves):
		return base.Faultf(base.Op(p, acquisitions...),
			"the two holds need not overlap: the later begins by rank %d, the earlier ends from rank %d on",
			max(x.held, y.held), min(x.leaves, y.leaves))
	}
	parts.Ends = [2]history.OpID{x.release, y.release}
	return nil
}

// nobody checks that nobody can have held the lock while an attempt was refused to an owner that
// did not hold it.
func (t *lockTimes) nobody(b *model.Instance, i history.OpID, parts *HoldParts) error {
	o := &b.Partition.Ops[i]
	about := base.Op(b.Partition, i)
	if len(t.broken) > 0 {
		return base.Faultf(about, "%d owners contradict themselves, or their operations overlap", len(t.broken))
	}
	if b.Holding().Does[i] != model.NotReady || !t.free[i] {
		return base.Faultf(about, "it is no failed acquisition by a non-owner")
	}
	// Of two holds the one whose acquisition returned first comes first, so it ends before the
	// other acquisition returned, also if its release never did; and the other begins after the
	// release was called.
	sort.Slice(t.stretches, func(x, y int) bool { return t.stretches[x].held < t.stretches[y].held })
	last, next := int64(-1), forever
	for k := range t.stretches {
		s := &t.stretches[k]
		if k+1 < len(t.stretches) {
			s.ends = min(s.ends, t.stretches[k+1].held)
		}
		if k > 0 {
			s.begin = max(s.begin, t.stretches[k-1].leaves)
		}
		switch {
		case s.ends > int64(o.Call) && s.begin < int64(o.Return):
			return base.Faultf(about, "the hold that %s begins may overlap it", base.Op(b.Partition, s.acquisition))
		case s.ends < int64(o.Call) && s.ends > last:
			last, parts.Ends[0] = s.ends, s.release
		case s.begin > int64(o.Return) && s.begin < next:
			next, parts.Ends[1] = s.begin, s.acquisition
		}
	}
	for k := range t.pending {
		if t.pending[k].begin < int64(o.Return) {
			return base.Faultf(about, "%s may have taken effect before its return",
				base.Op(b.Partition, t.pending[k].acquisition))
		}
	}
	return nil
}

package search

// What: configurations from which the debts cannot be settled in time.
//
// Source: ours; the test of crowding is Hall's theorem for intervals that start together.
//
// For each group, with place the next one to be filled: the owed contents take places of their own,
// so the i-th deadline must be at least place+i-1. The same holds for the ranks of the operations
// of early contents. An owed removal must wait for the items ahead of it (collection.go). The
// operation of an early content gets its rank after all operations of its group that returned
// before its call.
//
// Invariant: a configuration from which an answer can be reached is never cut.
//
// Cost: the debts of every group, sorted by deadline.

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// hopeless reports whether the debts cannot be settled.
func (r *run) hopeless() bool {
	for g := range r.groups {
		if len(r.owed[g]) > 0 && r.late(groupID(g)) {
			return true
		}
	}
	return false
}

// late reports whether the debts of group g cannot be settled.
func (r *run) late(g groupID) bool {
	place := r.places[g] + 1
	if r.crowded(r.owed[g], place) || r.crowded(r.early[g], place) {
		return true
	}
	if r.collections != nil {
		for k, d := range r.owed[g] {
			if d.deadline == noDeadline || k > 0 && r.owed[g][k-1].kind == d.kind {
				continue
			}
			if op := r.sample[d.kind]; int(place)+r.collections[r.collectionOf[op]].ahead(op) > int(d.deadline) {
				return true
			}
		}
	}
	for k, d := range r.early[g] {
		if d.deadline == noDeadline || k > 0 && r.early[g][k-1].kind == d.kind {
			continue
		}
		if !r.reachable(g, d, place) {
			return true
		}
	}
	return false
}

// crowded reports whether the debts need more places than remain up to their deadlines.
func (r *run) crowded(d debts, place int32) bool {
	r.scratch = r.scratch[:0]
	for _, x := range d {
		r.scratch = append(r.scratch, x.deadline)
	}
	slices.Sort(r.scratch)
	for k, deadline := range r.scratch {
		if deadline < place+int32(k) {
			return true
		}
	}
	return false
}

// reachable reports whether some operation can still be linearized with the early content in time.
func (r *run) reachable(g groupID, d debt, place int32) bool {
	if r.sample[d.kind] == r.drain(g) {
		return place+r.open[g] <= d.deadline
	}
	if r.maybe[d.kind] > 0 || r.unknown[g] > 0 {
		return true
	}
	head := r.n + history.OpID(g)
	rank, at := place, r.inReturn.next[head]
	for v := r.inCall.next[head]; v != head; v = r.inCall.next[v] {
		for at != head && r.ops[at].Return < r.ops[v].Call {
			rank++
			at = r.inReturn.next[at]
		}
		if rank > d.deadline {
			return false
		}
		if r.kind[v] == d.kind {
			return true
		}
	}
	return false
}

// drain returns the drain whose places are in group g, or -1.
func (r *run) drain(g groupID) history.OpID {
	if d := r.drains[r.groups[g].object]; d >= 0 && r.group[d] == g {
		return d
	}
	return -1
}

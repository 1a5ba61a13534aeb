package search

// What: the operations that can be linearized next in ρ′.
//
// They are the completed operations that nothing unlinearized precedes, the first unused operation
// of every class of pending ones, and, after all completed operations, a drain of the first object
// that needs one, or of one before it that may need one.
//
// Source: Wing and Gong (JPDC'93).
//
// What we changed: of the completed operations of one kind without edges, only the one that returns
// first is a candidate. Two such operations can be exchanged in any ρ′ that has them the other way
// round.
//
// Invariant: drains come first, then completed operations by return, then pending ones.
//
// Cost: sorting the operations called before the earliest return of an unlinearized operation.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
)

// gather collects in r.ready the operations that can be linearized next. It returns the number of
// operations it examined.
func (r *run) gather() (work int64) {
	r.ready = r.ready[:0]
	head := r.byReturn.next[r.n]
	limit := history.Never
	if head == r.n {
		r.gatherDrains()
		if r.closed > 0 {
			return 1
		}
	} else {
		limit = r.ops[head].Return
	}
	first := len(r.ready)
	for v := r.byCall.next[r.n]; v != r.n && r.ops[v].Call < limit; v = r.byCall.next[v] {
		work++
		if r.follows(v) {
			r.ready = append(r.ready, v)
		}
	}
	slices.SortFunc(r.ready[first:], func(a, b history.OpID) int {
		return cmp.Compare(r.ops[a].Return, r.ops[b].Return)
	})
	r.stamp++
	kept := r.ready[:first]
	for _, v := range r.ready[first:] {
		if !r.hasEdge[v] {
			if r.stamps[r.kind[v]] == r.stamp {
				continue
			}
			r.stamps[r.kind[v]] = r.stamp
		}
		kept = append(kept, v)
	}
	r.ready = kept
	for f, used := range r.used {
		work++
		class := r.members.Of(pendingClassID(f))
		if int(used) == len(class) {
			continue
		}
		if v := class[used]; r.ops[v].Call < limit && r.follows(v) {
			r.ready = append(r.ready, v)
		}
	}
	return work
}

// gatherDrains collects the drains that can be linearized next, those of one object after those of
// another.
func (r *run) gatherDrains() {
	from := 0
	for o, n := range r.drained {
		if n > 0 {
			from = o
		}
	}
	for o := from; o < len(r.drains); o++ {
		if r.drains[o] >= 0 && r.left[o] > 0 {
			r.ready = append(r.ready, r.drains[o])
		}
		if r.needsDrain(o) {
			break
		}
	}
}

// needsDrain reports whether an object still holds something to drain, whatever the removals of
// unknown results found.
func (r *run) needsDrain(o int) bool { return r.drains[o] >= 0 && r.left[o] > r.unsure[o] }

// leftover reports whether an object needs a drain.
func (r *run) leftover() bool {
	for o := range r.drains {
		if r.needsDrain(o) {
			return true
		}
	}
	return false
}

// follows reports whether explicit edges allow v to be linearized now.
func (r *run) follows(v history.OpID) bool {
	if !r.hasEdge[v] {
		return true
	}
	for _, w := range r.needs.Of(v) {
		if !r.done[w] {
			return false
		}
	}
	for _, w := range r.bars.Of(v) {
		if r.done[w] {
			return false
		}
	}
	return true
}

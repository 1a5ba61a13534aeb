package wgl

// What: pruning where states have a number that only grows, one by one, and operations tell it: the
// revision of etcd.
//
// Source: ours; the rules are those of held values (held_values.go) for a number in place of a
// value.
//
//   - An operation that tells its number, and certainly raises it, is its owner: no other operation
//     leads to that number, since it comes once.
//   - While operations that tell a number have not taken effect, the number stays.
//   - A pending operation that others show to have raised the number to n leads to n only.
//   - A pending operation that changes the state and not its number is used only if an operation on
//     one of its topics is open, or is pending and may raise the number next: until then it can
//     wait, together with the others like it, for they commute with what comes before.
//
// Without these rules each pending operation is tried at each node, and what follows is refuted
// only when the next one tells its number.
//
// Enumerations (failure.go) list configurations that need not lead on, so they do without.
//
// Invariant: what the first three rules prune has no linearization, whatever has been used, as with
// held values; what the last one prunes has none that a configuration after it has not. It depends
// on the configuration alone, not on what has been used.
//
// Cost: for every change of the number that is tried, the operations that tell the number before;
// for other changes, the open operations.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// countedStates knows who tells which number.
type countedStates struct {
	counted *model.Counted
	numbers []int64                           // told by completed operations, sorted
	tell    layout.Lists[int32, history.OpID] // by place in numbers
	owner   map[int64]history.OpID
	shared  map[int32]int // by topic: the pending operations that are on it

	// what idle was last asked about: a state, the next number and its owner
	at     model.State
	looked bool
	next   int64
	first  history.OpID
	owned  bool
}

// countStates starts pruning, if states have a number.
func (r *run) countStates() {
	c := r.Instance.Counted
	if c == nil {
		return
	}
	x := &countedStates{counted: c, owner: map[int64]history.OpID{}, shared: map[int32]int{}}
	for i := range r.Ops {
		if r.Ops[i].Pending() {
			for _, topic := range c.About[i] {
				x.shared[topic]++
			}
		}
		n := c.At[i]
		if n < 0 {
			continue
		}
		if c.Raises[i] {
			x.owner[n] = history.OpID(i)
		}
		if !r.Ops[i].Pending() {
			x.numbers = append(x.numbers, n)
		}
	}
	slices.Sort(x.numbers)
	x.numbers = slices.Compact(x.numbers)
	x.tell = layout.NewLists(int32(len(x.numbers)), len(r.Returns), func(k int) (int32, history.OpID) {
		i := r.Returns[k]
		if n := c.At[i]; n >= 0 {
			place, _ := slices.BinarySearch(x.numbers, n)
			return int32(place), i
		}
		return -1, 0
	})
	r.counted = x
}

// mayCount reports whether an operation may lead from state s to state t, as far as their numbers
// say.
func (r *run) mayCount(s model.State, by history.OpID, t model.State) bool {
	x := r.counted
	from, to := x.counted.Of(r.Table.Machine, s), x.counted.Of(r.Table.Machine, t)
	if from == to {
		return s == t || !r.Ops[by].Pending() || r.HasEdge[by] || r.asked(by, from+1)
	}
	if owner, owned := x.owner[to]; owned && owner != by {
		return false
	}
	if n := x.counted.At[by]; n >= 0 && n != to {
		return false
	}
	if place, told := slices.BinarySearch(x.numbers, from); told {
		for _, v := range x.tell.Of(int32(place)) {
			if v != by && !r.done(v) {
				return false
			}
		}
	}
	return true
}

// idle reports whether mayCount refuses every change that a pending operation makes to state s.
func (r *run) idle(s model.State, by history.OpID) bool {
	x := r.counted
	if x.at != s || !x.looked {
		x.at, x.looked = s, true
		x.next = x.counted.Of(r.Table.Machine, s) + 1
		x.first, x.owned = x.owner[x.next]
	}
	if n := x.counted.At[by]; (n < 0 || n == x.next) && (!x.owned || x.first == by) {
		return false
	}
	return !r.HasEdge[by] && (len(x.counted.About[by]) == 0 || !r.asked(by, x.next))
}

// asked reports whether an operation on a topic of a pending one is open, or is pending and may be
// what leads to the next number.
func (r *run) asked(by history.OpID, next int64) bool {
	x := r.counted
	owner, owned := x.owner[next]
	for _, topic := range x.counted.About[by] {
		if !owned && x.shared[topic] > 1 || owned && slices.Contains(x.counted.About[owner], topic) {
			return true
		}
	}
	n := history.OpID(len(r.Ops))
	for v := r.next[n]; v != n; v = r.next[v] {
		for _, topic := range x.counted.About[v] {
			if slices.Contains(x.counted.About[by], topic) {
				return true
			}
		}
	}
	return false
}

// bytes estimates the memory.
func (x *countedStates) bytes() int64 {
	if x == nil {
		return 0
	}
	return int64(len(x.numbers))*(8+8) + int64(len(x.owner))*32
}

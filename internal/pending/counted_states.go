package pending

// What: pruning where states have a number that only grows, one by one, and operations tell it: the
// revision of etcd.
//
// Source: ours; the rules are those of held values (held_values.go) for a number in place of a
// value.
//
//   - An operation that tells its number, and certainly raises it, is its owner: no other operation
//     leads to that number, since it comes once.
//   - While operations that tell a number have not taken effect, the number stays.
//   - A pending operation that others show to have raised the number to n leads to n only; one of
//     which nothing is shown leads to a number only if it fits what is shown there.
//   - A pending operation that changes the state and not its number is used only if an operation on
//     one of its topics is open, or is pending and may raise the number next: until then it can
//     wait, for it commutes with what has none of its topics.
//
// Without these rules each pending operation is tried at each node, and what follows is refuted
// only when the next one tells its number.
//
// Enumerations (wgl/failure.go) list configurations that need not lead on, so they do without.
//
// Invariant: what the first three rules prune has no linearization, whatever has been used, as with
// held values; what the last one prunes has none that a configuration after it has not. It depends
// on the configuration alone, not on what has been used.
//
// Cost: for every change of the number that is tried, the operations that tell the number before;
// for other changes, the open operations. A node looks at the classes that may come next; for a
// number without owner, the first node looks at all.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// countedStates knows who tells which number.
type countedStates struct {
	r       *wgl.Run
	counted *model.RevisionTheory
	numbers []int64                           // told by completed operations, sorted
	tell    layout.Lists[int32, history.OpID] // by place in numbers
	owner   map[int64]history.OpID
	most    int64 // what all operations together raise the number to, at most

	// the classes of pending operations that may change a state and not its number, ascending
	edged   []layout.ClassID           // those with explicit order
	onTopic map[int32][]layout.ClassID // by topic

	// the classes below known that may lead to number next
	next  int64
	known layout.ClassID
	fit   []layout.ClassID
	list  []layout.ClassID // scratch of candidates
}

// countStates starts pruning, if states have a number.
func countStates(r *wgl.Run) {
	c := model.As[*model.RevisionTheory](r.Instance)
	if c == nil {
		return
	}
	x := newCountedStates(r, c)
	r.Prune(wgl.Rule{Bytes: x.bytes, Classes: x.mayChange, MayLead: func(s model.State, by history.OpID,
		t model.State) bool {
		return r.Enumerates() || x.mayCount(s, by, t)
	}})
}

// newCountedStates finds out who tells which number.
func newCountedStates(r *wgl.Run, c *model.RevisionTheory) *countedStates {
	x := &countedStates{r: r, counted: c, owner: map[int64]history.OpID{}, onTopic: map[int32][]layout.ClassID{}}
	for i := range r.Ops {
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
	for class := range r.Classes {
		q := r.Members.Of(class)[0]
		if !c.Silent[q] {
			continue
		}
		if r.HasEdge[q] {
			x.edged = append(x.edged, class)
		}
		for _, topic := range c.About[q] {
			x.onTopic[topic] = append(x.onTopic[topic], class)
		}
	}
	x.numbers = inorder.Distinct(x.numbers)
	x.tell = layout.NewLists(int32(len(x.numbers)), len(r.Returns), func(k int) (int32, history.OpID) {
		i := r.Returns[k]
		if n := c.At[i]; n >= 0 {
			place, _ := slices.BinarySearch(x.numbers, n)
			return int32(place), i
		}
		return -1, 0
	})
	x.most = c.Of(r.Table.Machine, r.Table.Machine.Init()) + int64(len(r.Ops))
	return x
}

// descends reports whether an operation comes before another one, in time or in explicit order,
// that tells a smaller number. Then there is no linearization.
func descends(r *wgl.Run, c *model.RevisionTheory) bool {
	told := int64(-1) // by what returned before the operation in question was called
	k := 0
	for i := range r.Ops {
		for ; k < len(r.Returns) && r.Ops[r.Returns[k]].Return < r.Ops[i].Call; k++ {
			told = max(told, c.At[r.Returns[k]])
		}
		if n := c.At[i]; n >= 0 && n < told {
			return true
		}
	}
	return slices.ContainsFunc(r.Instance.Partition.Edges, func(e history.Edge) bool {
		return !r.Ops[e.Before].Pending() && !r.Ops[e.After].Pending() && c.At[e.After] >= 0 &&
			c.At[e.After] < c.At[e.Before]
	})
}

// mayCount reports whether an operation may lead from state s to state t, as far as their numbers
// say.
func (x *countedStates) mayCount(s model.State, by history.OpID, t model.State) bool {
	r := x.r
	from, to := x.counted.Of(r.Table.Machine, s), x.counted.Of(r.Table.Machine, t)
	if from == to {
		return true
	}
	if owner, owned := x.owner[to]; owned && owner != by {
		return false
	}
	if n := x.counted.At[by]; n >= 0 && n != to || n < 0 && !x.counted.Fits(by, to) {
		return false
	}
	if place, told := slices.BinarySearch(x.numbers, from); told {
		for _, v := range x.tell.Of(int32(place)) {
			if v != by && !r.Done(v) {
				return false
			}
		}
	}
	return true
}

// mayChange lists the classes of pending operations, called so far, that may come next in state s,
// ascending: those that may lead to the next number, and those that change something else on which
// another operation depends that may come next.
func (x *countedStates) mayChange(s model.State) []layout.ClassID {
	r := x.r
	next := x.counted.Of(r.Table.Machine, s) + 1
	list := append(x.list[:0], x.edged...)
	if owner, owned := x.owner[next]; !owned {
		list = append(list, x.fitting(next)...)
		for _, class := range x.fitting(next) {
			list = x.appendTopics(list, r.Members.Of(class)[0])
		}
	} else if list = x.appendTopics(list, owner); r.Ops[owner].Pending() {
		list = append(list, r.Class[owner])
	}
	n := history.OpID(len(r.Ops))
	for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
		list = x.appendTopics(list, v)
	}
	list = inorder.Distinct(list)
	for len(list) > 0 && list[len(list)-1] >= r.Active {
		list = list[:len(list)-1]
	}
	if x.list = list; r.Unlimited {
		slices.SortStableFunc(list, func(c, d layout.ClassID) int {
			return cmp.Compare(r.Used[c]/max(r.Avail[c], 1), r.Used[d]/max(r.Avail[d], 1))
		})
	}
	return list
}

// appendTopics appends the classes that change something on which an operation depends.
func (x *countedStates) appendTopics(list []layout.ClassID, op history.OpID) []layout.ClassID {
	for _, topic := range x.counted.About[op] {
		list = append(list, x.onTopic[topic]...)
	}
	return list
}

// fitting lists the classes that may lead to a number without an owner.
func (x *countedStates) fitting(next int64) []layout.ClassID {
	r := x.r
	if r.Unlimited && next > x.most {
		return nil
	}
	if x.next != next {
		x.next, x.known, x.fit = next, 0, x.fit[:0]
	}
	for ; x.known < r.Active; x.known++ {
		q := r.Members.Of(x.known)[0]
		if n := x.counted.At[q]; n == next || n < 0 && x.counted.Fits(q, next) {
			x.fit = append(x.fit, x.known)
		}
	}
	return x.fit
}

// bytes estimates the memory.
func (x *countedStates) bytes() int64 {
	return int64(len(x.numbers))*(8+8) + int64(len(x.owner))*32 + int64(len(x.edged))*4 +
		int64(cap(x.fit)+cap(x.list))*4
}

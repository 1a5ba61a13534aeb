package search

// What: insertions into a first-in first-out queue that must not come before others.
//
// Source: the rule that values leave in the order in which they came; as a rule for pruning, ours.
//
// If the removal of y returns before that of x is called, y leaves before x, so it is inserted
// before x: while y has not been inserted, x must wait. So it must if y leaves and x stays. The
// search keeps the contents, and without this rule finds out only when y ought to leave, after all
// orders of what came meanwhile. It holds whatever the capacity of the queue is.
//
// A value that a completed operation removes is removed by no other one, if it is inserted once.
//
// Only values that are inserted once are looked at, or that no completed operation removes, and y
// only if a completed operation inserts it and one removes it. Removals that never return may take
// any value, but not before the first of them is called.
//
// Invariant: whatever is pruned has no linearization, whatever has been used. So nogoods of nodes
// without these children are as before.
//
// Cost: for every insertion that is tried, a visit of the open operations.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// insertionOrder says when values leave.
type insertionOrder struct {
	r      *wgl.Run
	queue  *model.BoundedQueueTheory
	leaves []history.Rank // by insertion: the return of the removal of its value, else Never
	after  []history.Rank // by insertion: the value leaves no sooner; -1 for other operations
	later  []history.Rank // by layer: the least of leaves of what is called in a later one
	taken  []bool         // by value: a completed operation removes it, and it is inserted once
}

// pruneInsertions starts pruning, if the partition is one bounded queue.
func pruneInsertions(r *wgl.Run) {
	queue := model.As[*model.BoundedQueueTheory](r.Instance)
	if queue == nil || queue.Moves == nil {
		return
	}
	does, values := queue.Moves.Does, queue.Moves.Value
	n, most := len(r.Ops), queue.Moves.Values
	inserted, removed := make([]int32, most), make([]int32, most)
	removal := make([]history.OpID, most)
	for _, v := range queue.Moves.Initial[0] {
		inserted[v]++
	}
	open := history.Never // the first call of a removal that never returns
	for i, v := range values {
		pending := r.Ops[i].Pending()
		switch {
		case does[i] == model.Insert && v >= 0:
			inserted[v]++
		case does[i] == model.Remove && (pending || v == model.Anything):
			open = min(open, r.Ops[i].Call)
		case does[i] == model.Remove && v >= 0:
			removed[v]++
			removal[v] = history.OpID(i)
		}
	}
	t := &insertionOrder{r: r, queue: queue, leaves: make([]history.Rank, n), after: make([]history.Rank, n),
		later: make([]history.Rank, len(r.Returns)+2), taken: make([]bool, most)}
	for k := range t.later {
		t.later[k] = history.Never
	}
	for v := range t.taken {
		t.taken[v] = removed[v] == 1 && inserted[v] == 1
	}
	for i, v := range values {
		t.leaves[i], t.after[i] = history.Never, -1
		if does[i] != model.Insert || v < 0 {
			continue
		}
		if removed[v] == 0 {
			t.after[i] = open
		}
		if !t.taken[v] {
			continue
		}
		t.after[i] = r.Ops[removal[v]].Call
		if r.Completed(history.OpID(i)) {
			t.leaves[i] = r.Ops[removal[v]].Return
			at := &t.later[max(0, r.From[i])]
			*at = min(*at, t.leaves[i])
		}
	}
	for k := len(t.later) - 2; k >= 0; k-- {
		t.later[k] = min(t.later[k], t.later[k+1])
	}
	r.Prune(wgl.Rule{Bytes: t.bytes, MayTake: func(s model.State, op history.OpID) bool {
		return !t.mustWait(op) && !t.takesAnothers(s, op)
	}})
}

// takesAnothers reports whether operation x, which may remove any value, would remove one in state
// s that another operation removes.
func (t *insertionOrder) takesAnothers(s model.State, x history.OpID) bool {
	r := t.r
	if t.queue.Moves.Does[x] != model.Remove || r.Completed(x) {
		return false
	}
	v := t.queue.Front(r.Machine, s)
	return v >= 0 && t.taken[v]
}

// bytes says what it takes.
func (t *insertionOrder) bytes() int64 {
	return int64(cap(t.leaves)+cap(t.after)+cap(t.later))*8 + int64(cap(t.taken))
}

// mustWait reports whether operation x inserts a value that leaves after one that has not been
// inserted.
func (t *insertionOrder) mustWait(x history.OpID) bool {
	r, after := t.r, t.after[x]
	if after < 0 {
		return false
	}
	if t.later[r.Depth+1] < after {
		return true
	}
	n := history.OpID(len(r.Ops))
	for y := r.NextOpen[n]; y != n; y = r.NextOpen[y] {
		if y != x && t.leaves[y] < after && !r.In(y) {
			return true
		}
	}
	return false
}

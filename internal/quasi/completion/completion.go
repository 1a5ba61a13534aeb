package completion

// Completions: pending operations of a collection that are settled by a guess.
//
// What: an operation that never returned may be left out, or take effect as one that returned a
// value after everything else. The guess:
//
//   - an insertion takes effect if completed removals took more copies of its value than completed
//     insertions put in;
//   - an item that no completed removal took, but that must be gone before some removal, is taken
//     by a pending removal; what has to be gone first gets the one that was called first, as in
//     earliest-deadline schedules;
//   - all others are left out.
//
// An item must be gone before a removal that found nothing and was called after the item was put
// in, and before one that took an item which leaves later by the discipline.
//
// Source: ours, after the completions of Herlihy and Wing (TOPLAS'90).
//
// Invariant: the completed history orders at least what the given one does, and has the results of
// its completed operations; so its ρ′ and ρ″ are those of the given one.
//
// Cost: O(n log n), and the items left times the removals.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// item is what is in the collection at the start, or is inserted.
type item struct {
	op       history.OpID // its insertion, -1 at the start
	value    int32
	call     history.Rank // of the insertion
	ret      history.Rank
	taken    bool         // by a completed removal
	deadline history.Rank // the earliest return of a removal before which it must be gone
}

// completion is a guess while it is made.
type completion struct {
	t        *model.CollectionTheory
	ops      []history.Op
	items    []item
	copies   [][]int32      // by value: its items by return
	removals []history.OpID // completed ones by return
	takes    []int32        // by removal: its item, or -1
	pending  []history.OpID // removals that never returned, by call
}

// Of returns a completion of the partition of b, and the position in that partition of every
// operation; nil if nothing is pending, if b is not one collection of known results, or if ctx is
// done.
func Of(ctx context.Context, b *model.Instance) (*model.Partition, []history.OpID) {
	c := collect(b)
	if c == nil || !c.match(ctx) || !c.findDeadlines(ctx) {
		return nil, nil
	}
	taker := c.assign()
	keep := make([]history.OpID, 0, len(c.ops))
	inserted := make([]bool, len(c.ops))
	for _, it := range c.items {
		if it.op >= 0 {
			inserted[it.op] = it.taken || !c.ops[it.op].Pending()
		}
	}
	for i := range c.ops {
		op := history.OpID(i)
		if _, takes := taker[op]; takes || inserted[op] || c.t.Does[i] != model.Insert && !c.ops[i].Pending() {
			keep = append(keep, op)
		}
	}
	p := b.Partition.Select(keep, b.Partition.Name)
	end := b.Partition.End()
	for k, op := range keep {
		o := &p.Ops[k]
		if !o.Pending() {
			continue
		}
		o.Return, o.Unknown = end+history.Rank(k), false
		if x, takes := taker[op]; takes {
			o.Result = c.ops[c.items[x].op].Arg
		}
	}
	return p, keep
}

// collect sorts the operations.
func collect(b *model.Instance) *completion {
	t, ok := b.Theory.(*model.CollectionTheory)
	if !ok || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 {
		return nil
	}
	c := &completion{t: t, ops: b.Partition.Ops, copies: make([][]int32, t.Values)}
	for k, v := range t.Initial[0] {
		c.items = append(c.items, item{op: -1, value: v, call: history.Rank(-2 * (len(t.Initial[0]) - k)),
			ret: history.Rank(-2*(len(t.Initial[0])-k) + 1), deadline: history.Never})
	}
	some := false
	for i := range c.ops {
		o, op := &c.ops[i], history.OpID(i)
		some = some || o.Pending()
		switch {
		case t.Does[i] == model.Insert:
			c.items = append(c.items, item{op: op, value: t.Value[i], call: o.Call, ret: o.Return,
				deadline: history.Never})
		case t.Does[i] == model.Remove && o.Pending():
			c.pending = append(c.pending, op)
		case t.Does[i] == model.Remove && t.Value[i] == model.Anything:
			return nil
		case t.Does[i] == model.Remove:
			c.removals = append(c.removals, op)
		}
	}
	if !some {
		return nil
	}
	slices.SortStableFunc(c.removals, func(x, y history.OpID) int {
		return cmp.Compare(c.ops[x].Return, c.ops[y].Return)
	})
	sort.SliceStable(c.items, func(x, y int) bool { return c.items[x].ret < c.items[y].ret })
	for x, it := range c.items {
		c.copies[it.value] = append(c.copies[it.value], int32(x))
	}
	return c
}

// match finds the item that each completed removal takes: of a stack the one of its value that was
// put in last, else the first. It returns false if there is none, or if ctx is done.
func (c *completion) match(ctx context.Context) bool {
	c.takes = make([]int32, len(c.removals))
	for k, r := range c.removals {
		if ctx.Err() != nil {
			return false
		}
		v := c.t.Value[r]
		if c.takes[k] = -1; v == model.Nothing {
			continue
		}
		if v < 0 || len(c.copies[v]) == 0 {
			return false
		}
		at := 0
		if c.t.Discipline == model.LIFO {
			for at+1 < len(c.copies[v]) && c.items[c.copies[v][at+1]].ret < c.ops[r].Return {
				at++
			}
		}
		x := c.copies[v][at]
		if at == 0 {
			c.copies[v] = c.copies[v][1:]
		} else {
			c.copies[v] = slices.Delete(c.copies[v], at, at+1)
		}
		c.items[x].taken, c.takes[k] = true, x
	}
	return true
}

// findDeadlines finds the deadlines of the items that are left. It returns false if that takes too
// long, or if ctx is done.
func (c *completion) findDeadlines(ctx context.Context) bool {
	var left []*item
	for x := range c.items {
		if it := &c.items[x]; !it.taken && it.ret != history.Never {
			left = append(left, it)
		}
	}
	if len(left)*len(c.removals) > maxPairs {
		return false
	}
	for _, it := range left {
		if ctx.Err() != nil {
			return false
		}
		for k, r := range c.removals { // by return
			if c.goneBefore(it, c.ops[r].Call, c.takes[k]) {
				it.deadline = c.ops[r].Return
				break
			}
		}
	}
	return true
}

// goneBefore reports whether an item must be gone before a removal that was called then and takes
// item y, or nothing.
func (c *completion) goneBefore(it *item, call history.Rank, y int32) bool {
	if y < 0 {
		return it.ret < call
	}
	other := &c.items[y]
	switch c.t.Discipline {
	case model.FIFO:
		return it.ret < other.call
	case model.LIFO:
		return other.ret < it.call && it.ret < call
	default:
		return c.t.Rank[it.value] < c.t.Rank[other.value] && it.ret < call
	}
}

// assign gives pending removals to the items that must be gone, by deadline, as long as there are
// any. It returns the item of each of these removals.
func (c *completion) assign() map[history.OpID]int32 {
	var needed []int32
	for x := range c.items {
		if c.items[x].deadline != history.Never && c.items[x].op >= 0 {
			needed = append(needed, int32(x))
		}
	}
	slices.SortStableFunc(needed, func(x, y int32) int { return cmp.Compare(c.items[x].deadline, c.items[y].deadline) })
	taker := map[history.OpID]int32{}
	for k, x := range needed {
		if k < len(c.pending) {
			taker[c.pending[k]] = x
		}
	}
	return taker
}

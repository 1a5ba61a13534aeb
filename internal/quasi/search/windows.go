package search

// What: for queues and stacks, the places that the removal of a value can fill whatever else is
// decided; and values that are removed more often than they are inserted.
//
// Source: ours.
//
// The rank of a completed removal lies between 1 + the removals that returned before its call and
// the removals that were called before its return. Its content fills a place at most the bound
// away. If more copies of a value are inserted than completed removals return, a copy may be left
// to a removal with an unknown result or to a drain, or it may stay. Then the value has no latest
// place, and its first place is that of the earliest of these removals.
//
// Queue: a value inserted behind k others leaves at the (k+1)-th place from now, neither sooner nor
// later, since no removal finds the queue empty before. Stack: an item leaves after those above it,
// so its latest place limits how many there may be. The number of filled places and the number of
// items above it grow together only by pushes; so the least limit of the items below is kept with
// each item and compared at pushes only.
//
// Invariant: windows do not depend on the configuration.
//
// Cost: O(n log n) once, then O(1) a move.

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// window holds the first and the last place at which a value can leave.
type window struct{ first, last int32 }

// lacking reports whether completed removals took more copies of a value than were ever inserted.
func (l *problem) lacking() bool {
	if l.bound.Items.Delta == nil {
		return false
	}
	type item struct {
		object model.ObjectID
		value  history.Value
	}
	balance := map[item]int{}
	for o := range l.drains {
		for _, v := range initialItems(l.bound.Partition) {
			balance[item{model.ObjectID(o), v}]++
		}
	}
	for i := range l.n {
		if l.bound.Items.Delta[i] > 0 {
			balance[item{l.object[i], l.ops[i].Arg}]++
		}
	}
	for i := range l.n {
		if o := &l.ops[i]; l.bound.Items.Delta[i] < 0 && l.completed(i) && !o.Unknown {
			k := item{l.object[i], o.Result}
			if balance[k]--; balance[k] < 0 {
				return true
			}
		}
	}
	return false
}

// newWindows returns the window of every value of the theory, and for each collection the group of
// its removals (-1 if it has none). Both are nil for theories other than queues and stacks.
func newWindows(l *problem) ([]window, []groupID) {
	t, ok := l.bound.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline == model.ByPriority {
		return nil, nil
	}
	windows := make([]window, t.Values)
	surplus := make([]int32, t.Values)     // how many more copies are inserted than removed
	home := make([]model.CellID, t.Values) // the collection of a value
	for v := range windows {
		windows[v].first = math.MaxInt32
	}
	removals := make([]groupID, len(t.Initial))
	for s, initial := range t.Initial {
		removals[s] = -1
		for _, v := range initial {
			surplus[v]++
			home[v] = model.CellID(s)
		}
	}
	groups := len(l.groups)
	calls, returns, unknown := make([][]history.Rank, groups), make([][]history.Rank, groups),
		make([][]history.Rank, groups)
	for i := range l.n {
		v, g := t.Value[i], l.group[i]
		switch {
		case t.Does[i] == model.Insert:
			surplus[v]++
			home[v] = t.Object[i]
		case t.Does[i] == model.Remove:
			removals[t.Object[i]] = g
			calls[g] = append(calls[g], l.ops[i].Call)
			if l.completed(i) {
				returns[g] = append(returns[g], l.ops[i].Return)
			}
			if v == model.Anything {
				unknown[g] = append(unknown[g], l.ops[i].Call)
			} else if v >= 0 {
				surplus[v]--
			}
		}
	}
	for g := range returns {
		slices.Sort(returns[g])
	}
	rank := func(sorted []history.Rank, event history.Rank) int32 {
		k, _ := slices.BinarySearch(sorted, event)
		return int32(k)
	}
	for i := range l.n {
		if v, g := t.Value[i], l.group[i]; t.Does[i] == model.Remove && v >= 0 {
			w := &windows[v]
			w.first = min(w.first, 1+rank(returns[g], l.ops[i].Call))
			w.last = max(w.last, rank(calls[g], l.ops[i].Return))
		}
	}
	for v := range windows {
		w, g := &windows[v], removals[home[v]]
		if g < 0 {
			*w = window{0, math.MaxInt32}
			continue
		}
		if surplus[v] > 0 {
			w.last = math.MaxInt32
			w.first = min(w.first, 1+int32(len(returns[g])))
			if len(unknown[g]) > 0 {
				w.first = min(w.first, 1+rank(returns[g], unknown[g][0]))
			}
		}
		bound := l.groups[g].bound
		w.first -= min(bound, w.first)
		w.last += min(bound, math.MaxInt32-w.last)
	}
	return windows, removals
}

// timely reports whether the value that operation op inserts can leave in time without making a
// value below it late.
func (r *run) timely(op history.OpID) bool {
	if r.windows == nil {
		return true
	}
	s := r.collectionOf[op]
	held, g := &r.collections[s], r.removals[s]
	if g < 0 {
		return true
	}
	w := r.windows[held.t.Value[op]]
	place := r.places[g] + int32(held.size) + 1
	if held.t.Discipline == model.FIFO {
		return w.first <= place && place <= w.last
	}
	return r.places[g]+1 <= w.last &&
		(held.size == 0 || max(place, w.first+int32(held.size)) <= held.limits[held.size-1])
}

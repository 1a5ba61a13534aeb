package search

// What: the contents of a queue, stack or priority queue in the current configuration. From them
// the search sees which contents cannot be applied now, or not in time, without asking the machine.
//
// Source: ours.
//
// Every place of a group of removals takes out at most one item. So an owed removal of v has to
// wait for as many places as there are items that must leave before v: those in front of v in a
// queue; those on top of v in a stack, unless v can still be pushed again; those of smaller
// priority in a priority queue. A removal that found nothing waits for all items.
//
// Invariants: a collection holds exactly the items that the contents applied so far left there.
// Items of equal priority are only counted.
//
// Cost: O(1) a step for queues and stacks, O(log values) for priority queues.

import (
	"cmp"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// collection is the contents of one object.
type collection struct {
	t     *model.CollectionTheory
	items []int32   // FIFO: all values inserted so far; LIFO: the contents
	head  int       // FIFO: the front
	where [][]int32 // by value: its places in items, ascending
	yet   []int32   // by value: insertions that are not applied yet
	// By value, ByPriority by level: known removals of it that are not applied yet.
	wanted []int32
	// LIFO, by place in items: the least last place at which this item or one below it can leave,
	// and the item's own place.
	limits  []int32
	windows []window
	// ByPriority:
	level []int32 // value → its rank among the priorities
	tree  []int32 // Fenwick tree: items by level
	size  int
}

// newCollections returns the collections and, for every operation, the index of its collection.
// Both are nil if the theory is not one of collections.
func newCollections(l *problem, windows []window) ([]collection, []model.CellID) {
	t, ok := l.bound.Theory.(*model.CollectionTheory)
	if !ok {
		return nil, nil
	}
	var level []int32
	levels := 0
	if t.Discipline == model.ByPriority {
		order := make([]int32, t.Values)
		for v := range order {
			order[v] = int32(v)
		}
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(t.Rank[a], t.Rank[b]) })
		level = make([]int32, t.Values)
		for k, v := range order {
			if k > 0 && t.Rank[v] != t.Rank[order[k-1]] {
				levels++
			}
			level[v] = int32(levels)
		}
		levels++
	}
	all := make([]collection, len(t.Initial))
	for o := range all {
		s := &all[o]
		s.t, s.level, s.windows = t, level, windows
		if level != nil {
			s.tree = make([]int32, levels+1)
		} else {
			s.where = make([][]int32, t.Values)
		}
		s.yet, s.wanted = make([]int32, t.Values), make([]int32, t.Values)
		initial := t.Initial[o] // next to leave first
		for k := range initial {
			if t.Discipline == model.LIFO {
				k = len(initial) - 1 - k
			}
			s.insert(initial[k])
		}
	}
	for i := range l.n {
		switch s := &all[t.Object[i]]; {
		case t.Does[i] == model.Insert:
			s.yet[t.Value[i]]++
		case t.Does[i] == model.Remove && t.Value[i] >= 0:
			s.wanted[s.front(t.Value[i])]++
		}
	}
	return all, t.Object
}

// insert adds a value.
func (s *collection) insert(v int32) {
	s.size++
	if s.level != nil {
		s.add(s.level[v], 1)
		return
	}
	at := int32(len(s.items))
	if s.t.Discipline == model.LIFO {
		limit := s.windows[v].last
		limit += min(at, math.MaxInt32-limit)
		if at > 0 {
			limit = min(limit, s.limits[at-1])
		}
		s.limits = append(s.limits[:at], limit)
	}
	s.where[v] = append(s.where[v], at)
	s.items = append(s.items, v)
}

// uninsert removes the value that was inserted last.
func (s *collection) uninsert(v int32) {
	s.size--
	if s.level != nil {
		s.add(s.level[v], -1)
		return
	}
	s.where[v] = s.where[v][:len(s.where[v])-1]
	s.items = s.items[:len(s.items)-1]
}

// add changes the number of items of a level in the Fenwick tree.
func (s *collection) add(level, by int32) {
	for i := int(level) + 1; i < len(s.tree); i += i & -i {
		s.tree[i] += by
	}
}

// below counts the items of lower levels.
func (s *collection) below(level int32) int {
	n := int32(0)
	for i := int(level); i > 0; i -= i & -i {
		n += s.tree[i]
	}
	return int(n)
}

// lowest returns the least level that holds an item.
func (s *collection) lowest() int32 {
	at, step := 0, 1
	for 2*step < len(s.tree) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if at+step < len(s.tree) && s.tree[at+step] == 0 {
			at += step
		}
	}
	return int32(at)
}

// next returns what leaves next: a value for a queue or stack, a level for a priority queue, -1 if
// the collection is empty.
func (s *collection) next() int32 {
	switch {
	case s.size == 0:
		return -1
	case s.level != nil:
		return s.lowest()
	case s.t.Discipline == model.FIFO:
		return s.items[s.head]
	}
	return s.items[len(s.items)-1]
}

// front returns what next returns when v is the value that leaves next.
func (s *collection) front(v int32) int32 {
	if s.level != nil && v >= 0 {
		return s.level[v]
	}
	return v
}

// spare reports whether, among the items that may leave next, there is one that no known removal
// takes.
func (s *collection) spare() bool {
	if s.size == 0 {
		return false
	}
	next := s.next()
	if s.level != nil {
		return s.below(next+1) > int(s.wanted[next])
	}
	return s.wanted[next] == 0
}

// want adds by (1 or -1) to the unapplied removals of a known value.
func (s *collection) want(op history.OpID, by int32) {
	if v := s.t.Value[op]; v >= 0 && s.t.Does[op] == model.Remove {
		s.wanted[s.front(v)] += by
	}
}

// apply applies the content of an operation and returns what undo needs.
func (s *collection) apply(op history.OpID) int32 {
	s.want(op, -1)
	switch {
	case s.t.Does[op] == model.Insert:
		s.yet[s.t.Value[op]]--
		s.insert(s.t.Value[op])
	case s.t.Does[op] == model.Remove && s.size > 0:
		v := s.next()
		switch {
		case s.level != nil:
			s.add(v, -1)
		case s.t.Discipline == model.FIFO:
			s.head++
		default:
			s.uninsert(v)
			return v
		}
		s.size--
		return v
	}
	return -1
}

// undo reverts apply, which returned took.
func (s *collection) undo(op history.OpID, took int32) {
	s.want(op, 1)
	switch {
	case s.t.Does[op] == model.Insert:
		s.yet[s.t.Value[op]]++
		s.uninsert(s.t.Value[op])
	case took < 0:
	case s.level != nil:
		s.add(took, 1)
		s.size++
	case s.t.Discipline == model.FIFO:
		s.head--
		s.size++
	default:
		s.insert(took)
	}
}

// allows returns false only if the machine would refuse the content of an operation; a drain has to
// remove something.
func (s *collection) allows(op history.OpID, drain bool) bool {
	v := s.t.Value[op]
	switch {
	case s.t.Does[op] == model.Insert:
		return true
	case s.size == 0:
		return !drain && v < 0
	case v < 0:
		return v == model.Anything
	}
	return s.next() == s.front(v)
}

// ahead returns how many items must leave before a removal can happen.
func (s *collection) ahead(op history.OpID) int {
	v := s.t.Value[op]
	switch {
	case s.t.Does[op] != model.Remove || v == model.Anything:
		return 0
	case v == model.Nothing:
		return s.size
	case s.level != nil:
		return s.below(s.level[v])
	case s.t.Discipline == model.FIFO:
		places := s.where[v]
		if k, _ := slices.BinarySearch(places, int32(s.head)); k < len(places) {
			return int(places[k]) - s.head
		}
		return s.size
	}
	if places := s.where[v]; len(places) > 0 && s.yet[v] == 0 {
		return len(s.items) - 1 - int(places[len(places)-1])
	}
	return 0
}

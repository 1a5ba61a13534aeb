package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Window is a set of operations of a partition for which axioms are instantiated. Some operations
// of the partition may be missing, some may or may not take effect in the window, and the state at
// its start may be unknown.
type Window struct {
	// calls, returns (Never if a return does not count) and explicit order
	Partition *model.Partition
	Theory    model.Axiomatic // of the operations of Partition
	Optional  []bool          // by operation: it may or may not take effect in the window
	Gone      []bool          // by operation: it is not in the window
	Unknown   bool            // any state may be there at the start (registers and counters)
	// Ordered says which facts of real time may be used; nil: all.
	Ordered map[[2]history.OpID]bool

	edges   map[[2]history.OpID]bool
	members [][]history.OpID                // by object
	items   []int32                         // values of all initial items
	place   []model.CellID                  // object of every item
	found   map[history.OpID][]history.OpID // by removal and peek: see Candidates
}

// prepare indexes the window.
func (w *Window) prepare() {
	if w.members != nil {
		return
	}
	object, objects := w.objects()
	w.members = make([][]history.OpID, objects)
	for i := range w.Partition.Ops {
		if !w.Gone[i] {
			w.members[object[i]] = append(w.members[object[i]], history.OpID(i))
		}
	}
	w.edges, w.found = map[[2]history.OpID]bool{}, map[history.OpID][]history.OpID{}
	for _, e := range w.Partition.Edges {
		w.edges[[2]history.OpID{e.Before, e.After}] = true
	}
	if c, ok := w.Theory.(*model.CollectionTheory); ok {
		for o, items := range c.Initial {
			for k := range items {
				v := items[k]
				// items are numbered in the order of their insertion
				if c.Discipline == model.LIFO {
					v = items[len(items)-1-k]
				}
				w.items = append(w.items, v)
				w.place = append(w.place, model.CellID(o))
			}
		}
	}
}

func (w *Window) objects() (object []model.CellID, count int) {
	switch t := w.Theory.(type) {
	case *model.RegisterTheory:
		return t.Object, len(t.Init)
	case *model.CollectionTheory:
		return t.Object, len(t.Initial)
	case *model.CountingTheory:
		return t.Object, len(t.Init)
	}
	return make([]model.CellID, len(w.Partition.Ops)), 1
}

// Members returns the operations of the window on the object (cell, collection, counter) of
// operation i.
func (w *Window) Members(i history.OpID) []history.OpID {
	w.prepare()
	object, _ := w.objects()
	return w.members[object[i]]
}

// Objects returns how many objects the theory has, and the operations of the window on each.
func (w *Window) Objects() [][]history.OpID {
	w.prepare()
	return w.members
}

// Items returns how many items are there at the start, over all collections.
func (w *Window) Items() int {
	w.prepare()
	return len(w.items)
}

// Precedes reports whether a<b may be used as a fact of real time.
func (w *Window) Precedes(a, b history.OpID) bool {
	return w.Partition.Precedes(a, b) && (w.Ordered == nil || w.Ordered[[2]history.OpID{a, b}])
}

// Given reports whether the history gives a before b explicitly.
func (w *Window) Given(a, b history.OpID) bool {
	w.prepare()
	return w.edges[[2]history.OpID{a, b}]
}

// is reports whether i is an operation of the window.
func (w *Window) is(i history.OpID) bool {
	return i >= 0 && int(i) < len(w.Partition.Ops) && !w.Gone[i]
}

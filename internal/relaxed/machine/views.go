package machine

import (
	"slices"

	"github.com/linsat/linsat/internal/relaxed/graph"
)

// store is a write in the memory.
type store struct {
	ref  graph.Ref
	at   int  // position in its location
	rmw  bool // of an update: nothing comes between it and the one before
	na   bool
	sent view // what an acquire read of it joins
}

// view says for every location which store a thread knows at least, and for every thread how many
// of its events happened before.
type view struct {
	known  []*store
	events graph.Clock
}

func (v view) clone() view { return view{slices.Clone(v.known), v.events} }

func (v *view) at(loc int32) *store {
	if int(loc) < len(v.known) {
		return v.known[loc]
	}
	return nil
}

func (v *view) raise(loc int32, s *store) {
	for len(v.known) <= int(loc) {
		v.known = append(v.known, nil)
	}
	if old := v.known[loc]; old == nil || old.at < s.at {
		v.known[loc] = s
	}
}

func (v *view) join(w *view) {
	for loc, s := range w.known {
		if s != nil {
			v.raise(int32(loc), s)
		}
	}
	v.events.Join(&w.events)
}

// thread is the state of a thread: what it knows, what an acquire fence would add, and what a
// release fence has sent.
type thread struct {
	now, due, sent view
}

// access is one that happened, for races.
type access struct {
	ref       graph.Ref
	na, write bool
}

type location struct {
	stores []*store
	all    []access
}

// memory is the state of the machine.
type memory struct {
	threads [graph.MaxThreads]thread
	locs    []location
}

func (m *memory) reset() { *m = memory{} }

func (m *memory) declare(loc int32) {
	for len(m.locs) <= int(loc) {
		m.locs = append(m.locs, location{})
	}
	m.locs[loc] = location{stores: []*store{{ref: graph.Init}}}
}

// readable returns the stores that the thread can read, oldest first.
func (m *memory) readable(t int, loc int32) []*store {
	from := 0
	if s := m.threads[t].now.at(loc); s != nil {
		from = s.at
	}
	return m.locs[loc].stores[from:]
}

// places returns after which stores the thread can write: not before what it knows, and not between
// an update and the store that it read.
func (m *memory) places(t int, loc int32) []*store {
	all := m.locs[loc].stores
	var out []*store
	for _, s := range m.readable(t, loc) {
		if s.at+1 == len(all) || !all[s.at+1].rmw {
			out = append(out, s)
		}
	}
	return out
}

// free reports whether no update has read the store.
func (m *memory) free(loc int32, s *store) bool {
	all := m.locs[loc].stores
	return s.at+1 == len(all) || !all[s.at+1].rmw
}

// tick counts an event of the thread.
func (m *memory) tick(t int) { m.threads[t].now.events[t]++ }

func (m *memory) read(t int, loc int32, s *store, o graph.Order, ref graph.Ref) {
	m.tick(t)
	th := &m.threads[t]
	if o.Acquires() {
		th.now.join(&s.sent)
	}
	if o != graph.NotAtomic {
		th.due.join(&s.sent)
	}
	th.now.raise(loc, s)
	m.locs[loc].all = append(m.locs[loc].all, access{ref, o == graph.NotAtomic, false})
}

// write puts a store after another one; from is what an update read.
func (m *memory) write(t int, loc int32, after, from *store, o graph.Order, ref graph.Ref) {
	m.tick(t)
	th := &m.threads[t]
	s := &store{ref: ref, rmw: from != nil, na: o == graph.NotAtomic}
	l := &m.locs[loc]
	l.stores = slices.Insert(l.stores, after.at+1, s)
	for i := after.at + 1; i < len(l.stores); i++ {
		l.stores[i].at = i
	}
	th.now.raise(loc, s)
	switch {
	case o.Releases():
		s.sent = th.now.clone()
	case o != graph.NotAtomic:
		s.sent = th.sent.clone()
	}
	if from != nil {
		s.sent.join(&from.sent)
	}
	l.all = append(l.all, access{ref, o == graph.NotAtomic, true})
}

func (m *memory) fence(t int, o graph.Order) {
	m.tick(t)
	th := &m.threads[t]
	if o.Acquires() {
		th.now.join(&th.due)
	}
	if o.Releases() {
		th.sent = th.now.clone()
	}
}

// race returns an access that conflicts with the next one of the thread and did not happen before.
func (m *memory) race(t int, loc int32, na, write bool) (graph.Ref, bool) {
	now := &m.threads[t].now.events
	for _, a := range m.locs[loc].all {
		if (a.na || na) && (a.write || write) && !now.Has(a.ref) {
			return a.ref, true
		}
	}
	return graph.None, false
}

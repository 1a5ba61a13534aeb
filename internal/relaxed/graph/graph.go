// Package graph holds execution graphs of the memory model RC11: events, and the relations sb, rf
// and mo between them. What follows from these (happens-before, the prefix of an event) is kept in
// clocks, which are computed as events are added.
//
// An atomic update is two events, a read and a write that follows it at once, both with RMW set.
package graph

import "slices"

// Order is the memory order of an access or a fence.
type Order uint8

const (
	NotAtomic Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SeqCst
)

var orders = [...]string{"na", "rlx", "acq", "rel", "acq_rel", "sc"}

func (o Order) String() string { return orders[o] }

// Acquires reports whether a read or fence of this order is at least acquire.
func (o Order) Acquires() bool { return o == Acquire || o == AcqRel || o == SeqCst }

// Releases reports whether a write or fence of this order is at least release.
func (o Order) Releases() bool { return o >= Release }

// Kind is what an event does.
type Kind uint8

const (
	Read Kind = iota
	Write
	Fence
	Join   // waits for the end of a thread
	Choice // a choice of the program
)

// Ref names an event: a thread and the position in it.
type Ref int32

const (
	// Init is the write that every location has first in mo, and which happens before everything.
	Init Ref = -1
	// None is no event.
	None Ref = -2
)

// At returns the name of an event.
func At(thread, index int) Ref { return Ref(thread<<16 | index) }

// Thread returns the thread of an event.
func (r Ref) Thread() int { return int(r >> 16) }

// Index returns the position of an event in its thread.
func (r Ref) Index() int { return int(r & 0xffff) }

// Event is an event of a graph.
type Event struct {
	Kind     Kind
	Order    Order
	RMW      bool // part of an atomic update
	Spurious bool // the read of a weak compare-and-swap that failed although the value was right
	Blocked  bool // the read of an await that it does not end; the thread goes no further
	Loc      int32
	RF       Ref   // of a read: what it reads
	Arg      int32 // Join: the thread; Choice: the value
	Of       int32 // Choice: the number of values
	Stamp    int32 // position in the order in which events were added

	HB   Clock // what happens before the event, itself included
	Porf Clock // the same under sb ∪ rf
	Sent Clock // of a write: what happens before an acquire read of it
	Due  Clock // what an acquire fence here would receive
	Rel  Clock // what happens before the last release fence
}

// IsRead reports whether the event reads.
func (e *Event) IsRead() bool { return e.Kind == Read }

// IsWrite reports whether the event writes.
func (e *Event) IsWrite() bool { return e.Kind == Write }

// Birth says where a thread starts: right after the first After events of its parent. Rank counts
// the threads that the parent started before.
type Birth struct {
	Made                bool
	Parent, After, Rank int
}

// Graph is an execution graph.
type Graph struct {
	Threads [MaxThreads][]Event
	Births  [MaxThreads]Birth
	MO      [][]Ref // by location: its writes without Init, in modification order
	Racy    bool    // events that are not atomic may race
	next    int32   // stamp

	Promises []Promise // with load buffering
}

// Promise is the value of a write that is read before it is made.
type Promise struct {
	Write Ref
	Value any
}

// Reset empties the graph.
func (g *Graph) Reset() {
	for i := range g.Threads {
		g.Threads[i] = g.Threads[i][:0]
		g.Births[i] = Birth{}
	}
	for i := range g.MO {
		g.MO[i] = g.MO[i][:0]
	}
	g.Racy, g.next, g.Promises = false, 0, g.Promises[:0]
}

// CopyFrom makes g equal to h.
func (g *Graph) CopyFrom(h *Graph) {
	for i := range g.Threads {
		g.Threads[i] = append(g.Threads[i][:0], h.Threads[i]...)
	}
	g.Births = h.Births
	g.locations(len(h.MO))
	for i := range g.MO {
		if i < len(h.MO) {
			g.MO[i] = append(g.MO[i][:0], h.MO[i]...)
		} else {
			g.MO[i] = g.MO[i][:0]
		}
	}
	g.Racy, g.next, g.Promises = h.Racy, h.next, append(g.Promises[:0], h.Promises...)
}

func (g *Graph) locations(n int) {
	for len(g.MO) < n {
		g.MO = append(g.MO, nil)
	}
}

// CopyPart makes g the part of h with the events that keep has, which is closed under sb and rf
// except for the reads that the caller changes.
func (g *Graph) CopyPart(h *Graph, keep *Clock) {
	for i := range g.Threads {
		g.Threads[i] = append(g.Threads[i][:0], h.Threads[i][:keep[i]]...)
	}
	g.Births = h.Births
	g.locations(len(h.MO))
	for i := range g.MO {
		g.MO[i] = g.MO[i][:0]
		if i >= len(h.MO) {
			continue
		}
		for _, w := range h.MO[i] {
			if keep.Has(w) {
				g.MO[i] = append(g.MO[i], w)
			}
		}
	}
	g.Racy, g.next, g.Promises = h.Racy, h.next, g.Promises[:0]
	for _, p := range h.Promises {
		if keep.Has(p.Write) {
			g.Promises = append(g.Promises, p)
		}
	}
}

// Event returns an event.
func (g *Graph) Event(r Ref) *Event { return &g.Threads[r.Thread()][r.Index()] }

// Writes returns the writes of a location without Init, in modification order.
func (g *Graph) Writes(loc int32) []Ref {
	if int(loc) >= len(g.MO) {
		return nil
	}
	return g.MO[loc]
}

// Position returns the position of a write in mo, 0 for Init.
func (g *Graph) Position(loc int32, w Ref) int {
	if w == Init {
		return 0
	}
	return slices.Index(g.MO[loc], w) + 1
}

// Waits reports whether the last accesses of a thread, up to its last write, are reads of what was
// written last: it would read the same again.
func (g *Graph) Waits(thread int) bool {
	of, reads := g.Threads[thread], false
	for i := len(of) - 1; i >= 0 && of[i].Kind != Write && of[i].Kind != Join; i-- {
		if e := &of[i]; e.Kind == Read {
			if g.Position(e.Loc, e.RF) < len(g.Writes(e.Loc)) {
				return false
			}
			reads = true
		}
	}
	return reads
}

// Before returns the clock of what happens before the next event of a thread, and the same under
// sb ∪ rf.
func (g *Graph) Before(thread int) (hb, porf Clock) {
	if n := len(g.Threads[thread]); n > 0 {
		e := &g.Threads[thread][n-1]
		return e.HB, e.Porf
	}
	return g.Start(thread)
}

// Start returns the same clocks for the start of a thread.
func (g *Graph) Start(thread int) (hb, porf Clock) {
	for thread > 0 {
		b := &g.Births[thread]
		if b.After > 0 {
			e := &g.Threads[b.Parent][b.After-1]
			return e.HB, e.Porf
		}
		thread = b.Parent
	}
	return Clock{}, Clock{}
}

// Follows reports whether an event comes before the start of a thread: the thread, or one that
// started it, is started by the thread of the event afterwards.
func (g *Graph) Follows(thread int, a Ref) bool {
	for ; thread > 0; thread = g.Births[thread].Parent {
		if b := &g.Births[thread]; b.Parent == a.Thread() {
			return b.Made && a.Index() < b.After
		}
	}
	return false
}

// Add appends an event to its thread and fills its clocks. A write is placed in mo right after the
// position-th write, Init being the 0th; position matters for writes only.
func (g *Graph) Add(thread int, e Event, position int) Ref {
	r := At(thread, len(g.Threads[thread]))
	e.Stamp = g.next
	g.next++
	g.Threads[thread] = append(g.Threads[thread], e)
	if e.Kind == Write {
		g.locations(int(e.Loc) + 1)
		g.MO[e.Loc] = slices.Insert(g.MO[e.Loc], position, r)
	}
	g.Fill(r)
	return r
}

// Fill computes the clocks of an event from those of the events before it.
func (g *Graph) Fill(r Ref) {
	t, i := r.Thread(), r.Index()
	e := &g.Threads[t][i]
	e.Due, e.Rel = Clock{}, Clock{}
	switch {
	case i > 0:
		p := &g.Threads[t][i-1]
		e.HB, e.Porf, e.Due, e.Rel = p.HB, p.Porf, p.Due, p.Rel
	default:
		e.HB, e.Porf = g.Start(t)
	}
	e.HB[t], e.Porf[t] = uint8(i+1), uint8(i+1)
	switch e.Kind {
	case Read:
		if e.RF >= 0 {
			w := g.Event(e.RF)
			e.Porf.Join(&w.Porf)
			if e.Order != NotAtomic && w.Order != NotAtomic {
				e.Due.Join(&w.Sent)
			}
			if e.Order.Acquires() {
				e.HB.Join(&w.Sent)
			}
		}
	case Fence:
		if e.Order.Acquires() {
			e.HB.Join(&e.Due)
		}
		if e.Order.Releases() {
			e.Rel = e.HB
		}
	case Join:
		if n := len(g.Threads[e.Arg]); n > 0 {
			c := &g.Threads[e.Arg][n-1]
			e.HB.Join(&c.HB)
			e.Porf.Join(&c.Porf)
		}
	case Write:
		switch {
		case e.Order == NotAtomic:
			e.Sent = Clock{}
		case e.Order.Releases():
			e.Sent = e.HB
		default:
			e.Sent = e.Rel
		}
		if e.RMW {
			if f := g.Threads[t][i-1].RF; f >= 0 {
				e.Sent.Join(&g.Event(f).Sent)
			}
		}
	}
}

// Refill computes all clocks of a graph in which sb ∪ rf may have cycles, and forgets the promises
// of writes that nothing before them reads.
func (g *Graph) Refill() {
	for t := range g.Threads {
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			e.HB, e.Porf, e.Sent, e.Due, e.Rel = Clock{}, Clock{}, Clock{}, Clock{}, Clock{}
		}
	}
	for changed := true; changed; {
		changed = false
		for t := range g.Threads {
			for i := range g.Threads[t] {
				before := g.Threads[t][i]
				g.Fill(At(t, i))
				changed = changed || g.Threads[t][i] != before
			}
		}
	}
	g.Promises = slices.DeleteFunc(g.Promises, func(p Promise) bool {
		for t := range g.Threads {
			for i := range g.Threads[t] {
				if e := &g.Threads[t][i]; e.Kind == Read && e.RF == p.Write && g.Event(p.Write).Porf.Has(At(t, i)) {
					return false
				}
			}
		}
		return true
	})
}

// Follow moves the write of an update in mo to the place after a write.
func (g *Graph) Follow(update, w Ref) {
	loc := g.Event(w).Loc
	of := slices.DeleteFunc(g.MO[loc], func(x Ref) bool { return x == update })
	g.MO[loc] = slices.Insert(of, slices.Index(of, w)+1, update)
}

// HB reports whether a happens before b.
func (g *Graph) HB(a, b Ref) bool { return a != b && g.Event(b).HB.Has(a) }

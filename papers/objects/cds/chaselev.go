package cds

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// Results of take and steal that are no items.
const (
	empty = -1
	abort = -2 // another thread was faster
)

type items struct{ of []int }

var dequeSpec = cdsspec.Structure[items]{Name: "Chase-Lev deque", HappensBefore: []string{"Push -> Take(got)",
	"Push -> Steal(got)"}}

var dequePush = cdsspec.Method[items, int, none]{
	Of: &dequeSpec, Name: "Push", Points: []string{"bottom"},
	ID:         func(v int, _ none) any { return v },
	SideEffect: func(s *items, v int, _ none) { s.of = append(s.of, v) },
}

var dequeTake = cdsspec.Method[items, none, int]{
	Of: &dequeSpec, Name: "Take", Points: []string{"bottom"}, Conditions: itemGot, ID: itemID,
	PreCondition: func(s *items, _ none, got int) bool { return got == s.at(len(s.of)-1) },
	SideEffect:   func(s *items, _ none, _ int) { s.of = s.of[:max(0, len(s.of)-1)] },
}

var dequeSteal = cdsspec.Method[items, none, int]{
	Of: &dequeSpec, Name: "Steal", Points: []string{"read", "top"}, Conditions: itemGot, ID: itemID,
	PreCondition: func(s *items, _ none, got int) bool { return got < 0 || got == s.at(0) },
	SideEffect: func(s *items, _ none, got int) {
		if got >= 0 {
			s.of = s.of[1:]
		}
	},
}

var itemGot = map[string]func(none, int) bool{"got": func(_ none, got int) bool { return got >= 0 }}

func itemID(_ none, got int) any { return got }

func (s *items) at(i int) int {
	if i < 0 || i >= len(s.of) {
		return empty
	}
	return s.of[i]
}

// deque is the work-stealing deque of Chase and Lev (SPAA 2005) with the memory orders of Lê, Pop,
// Cohen and Zappa Nardelli (PPoPP 2013, Figure 1). Its owner pushes and takes at the bottom; others
// steal at the top.
type deque struct {
	x           *c11.Exec
	top, bottom *c11.Int[int]
	array       *c11.Atomic[*ring]
	// stale makes push go on with the array from before a resize, as the published code does.
	stale bool
	// zeroed makes slots of new arrays 0: a thief that comes late may read one below top, which
	// resize doesn't copy, before its compare-and-swap fails.
	zeroed bool
}

// ring is an array whose size is a power of two. Its slots have no value before the first write.
type ring struct {
	size  *c11.Int[int]
	slots []*c11.Atomic[int]
}

func (r *ring) String() string { return fmt.Sprintf("array of %d", len(r.slots)) }

func newRing(x *c11.Exec, size int, zeroed bool) *ring {
	r := &ring{size: c11.NewInt(x, "size", size)}
	for i := range size {
		slot := c11.NewUninitialized[int](x, fmt.Sprintf("%d[%d]", size, i))
		if zeroed {
			slot.Store(0, c11.Relaxed)
		}
		r.slots = append(r.slots, slot)
	}
	return r
}

func newDeque(x *c11.Exec, size int) *deque {
	return &deque{
		x:      x,
		top:    c11.NewInt(x, "top", 0),
		bottom: c11.NewInt(x, "bottom", 0),
		array:  c11.NewAtomic(x, "array", newRing(x, size, false)),
	}
}

func (q *deque) push(v int) {
	call := dequePush.Begin(q.x, q, v)
	b := q.bottom.Load(c11.Relaxed)
	t := q.top.Load(c11.Acquire)
	a := q.array.Load(c11.Relaxed)
	if b-t > a.size.Load(c11.Relaxed)-1 {
		q.resize()
		if !q.stale {
			a = q.array.Load(c11.Relaxed)
		}
	}
	a.slots[b%a.size.Load(c11.Relaxed)].Store(v, c11.Relaxed)
	q.x.Fence(c11.Release)
	q.bottom.Store(b+1, c11.Relaxed)
	cdsspec.Point(q.x, true, "bottom")
	call.End(none{})
}

func (q *deque) resize() {
	a := q.array.Load(c11.Relaxed)
	size := a.size.Load(c11.Relaxed)
	bigger := newRing(q.x, 2*size, q.zeroed)
	t := q.top.Load(c11.Relaxed)
	b := q.bottom.Load(c11.Relaxed)
	for i := t; i < b; i++ {
		v := a.slots[i%size].Load(c11.Relaxed)
		bigger.slots[i%(2*size)].Store(v, c11.Relaxed)
	}
	q.array.Store(bigger, c11.Release)
}

func (q *deque) take() int {
	call := dequeTake.Begin(q.x, q, none{})
	v := q.tryTake()
	call.End(v)
	return v
}

func (q *deque) tryTake() int {
	b := q.bottom.Load(c11.Relaxed) - 1
	a := q.array.Load(c11.Relaxed)
	q.bottom.Store(b, c11.Relaxed)
	cdsspec.Point(q.x, true, "bottom")
	q.x.Fence(c11.SeqCst)
	t := q.top.Load(c11.Relaxed)
	if t > b {
		q.bottom.Store(b+1, c11.Relaxed)
		return empty
	}
	v := a.slots[b%a.size.Load(c11.Relaxed)].Load(c11.Relaxed)
	if t == b { // the last item: thieves want it too
		if _, won := q.top.CompareAndSwap(t, t+1, c11.SeqCst, c11.Relaxed); !won {
			v = empty
		}
		q.bottom.Store(b+1, c11.Relaxed)
	}
	return v
}

func (q *deque) steal() int {
	call := dequeSteal.Begin(q.x, q, none{})
	v := q.trySteal()
	call.End(v)
	return v
}

func (q *deque) trySteal() int {
	t := q.top.Load(c11.Acquire)
	q.x.Fence(c11.SeqCst)
	b := q.bottom.Load(c11.Acquire)
	cdsspec.Point(q.x, true, "read")
	if t >= b {
		return empty
	}
	a := q.array.Load(c11.Acquire)
	v := a.slots[t%a.size.Load(c11.Relaxed)].Load(c11.Relaxed)
	_, won := q.top.CompareAndSwap(t, t+1, c11.SeqCst, c11.Relaxed)
	cdsspec.Point(q.x, won, "top")
	if !won {
		return abort
	}
	return v
}

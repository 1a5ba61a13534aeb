package cds

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

var spscSpec = cdsspec.Structure[fifo]{Name: "SPSC queue", HappensBefore: []string{"Enqueue -> Dequeue"}}

var spscEnqueue = cdsspec.Method[fifo, int, none]{
	Of: &spscSpec, Name: "Enqueue", Points: []string{"link", "signal"},
	ID:         func(v int, _ none) any { return v },
	SideEffect: func(s *fifo, v int, _ none) { s.items = append(s.items, v) },
}

var spscDequeue = cdsspec.Method[fifo, none, int]{
	Of: &spscSpec, Name: "Dequeue", Points: []string{"next"},
	ID:           func(_ none, got int) any { return got },
	PreCondition: func(s *fifo, _ none, got int) bool { return s.front() == taken{got, true} },
	SideEffect:   func(s *fifo, _ none, _ int) { s.items = s.items[1:] },
}

// nodeName names a node in texts. Shipping code, which has no execution, needs no names.
func nodeName(x *c11.Exec, n int) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("n%d", n)
}

// spsc is the unbounded queue for one producer and one consumer of the benchmarks of CDSChecker: a
// list with a dummy node. dequeue blocks while the queue is empty.
type spsc struct {
	x          *c11.Exec
	last       *spscNode // of the producer alone
	first      *spscNode // of the consumer alone
	eventcount *eventcount
}

type spscNode struct {
	name  string
	value *c11.Cell[int]
	next  *c11.Atomic[*spscNode]
}

func (n *spscNode) String() string {
	if n == nil {
		return "null"
	}
	return n.name
}

func newSPSCNode(x *c11.Exec, v int) *spscNode {
	name := nodeName(x, v)
	return &spscNode{name, c11.NewCell(x, name+".value", v), c11.NewAtomic(x, name+".next", (*spscNode)(nil))}
}

func newSPSC(x *c11.Exec) *spsc {
	n := newSPSCNode(x, 0)
	return &spsc{x, n, n, newEventcount(x)}
}

func (q *spsc) enqueue(v int) {
	call := spscEnqueue.Begin(q.x, q, v)
	n := newSPSCNode(q.x, v)
	q.last.next.Store(n, c11.Release)
	cdsspec.Point(q.x, true, "link")
	q.last = n
	q.eventcount.signal(q.x)
	call.End(none{})
}

func (q *spsc) dequeue() int {
	call := spscDequeue.Begin(q.x, q, none{})
	v, ok := q.tryDequeue()
	for !ok {
		ticket := q.eventcount.get()
		if v, ok = q.tryDequeue(); !ok {
			q.eventcount.wait(ticket)
			v, ok = q.tryDequeue()
		}
	}
	call.End(v)
	return v
}

func (q *spsc) tryDequeue() (int, bool) {
	n := q.first.next.Load(c11.Acquire)
	cdsspec.Point(q.x, n != nil, "next")
	if n == nil {
		return 0, false
	}
	q.first = n
	return n.value.Load(), true
}

// eventcount lets a thread wait until something that it looks for may have come: get, look again,
// wait. The top bit of count says that a thread waits. The mutex and the condition variable of the
// original are the last line of wait.
type eventcount struct{ count *c11.Int[uint32] }

const waiting = 1 << 31

func newEventcount(x *c11.Exec) *eventcount {
	return &eventcount{c11.NewInt(x, "count", uint32(0))}
}

func (e *eventcount) signal(x *c11.Exec) {
	c := e.count.FetchAdd(0, c11.SeqCst)
	cdsspec.Point(x, true, "signal")
	for c&waiting != 0 {
		seen, ok := e.count.CompareAndSwap(c, (c+1)&^waiting, c11.Relaxed, c11.Relaxed)
		if ok {
			return
		}
		c = seen
	}
}

func (e *eventcount) get() uint32 {
	return e.count.Update(func(c uint32) uint32 { return c | waiting }, c11.SeqCst) &^ waiting
}

func (e *eventcount) wait(ticket uint32) {
	e.count.Await(func(c uint32) bool { return c&^waiting != ticket }, c11.SeqCst)
}

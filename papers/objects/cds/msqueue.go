package cds

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// fifo is the sequential queue.
type fifo struct{ items []int }

// taken is the result of a dequeue.
type taken struct {
	value int
	ok    bool
}

var msSpec = cdsspec.Structure[fifo]{Name: "M&S queue", HappensBefore: []string{
	"Enqueue -> Dequeue(taken)", "Dequeue(taken) -> Dequeue",
}}

var msEnqueue = cdsspec.Method[fifo, int, none]{
	Of: &msSpec, Name: "Enqueue", Points: []string{"tail", "link"},
	SideEffect: func(s *fifo, v int, _ none) { s.items = append(s.items, v) },
}

var msDequeue = cdsspec.Method[fifo, none, taken]{
	Of: &msSpec, Name: "Dequeue", Points: []string{"head", "next"},
	Conditions:   map[string]func(none, taken) bool{"taken": func(_ none, got taken) bool { return got.ok }},
	PreCondition: func(s *fifo, _ none, got taken) bool { return s.front() == got },
	SideEffect:   (*fifo).pop,
}

// msDequeueFirst specifies the interface that the benchmark had first: it returns 0 where there is
// nothing to take.
var msDequeueFirst = cdsspec.Method[fifo, none, taken]{
	Of: &msSpec, Name: "Dequeue", Points: msDequeue.Points, Conditions: msDequeue.Conditions,
	PreCondition: func(s *fifo, _ none, got taken) bool { return s.front().value == got.value },
	SideEffect:   func(s *fifo, _ none, got taken) { s.pop(none{}, taken{got.value, got.value != 0}) },
}

func (s *fifo) front() taken {
	if len(s.items) == 0 {
		return taken{}
	}
	return taken{s.items[0], true}
}

func (s *fifo) pop(_ none, got taken) {
	if got.ok {
		s.items = s.items[1:]
	}
}

// msQueue is the queue of Michael and Scott (PODC 1996) with the orders of the benchmarks of
// CDSChecker. As there, nodes are in an array whose first one stands for the null pointer, so code
// that follows a null pointer reads a value, which is 0. Nodes are never used again, so pointers
// carry no counts.
type msQueue struct {
	x          *c11.Exec
	null       *msNode
	head, tail *c11.Atomic[*msNode]
	first      bool // dequeue has its first interface
}

type msNode struct {
	name  string
	value *c11.Cell[int]
	next  *c11.Atomic[*msNode]
}

func (n *msNode) String() string { return n.name }

func newMSQueue(x *c11.Exec) *msQueue {
	q := &msQueue{x: x}
	q.null = &msNode{"null", c11.NewCell(x, "null.value", 0), c11.NewUninitialized[*msNode](x, "null.next")}
	dummy := q.node(0)
	q.head, q.tail = c11.NewAtomic(x, "head", dummy), c11.NewAtomic(x, "tail", dummy)
	return q
}

func (q *msQueue) node(v int) *msNode {
	name := nodeName(q.x, v)
	return &msNode{name, c11.NewCell(q.x, name+".value", v), c11.NewAtomic(q.x, name+".next", q.null)}
}

func (q *msQueue) enqueue(v int) {
	call := msEnqueue.Begin(q.x, q, v)
	n := q.node(v)
	var tail *msNode
	for done := false; !done; {
		cdsspec.ClearPoints(q.x, true, "tail")
		tail = q.tail.Load(c11.Acquire)
		cdsspec.Point(q.x, true, "tail")
		next := tail.next.Load(c11.Acquire)
		if tail != q.tail.Load(c11.Relaxed) {
			continue
		}
		if next == q.null {
			_, done = tail.next.CompareAndSwap(q.null, n, c11.Release, c11.Relaxed)
			cdsspec.Point(q.x, done, "link")
		}
		if !done { // the tail lags behind: help
			next = tail.next.Load(c11.Acquire)
			q.tail.CompareAndSwap(tail, next, c11.Release, c11.Relaxed)
		}
	}
	q.tail.CompareAndSwap(tail, n, c11.Release, c11.Relaxed)
	call.End(none{})
}

func (q *msQueue) dequeue() (got taken) {
	method := &msDequeue
	if q.first {
		method = &msDequeueFirst
	}
	call := method.Begin(q.x, q, none{})
	for !q.tryDequeue(&got) {
		cdsspec.ClearPoints(q.x, true, "head")
	}
	call.End(got)
	return got
}

// tryDequeue is one round of dequeue. It reports whether that was the last.
func (q *msQueue) tryDequeue(got *taken) bool {
	head := q.head.Load(c11.Acquire)
	cdsspec.Point(q.x, true, "head")
	tail := q.tail.Load(c11.Acquire) // relaxed in the first version of the benchmark
	next := head.next.Load(c11.Acquire)
	cdsspec.Point(q.x, true, "next")
	if head != q.head.Load(c11.Relaxed) {
		return false
	}
	if head == tail {
		if next == q.null {
			return true
		}
		q.tail.CompareAndSwap(tail, next, c11.Release, c11.Relaxed)
		return false
	}
	v := next.value.Load()
	_, ok := q.head.CompareAndSwap(head, next, c11.Release, c11.Relaxed)
	if ok {
		*got = taken{v, true}
	}
	return ok
}

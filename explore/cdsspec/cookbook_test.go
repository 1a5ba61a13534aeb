//go:build !linsat_native

package cdsspec_test

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// vyukov is Vyukov's bounded queue for several producers and consumers. In C++:
//
//	struct cell { std::atomic<size_t> sequence; T data; };
//	std::atomic<size_t> enqueue_pos, dequeue_pos;
//
// An int stands for size_t, a Cell for plain data, so that a race on it is found.
type vyukov struct {
	x        *c11.Exec
	sequence []*c11.Int[int]
	data     []*c11.Cell[int]
	in, out  *c11.Int[int]
}

func newVyukov(x *c11.Exec, size int) *vyukov {
	q := &vyukov{x: x, in: c11.NewInt(x, "in", 0), out: c11.NewInt(x, "out", 0)}
	for i := range size {
		q.sequence = append(q.sequence, c11.NewInt(x, "sequence", i))
		q.data = append(q.data, c11.NewCell(x, "data", 0))
	}
	return q
}

func (q *vyukov) enqueue(v int) bool {
	pos, ok := q.move(q.in, 0)
	if ok {
		q.data[pos%len(q.data)].Store(v)
		q.sequence[pos%len(q.data)].Store(pos+1, c11.Release)
	}
	return ok
}

func (q *vyukov) dequeue() (v int, ok bool) {
	pos, ok := q.move(q.out, 1)
	if ok {
		v = q.data[pos%len(q.data)].Load()
		q.sequence[pos%len(q.data)].Store(pos+len(q.data), c11.Release)
	}
	return v, ok
}

// move takes the next position of an end; the sequence of its cell is ahead of it by that much if
// it is its turn.
func (q *vyukov) move(end *c11.Int[int], ahead int) (pos int, ok bool) {
	pos = end.Load(c11.Relaxed)
	for {
		switch d := q.sequence[pos%len(q.data)].Load(c11.Acquire) - pos - ahead; {
		case d < 0:
			return 0, false
		case d > 0:
			next := end.Load(c11.Relaxed)
			q.x.Assume(next != pos) // the same round again
			pos = next
			continue
		}
		was, ok := end.CompareAndSwap(pos, pos+1, c11.Relaxed, c11.Relaxed)
		if ok {
			return pos, true
		}
		pos = was
	}
}

func useVyukov(x *c11.Exec) {
	q := newVyukov(x, 2)
	x.Go(func() {
		q.enqueue(1)
		q.enqueue(2)
		q.enqueue(3)
	})
	x.Go(func() {
		q.dequeue()
		q.dequeue()
		q.dequeue()
	})
}

// seqlock protects two words, as Boehm has it (MSPC 2012). Its data are atomics, since readers look
// at them while they are written.
type seqlock struct {
	x    *c11.Exec
	seq  *c11.Int[int]
	a, b *c11.Int[int]
}

func (l *seqlock) write(v int) { // one writer at a time
	s := l.seq.Load(c11.Relaxed)
	l.seq.Store(s+1, c11.Relaxed)
	l.x.Fence(c11.Release)
	l.a.Store(v, c11.Relaxed)
	l.b.Store(v, c11.Relaxed)
	l.seq.Store(s+2, c11.Release)
}

func (l *seqlock) read() (a, b int) {
	s := l.seq.Await(func(s int) bool { return s%2 == 0 }, c11.Acquire) // do … while (s & 1)
	a, b = l.a.Load(c11.Relaxed), l.b.Load(c11.Relaxed)
	l.x.Fence(c11.Acquire)
	l.x.Assume(l.seq.Load(c11.Relaxed) == s) // while (…): only the last round counts
	return a, b
}

func useSeqlock(x *c11.Exec) {
	l := &seqlock{x, c11.NewInt(x, "seq", 0), c11.NewInt(x, "a", 0), c11.NewInt(x, "b", 0)}
	x.Go(func() {
		l.write(1)
		l.write(2)
	})
	x.Go(func() {
		if a, b := l.read(); a != b {
			panic(fmt.Sprintf("half of a write: %d and %d", a, b))
		}
	})
}

// box is an object that readers protect by a hazard pointer (Michael, IEEE TPDS 2004). To free it
// is a write to its cell, which races with a reader that still uses it.
type box struct{ v *c11.Cell[int] }

type guarded struct {
	x       *c11.Exec
	current *c11.Atomic[*box]
	hazard  *c11.Atomic[*box]
}

func (g *guarded) read() int {
	p := g.current.Load(c11.Relaxed)
	for {
		g.hazard.Store(p, c11.Relaxed)
		g.x.Fence(c11.SeqCst)
		q := g.current.Load(c11.Acquire)
		if p == q {
			break
		}
		p = q
	}
	v := p.v.Load()
	g.hazard.Store(nil, c11.Release)
	return v
}

func (g *guarded) replace(by *box) {
	old := g.current.Swap(by, c11.Release)
	g.x.Fence(c11.SeqCst)
	if g.hazard.Load(c11.Acquire) != old {
		old.v.Store(-1)
	}
}

func useHazard(x *c11.Exec) {
	next := func(v int) *box { return &box{c11.NewCell(x, "v", v)} }
	g := &guarded{x, c11.NewAtomic(x, "current", next(1)), c11.NewAtomic[*box](x, "hazard", nil)}
	x.Go(func() { g.read() })
	x.Go(func() { g.replace(next(2)) })
}

// Structures as they are in C++, line by line, and which of their memory orders these programs
// need. A loop that only waits is an Await; of a loop that begins again, Assume leaves the last
// round. A ring of Vyukov's with one cell does not pass: both states of the cell have one number.
func ExampleWeaken() {
	ctx := context.Background()
	for _, of := range []struct {
		name string
		use  c11.Program
	}{{"Vyukov's queue", useVyukov}, {"seqlock", useSeqlock}, {"hazard pointer", useHazard}} {
		all, err := cdsspec.Weaken(ctx, []c11.Program{of.use}, cdsspec.Options{}, nil)
		fmt.Println(of.name, err)
		for _, w := range all {
			fmt.Printf("  %-24s %-4v alone %-4v together %v\n", w.Access, w.Order, w.Alone, w.Together)
		}
	}
	// Output:
	// Vyukov's queue <nil>
	//   enqueue: store sequence  rel  alone rel  together rel
	//   dequeue: store sequence  rel  alone rel  together rel
	//   move: load sequence      acq  alone acq  together acq
	// seqlock <nil>
	//   write: fence             rel  alone rel  together rel
	//   write: store seq         rel  alone rel  together rel
	//   read: load seq           acq  alone acq  together acq
	//   read: fence              acq  alone acq  together acq
	// hazard pointer <nil>
	//   read: fence              sc   alone sc   together sc
	//   read: load current       acq  alone rlx  together rlx
	//   read: store hazard       rel  alone rel  together rel
	//   replace: update current  rel  alone rel  together rel
	//   replace: fence           sc   alone sc   together sc
	//   replace: load hazard     acq  alone acq  together acq
}

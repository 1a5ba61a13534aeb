//go:build !linsat_native

package cds

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/explore/c11"
)

// The drivers of GenMC's tests (folder tests/correct/data-structures), and the number of complete
// executions that GenMC checks in for RC11. GenMC blocks an execution in which a thread goes once
// more through a loop although the round before had no effect; keep says which graphs it leaves.
// papers/docs/cds.md has the reasons.
var genmc = []struct {
	name    string
	program c11.Program
	keep    func(t *testing.T, g *c11.Graph) bool
	want    int
}{
	{"chase-lev", boundedDequeDriver, all, 65},
	{"ms-queue", func(x *c11.Exec) {
		q := newMSQueue(x)
		for i := range 2 {
			x.Go(func() {
				q.enqueue(10 * i)
				q.dequeue()
			})
		}
	}, oneDequeueRound, 50},
	{"mcs_spinlock", linuxMCSDriver, all, 6},
	{"mpmc-queue", func(x *c11.Exec) {
		q := newMPMC(x, 4)
		write := func(v int) {
			q.bins[q.prepare().n].Store(v)
			q.publish()
		}
		write(17)
		x.Go(func() { write(1) })
		x.Go(func() {
			for {
				if !q.fetch().ok {
					return
				}
				q.consume()
			}
		})
	}, without(func(e *c11.Event) bool { return e.Failed }), 3},
	{"linuxrwlocks", func(x *c11.Exec) {
		l := newRWLock(x)
		data := c11.NewCell(x, "data", 0)
		for range 2 {
			x.Go(func() {
				l.readLock()
				data.Load()
				l.readUnlock()
				l.writeLock()
				data.Store(1)
				l.writeUnlock()
			})
		}
	}, without(func(e *c11.Event) bool { return e.Kind == c11.UpdateEvent && e.Order == c11.Relaxed }), 14},
	{"treiber-stack", treiberDriver, without(func(e *c11.Event) bool { return e.Failed && in(e, "pop") }), 18},
}

func TestGraphsAreAsManyAsGenMCs(t *testing.T) {
	for _, c := range genmc {
		n := 0
		s, err := c11.Run(c.program, c11.Options{Trace: true}, func(g *c11.Graph) bool {
			if g.Outcome == c11.Complete && c.keep(t, g) {
				n++
			}
			return true
		})
		require.NoError(t, err)
		require.True(t, s.All, c.name)
		t.Log(c.name, s.Runs, s.Graphs, s.Outcomes, n)
		assert.Equal(t, c.want, n, c.name)
	}
}

func all(*testing.T, *c11.Graph) bool { return true }

func without(bad func(*c11.Event) bool) func(*testing.T, *c11.Graph) bool {
	return func(_ *testing.T, g *c11.Graph) bool {
		for i := range g.Events {
			if bad(&g.Events[i]) {
				return false
			}
		}
		return true
	}
}

// oneDequeueRound reports whether every dequeue needs one round. GenMC's driver assumes that the
// compare-and-swap of the head succeeds, and a round that finds the head changed has no effect.
func oneDequeueRound(t *testing.T, g *c11.Graph) bool {
	rounds := map[int]int{}
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind == c11.ReadEvent && e.Loc == "head" && e.Order == c11.Acquire {
			rounds[e.Thread]++
			if rounds[e.Thread] > 1 {
				before := &g.Events[i-1]
				assert.Equal(t, "head", before.Loc)
				assert.False(t, before.Writes())
				return false
			}
		}
		if e.Failed && e.Loc == "head" {
			return false
		}
	}
	return true
}

func in(e *c11.Event, f string) bool { return strings.HasSuffix(e.Func, "."+f) }

// boundedDequeDriver is the driver of GenMC's chase-lev: the deque of Lê et al. with an array of
// fixed size, whose owner pushes 5, pops 3 and pushes 2, and one thief. Plain accesses of the array
// are relaxed here, because GenMC is told to look for no races.
func boundedDequeDriver(x *c11.Exec) {
	const size = 10
	bottom, top := c11.NewInt(x, "bottom", 0), c11.NewInt(x, "top", 0)
	var slots [size]*c11.Atomic[int]
	for i := range slots {
		slots[i] = c11.NewAtomic(x, "slot", 0)
	}
	push := func(v int) {
		b := bottom.Load(c11.Relaxed)
		if t := top.Load(c11.Acquire); b-t >= size {
			return
		}
		slots[b%size].Store(v, c11.Relaxed)
		bottom.Store(b+1, c11.Release)
	}
	pop := func() {
		b := bottom.Load(c11.Relaxed)
		bottom.Store(b-1, c11.Relaxed)
		x.Fence(c11.SeqCst)
		t := top.Load(c11.Relaxed)
		if b <= t {
			bottom.Store(b, c11.Relaxed)
			return
		}
		slots[(b-1)%size].Load(c11.Relaxed)
		if b-t == 1 {
			top.CompareAndSwap(t, t+1, c11.AcqRel, c11.Acquire)
			bottom.Store(b, c11.Relaxed)
		}
	}
	steal := func() {
		t := top.Load(c11.Relaxed)
		x.Fence(c11.SeqCst)
		if b := bottom.Load(c11.Acquire); b <= t {
			return
		}
		slots[t%size].Load(c11.Relaxed)
		top.CompareAndSwap(t, t+1, c11.Release, c11.Relaxed)
	}
	x.Go(func() {
		for i := range 5 {
			push(i + 1)
		}
		for range 3 {
			pop()
		}
		for i := range 2 {
			push(i + 6)
		}
	})
	x.Go(steal)
}

// linuxMCSDriver is the driver of GenMC's mcs_spinlock: Linux's MCS lock, taken once by each of two
// threads.
func linuxMCSDriver(x *c11.Exec) {
	type node struct {
		next   *c11.Atomic[int]
		locked *c11.Int[int]
	}
	lock, shared := c11.NewAtomic(x, "lock", 0), c11.NewCell(x, "shared", 0)
	var nodes [3]node // 0: none
	for i := range nodes {
		nodes[i] = node{c11.NewAtomic(x, "next", 0), c11.NewInt(x, "locked", 0)}
	}
	set := func(n int) bool { return n != 0 }
	for me := 1; me <= 2; me++ {
		x.Go(func() {
			nodes[me].locked.Store(0, c11.Relaxed)
			nodes[me].next.Store(0, c11.Relaxed)
			if prev := lock.Swap(me, c11.AcqRel); prev != 0 {
				nodes[prev].next.Store(me, c11.Relaxed)
				nodes[me].locked.Await(set, c11.Acquire)
			}
			shared.Store(42)
			next := nodes[me].next.Load(c11.Relaxed)
			if next == 0 {
				if _, ok := lock.CompareAndSwap(me, 0, c11.Release, c11.Relaxed); ok {
					return
				}
				next = nodes[me].next.Await(set, c11.Relaxed)
			}
			nodes[next].locked.Store(1, c11.Release)
		})
	}
}

// treiberStack is the stack of GenMC's treiber-stack. Its nodes are never used again.
type treiberStack struct {
	x   *c11.Exec
	top *c11.Atomic[*treiberNode]
}

type treiberNode struct {
	value *c11.Cell[int]
	next  *c11.Atomic[*treiberNode]
}

func (s *treiberStack) push(v int) {
	n := &treiberNode{c11.NewCell(s.x, "value", v), c11.NewAtomic(s.x, "next", (*treiberNode)(nil))}
	for {
		top := s.top.Load(c11.Acquire)
		n.next.Store(top, c11.Relaxed)
		if _, ok := s.top.CompareAndSwap(top, n, c11.Release, c11.Relaxed); ok {
			return
		}
	}
}

func (s *treiberStack) pop() int {
	for {
		top := s.top.Load(c11.Acquire)
		if top == nil {
			return 0
		}
		next := top.next.Load(c11.Relaxed)
		if _, ok := s.top.CompareAndSwap(top, next, c11.Release, c11.Relaxed); ok {
			return top.value.Load()
		}
	}
}

// treiberDriver is the driver of GenMC's treiber-stack: two threads push, one pops, and reads what
// the pusher wrote before.
func treiberDriver(x *c11.Exec) {
	s := &treiberStack{x, c11.NewAtomic(x, "top", (*treiberNode)(nil))}
	data := [...]*c11.Atomic[int]{c11.NewAtomic(x, "x", 0), c11.NewAtomic(x, "x", 0)}
	for i := range data {
		x.Go(func() {
			data[i].Store(i+42, c11.Relaxed)
			s.push(i)
		})
	}
	x.Go(func() {
		if i := s.pop(); i != 0 {
			data[i].Load(c11.Relaxed)
		}
	})
}

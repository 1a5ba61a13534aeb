//go:build !linsat_native

package c11

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// updates adds to one counter from several threads: n! graphs of which none is blocked.
func updates(threads int) Program {
	return func(x *Exec) {
		n := NewInt(x, "n", 0)
		for range threads {
			x.Go(func() { n.FetchAdd(1, AcqRel) })
		}
	}
}

// buffering is store buffering in a ring.
func buffering(threads int, o Order) Program {
	return func(x *Exec) {
		var at []*Atomic[int]
		for range threads {
			at = append(at, NewAtomic(x, "x", 0))
		}
		for i := range threads {
			x.Go(func() {
				at[i].Store(1, o)
				at[(i+1)%threads].Load(o)
			})
		}
	}
}

// passing sends messages through a flag, with plain data.
func passing(x *Exec) {
	data, flag := NewCell(x, "data", 0), NewAtomic(x, "flag", 0)
	x.Go(func() {
		data.Store(42)
		for i := range 5 {
			flag.Store(i+1, Release)
		}
	})
	for range 2 {
		x.Go(func() {
			for range 3 {
				if flag.Load(Acquire) > 0 {
					data.Load()
				}
			}
		})
	}
}

type stackNode struct {
	value *Cell[int]
	next  *Atomic[*stackNode]
}

// stack is Treiber's, with pushes and pops.
func stack(x *Exec) {
	head := NewAtomic[*stackNode](x, "head", nil)
	push := func(v int) {
		n := &stackNode{NewCell(x, "value", v), NewAtomic[*stackNode](x, "next", nil)}
		for {
			top := head.Load(Acquire)
			n.next.Store(top, Relaxed)
			if _, ok := head.CompareAndSwap(top, n, Release, Relaxed); ok {
				return
			}
		}
	}
	pop := func() int {
		for {
			top := head.Load(Acquire)
			if top == nil {
				return 0
			}
			if _, ok := head.CompareAndSwap(top, top.next.Load(Relaxed), AcqRel, Relaxed); ok {
				return top.value.Load()
			}
		}
	}
	x.Go(func() { push(1); pop() })
	x.Go(func() { push(2); pop() })
}

func benchmark(b *testing.B, p Program) {
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		stats, err := Run(p, Options{}, func(*Graph) bool { return true })
		require.NoError(b, err)
		total += stats.Graphs
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "graphs/s")
	b.ReportMetric(float64(total)/float64(b.N), "graphs")
}

func BenchmarkUpdates(b *testing.B)     { benchmark(b, updates(6)) }
func BenchmarkBuffering(b *testing.B)   { benchmark(b, buffering(6, Relaxed)) }
func BenchmarkBufferingSC(b *testing.B) { benchmark(b, buffering(6, SeqCst)) }
func BenchmarkPassing(b *testing.B)     { benchmark(b, passing) }
func BenchmarkStack(b *testing.B)       { benchmark(b, stack) }

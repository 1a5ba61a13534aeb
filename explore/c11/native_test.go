//go:build linsat_native

package c11_test

import (
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
)

type point struct{ x, y int }

// TestNativeValues: every operation on pointers, numbers of all sizes, and structs.
func TestNativeValues(t *testing.T) {
	values(t, 0, 1, 2)
	values[int8](t, -1, 1, -128)
	values[uint16](t, 0, 1, 65535)
	values(t, false, true, true)
	a, b := new(int), new(int)
	values(t, nil, a, b)
	values(t, point{}, point{1, 2}, point{2, 1})
	values(t, "", "a", "b")
}

func values[T comparable](t *testing.T, a, b, c T) {
	t.Helper()
	var x *c11.Exec
	v := c11.NewAtomic(x, "v", a)
	assert.Equal(t, a, v.Load(c11.Relaxed))
	v.Store(b, c11.Release)
	assert.Equal(t, b, v.Load(c11.Acquire))
	assert.Equal(t, b, v.Swap(c, c11.AcqRel))
	read, ok := v.CompareAndSwap(a, b, c11.AcqRel, c11.Relaxed)
	assert.Equal(t, c, read)
	assert.False(t, ok)
	read, ok = v.CompareAndSwapWeak(c, a, c11.AcqRel, c11.Relaxed)
	assert.Equal(t, c, read)
	assert.True(t, ok)
	assert.Equal(t, a, v.Await(func(v T) bool { return v == a }, c11.Acquire))
	assert.Equal(t, a, v.Update(func(T) T { return c }, c11.AcqRel))
	assert.Equal(t, c, v.Load(c11.SeqCst))
	var zero T
	assert.Equal(t, zero, c11.NewUninitialized[T](x, "u").Load(c11.Relaxed))
}

// TestNativeNumbers wraps around where the type does.
func TestNativeNumbers(t *testing.T) {
	var x *c11.Exec
	small := c11.NewInt[int8](x, "n", 127)
	assert.Equal(t, int8(127), small.FetchAdd(1, c11.Relaxed))
	assert.Equal(t, int8(-128), small.Load(c11.Relaxed))
	big := c11.NewInt(x, "n", 5)
	assert.Equal(t, 5, big.FetchAdd(-7, c11.AcqRel))
	assert.Equal(t, -2, big.Load(c11.Relaxed))
}

// TestNativeThreads counts in goroutines, with each kind of update.
func TestNativeThreads(t *testing.T) {
	const threads, rounds = 4, 1000
	var x *c11.Exec
	n, p, spin := c11.NewInt(x, "n", 0), c11.NewAtomic(x, "p", point{}), c11.NewAtomic(x, "spin", 0)
	plain := c11.NewCell(x, "plain", 0)
	var all []*c11.Thread
	for range threads {
		all = append(all, x.Go(func() {
			for range rounds {
				n.FetchAdd(1, c11.Relaxed)
				p.Update(func(p point) point { return point{p.x + 1, p.y - 1} }, c11.Relaxed)
				for { // a lock around plain data
					_, ok := spin.CompareAndSwap(0, 1, c11.Acquire, c11.Relaxed)
					if ok {
						break
					}
					spin.Await(func(v int) bool { return v == 0 }, c11.Relaxed)
					x.Assume(false)
				}
				plain.Store(plain.Load() + 1)
				x.Fence(c11.SeqCst)
				spin.Store(0, c11.Release)
			}
		}))
	}
	for _, thread := range all {
		thread.Join()
	}
	assert.Equal(t, threads*rounds, n.Load(c11.Relaxed))
	assert.Equal(t, point{threads * rounds, -threads * rounds}, p.Load(c11.Relaxed))
	assert.Equal(t, threads*rounds, plain.Load())
}

// TestNativeAllocates: pointers and numbers are written without allocation.
func TestNativeAllocates(t *testing.T) {
	var x *c11.Exec
	one := new(int)
	p, n := c11.NewAtomic(x, "p", one), c11.NewInt(x, "n", 0)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		p.Store(one, c11.Release)
		p.CompareAndSwap(one, one, c11.AcqRel, c11.Acquire)
		n.Store(n.Load(c11.Relaxed)+1, c11.Relaxed)
		n.FetchAdd(1, c11.Relaxed)
	}))
}

//go:build linsat_native

package cdsspec_test

import (
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
)

// bare is the RCU without annotations.
func (r *rcu) bareRead() snapshot {
	n := r.node.Load(c11.Acquire)
	return snapshot{n.data.Load(), n.version.Load()}
}

func (r *rcu) bareUpdate(x *c11.Exec, data int) {
	next := newRCUNode(x)
	for prev, ok := r.node.Load(c11.Acquire), false; !ok; {
		next.data.Store(data)
		next.version.Store(prev.version.Load() + 1)
		prev, ok = r.node.CompareAndSwap(prev, next, c11.AcqRel, c11.Acquire)
	}
}

// TestNativeRCU runs the annotated structure in goroutines.
func TestNativeRCU(t *testing.T) {
	var x *c11.Exec
	r := newRCU(x, "r")
	var all []*c11.Thread
	for range 4 {
		all = append(all, x.Go(func() {
			for last, i := 0, 1; i <= 1000; i++ {
				r.update(x, i)
				got := r.read(x)
				if got.version < last {
					t.Errorf("version %d after %d", got.version, last)
				}
				last = got.version
			}
		}))
	}
	for _, thread := range all {
		thread.Join()
	}
	assert.Equal(t, 4000, r.read(x).version)
	assert.Zero(t, testing.AllocsPerRun(100, func() { r.read(x) }))
	assert.Equal(t, testing.AllocsPerRun(100, func() {
		r.bareUpdate(x, 1)
	}), testing.AllocsPerRun(100, func() { r.update(x, 1) }))
}

var sink snapshot

// BenchmarkNative compares the annotated structure with the same code without annotations.
func BenchmarkNative(b *testing.B) {
	var x *c11.Exec
	r := newRCU(x, "r")
	b.Run("read/annotated", func(b *testing.B) {
		for b.Loop() {
			sink = r.read(x)
		}
	})
	b.Run("read/bare", func(b *testing.B) {
		for b.Loop() {
			sink = r.bareRead()
		}
	})
	b.Run("update/annotated", func(b *testing.B) {
		for b.Loop() {
			r.update(x, 1)
		}
	})
	b.Run("update/bare", func(b *testing.B) {
		for b.Loop() {
			r.bareUpdate(x, 1)
		}
	})
}

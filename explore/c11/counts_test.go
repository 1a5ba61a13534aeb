//go:build !linsat_native

package c11

import (
	"runtime"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted are programs of which GenMC's tests (folder tests/correct/synthetic) say how many
// complete executions RC11 allows.
var counted = []struct {
	name   string
	thread func(x *Exec, n int)
	want   map[int]int // by n
	large  int         // the n from which only a full test runs it
}{
	{"ainc", func(x *Exec, n int) {
		a := NewInt(x, "x", 0)
		for range n {
			x.Go(func() { a.FetchAdd(1, AcqRel) })
		}
	}, map[int]int{2: 2, 3: 6, 4: 24, 5: 120, 6: 720, 7: 5040}, 8},
	{"N-writers", func(x *Exec, n int) {
		a := NewInt(x, "x", 0)
		for i := range n {
			x.Go(func() { a.Store(i, Release) })
		}
	}, map[int]int{6: 720}, 8},
	{"cinc", func(x *Exec, n int) {
		a, b, c := NewInt(x, "x", 0), NewInt(x, "y", 0), NewInt(x, "z", 0)
		for range n {
			x.Go(func() {
				a.FetchAdd(1, Relaxed)
				b.FetchAdd(1, Relaxed)
				c.FetchAdd(1, Relaxed)
			})
		}
	}, map[int]int{2: 8, 3: 216, 4: 13824}, 8},
	{"casrot", func(x *Exec, n int) {
		a := NewInt(x, "x", 0)
		for i := range n {
			x.Go(func() { a.CompareAndSwap(i, i+1, Relaxed, Relaxed) })
		}
	}, map[int]int{2: 2, 3: 5, 4: 14, 5: 43, 6: 144, 7: 523}, 8},
	{"casw", func(x *Exec, n int) {
		a := NewInt(x, "x", 0)
		for i := range n {
			x.Go(func() {
				a.CompareAndSwap(0, 1, Relaxed, Relaxed)
				a.Store(i+3, Release)
			})
		}
	}, map[int]int{2: 6, 3: 66, 4: 1200, 5: 32880}, 5},
	{"wcas", func(x *Exec, n int) {
		a := NewInt(x, "x", 0)
		x.Go(func() { a.Store(2, Release) })
		for range n {
			x.Go(func() { a.CompareAndSwap(2, 3, Relaxed, Relaxed) })
		}
	}, map[int]int{2: 5, 3: 13, 4: 33, 5: 81, 6: 193}, 8},
	{"lastzero", func(x *Exec, n int) {
		var of []*Int[int]
		for range n + 1 {
			of = append(of, NewInt(x, "array", 0))
		}
		x.Go(func() {
			for i := n; of[i].Load(Acquire) != 0; i-- {
			}
		})
		for i := range n {
			x.Go(func() { of[i+1].Store(of[i].Load(Acquire)+1, Release) })
		}
	}, map[int]int{5: 64}, 8},
	{"CoA", func(x *Exec, n int) {
		a, b, c := NewInt(x, "x", 0), NewInt(x, "y", 0), NewInt(x, "z", 0)
		for i, other := range []*Int[int]{b, c} {
			x.Go(func() {
				a.Store(i+1, Release)
				other.Load(Acquire)
				a.Load(Acquire)
			})
		}
		for i := range n - 1 {
			x.Go(func() {
				b.Store(i, Release)
				c.Store(i, Release)
			})
		}
	}, map[int]int{1: 4, 2: 16, 3: 144, 4: 2304, 5: 57600}, 5},
	{"publish", func(x *Exec, n int) {
		a, flag := NewInt(x, "x", 0), NewInt(x, "flag", 0)
		x.Go(func() {
			for count := 0; flag.Load(Acquire) != 1; {
				if count++; count > n {
					return
				}
			}
			a.Load(Acquire)
		})
		x.Go(func() {
			a.Store(42, Release)
			flag.Store(1, Release)
		})
	}, map[int]int{40: 42}, 100},
	{"fib_bench", func(x *Exec, n int) {
		a, b := NewInt(x, "x", 1), NewInt(x, "y", 1)
		for _, to := range []*Int[int]{a, b} {
			x.Go(func() {
				for range n {
					v := a.Load(Acquire)
					to.Store(v+b.Load(Acquire), Release)
				}
			})
		}
		x.Go(func() {
			if a.Load(Acquire) <= 144 {
				b.Load(Acquire)
			}
		})
	}, map[int]int{5: 525630}, 5},
	{"big0", func(x *Exec, n int) {
		var of []*Int[int]
		for _, name := range []string{"x", "y", "z", "w"} {
			of = append(of, NewInt(x, name, 0))
		}
		for _, reads := range [][]int{{0, 1, 2, 3, 0, 1, 2}, {0, 1, 2}} {
			x.Go(func() {
				for _, i := range reads {
					of[i].Load(Acquire)
				}
			})
		}
		for _, at := range []int{0, 2} {
			x.Go(func() {
				for v := range n {
					of[at].Store(v+1, Release)
					of[at+1].Store(v+1, Release)
				}
			})
		}
	}, map[int]int{3: 82472}, 8},
}

// TestGraphsAreAsManyAsGenMCs compares counts. Nothing blocks, so there is a run for each graph.
func TestGraphsAreAsManyAsGenMCs(t *testing.T) {
	for _, c := range counted {
		for n, want := range c.want {
			if n >= c.large && !testenv.Full() {
				continue
			}
			stats, err := Run(func(x *Exec) { c.thread(x, n) }, Options{}, func(*Graph) bool { return true })
			require.NoError(t, err)
			assert.True(t, stats.All)
			assert.Equal(t, want, stats.Outcomes[Complete], "%s %d", c.name, n)
			assert.Equal(t, want, stats.Runs, "%s %d", c.name, n)
		}
	}
}

// TestMemoryIsFlat measures what is in use early and late in a search of 13,824 graphs.
func TestMemoryIsFlat(t *testing.T) {
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early, late uint64
	n := 0
	_, err := Run(func(x *Exec) { counted[2].thread(x, 4) }, Options{}, func(*Graph) bool {
		switch n++; n {
		case 200:
			early = inUse()
		case 13_800:
			late = inUse()
		}
		return true
	})
	require.NoError(t, err)
	assert.Less(t, int64(late)-int64(early), int64(1<<20))
	t.Log(early, late)
}

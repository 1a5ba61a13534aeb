package explore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is a program of which GenMC's tests (folder tests/correct/synthetic, files
// expected.sc.mo.in) say how many complete executions sequential consistency allows, by n. Such an
// execution says what each access reads from and in which order locations are written, so it is a
// trace of DPOR by conflicts.
type counted struct {
	name      string
	locations int
	threads   func(x []*mem.Int64, n int) []func()
	want      map[int]int
}

// each repeats a thread.
func each(n int, thread func(i int)) []func() {
	threads := make([]func(), n)
	for i := range threads {
		threads[i] = func() { thread(i) }
	}
	return threads
}

// loads reads locations one after the other.
func loads(x []*mem.Int64, n int) func() {
	return func() {
		for i := range n {
			x[i%4].Load()
		}
	}
}

var genmc = []counted{
	{"ainc", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(int) { x[0].Add(1) })
	}, map[int]int{2: 2, 3: 6, 4: 24, 5: 120, 6: 720, 7: 5040}},
	{"binc", 2, func(x []*mem.Int64, n int) []func() {
		return each(n, func(int) {
			x[0].Add(1)
			x[1].Add(1)
		})
	}, map[int]int{2: 4, 3: 36, 4: 576}},
	{"cinc", 3, func(x []*mem.Int64, n int) []func() {
		return each(n, func(int) {
			x[0].Add(1)
			x[1].Add(1)
			x[2].Add(1)
		})
	}, map[int]int{2: 8, 3: 216, 4: 13824}},
	{"inc", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) { x[0].Store(x[0].Load() + 1<<i) })
	}, map[int]int{2: 4, 3: 36, 4: 576}},
	{"wainc", 1, func(x []*mem.Int64, n int) []func() {
		return append(each(n, func(int) { x[0].Add(1) }), func() { x[0].Store(42) })
	}, map[int]int{2: 6, 3: 24, 4: 120}},
	{"N-writers", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) { x[0].Store(int64(i)) })
	}, map[int]int{6: 720}},
	{"readers", 1, func(x []*mem.Int64, n int) []func() {
		return append(each(n, func(int) { x[0].Load() }), func() { x[0].Store(42) })
	}, map[int]int{2: 4, 8: 256, 13: 8192}},
	{"cas", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) { x[0].CompareAndSwap(0, int64(i+1)) })
	}, map[int]int{2: 2, 3: 3, 4: 4, 5: 5}},
	{"casrot", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) { x[0].CompareAndSwap(int64(i), int64(i+1)) })
	}, map[int]int{2: 2, 3: 5, 4: 14, 5: 43, 6: 144, 7: 523, 8: 2048, 9: 8597}},
	{"casw", 1, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) {
			x[0].CompareAndSwap(0, 1)
			x[0].Store(int64(i + 3))
		})
	}, map[int]int{2: 6, 3: 66, 4: 1200, 5: 32880}},
	{"CoA", 3, func(x []*mem.Int64, n int) []func() {
		threads := each(n-1, func(i int) {
			x[1].Store(int64(i))
			x[2].Store(int64(i))
		})
		return append(threads, each(2, func(i int) {
			x[0].Store(int64(i + 1))
			x[1+i].Load()
			x[0].Load()
		})...)
	}, map[int]int{1: 4, 2: 15, 3: 130, 4: 2028, 5: 49776}},
	{"lastzero", 16, func(x []*mem.Int64, n int) []func() {
		threads := each(n, func(i int) { x[i+1].Store(x[i].Load() + 1) })
		return append(threads, func() {
			for i := n; x[i].Load() != 0; i-- {
			}
		})
	}, map[int]int{5: 64, 10: 3328, 15: 147456}},
	{"indexer", 128, func(x []*mem.Int64, n int) []func() {
		return each(n, func(i int) {
			for k := range 4 {
				w := k*11 + i
				for h := w * 7 % 128; !x[h].CompareAndSwap(0, int64(w)); h = (h + 1) % 128 {
				}
			}
		})
	}, map[int]int{12: 8, 15: 4096}},
	{"fib_bench", 2, func(x []*mem.Int64, n int) []func() {
		threads := each(2, func(i int) {
			for range n {
				v := x[0].Load()
				x[i].Store(v + x[1].Load())
			}
		})
		return append(threads, func() {
			if x[0].Load() <= 144 {
				x[1].Load()
			}
		})
	}, map[int]int{5: 218243}},
	{"big0", 4, func(x []*mem.Int64, n int) []func() {
		return append(each(2, func(i int) {
			for v := range n {
				x[2*i].Store(int64(v + 1))
				x[2*i+1].Store(int64(v + 1))
			}
		}), loads(x, 7), loads(x, 3))
	}, map[int]int{3: 69112}},
}

// program has one operation for each thread.
func (c *counted) program(n int) Program {
	return func(x *Exec) {
		var of []*mem.Int64
		for i := range c.locations {
			start := int64(0)
			if c.name == "fib_bench" {
				start = 1
			}
			of = append(of, mem.NewInt64(x.Memory(), fmt.Sprint("x", i), start))
		}
		for _, thread := range c.threads(of, n) {
			x.Go(func(t *Thread) {
				t.Do("run", nil, func() any {
					thread()
					return nil
				})
			})
		}
	}
}

// TestTracesAreAsManyAsGenMCs compares the executions of DPOR by conflicts with GenMC's counts
// under sequential consistency, and logs the table.
func TestTracesAreAsManyAsGenMCs(t *testing.T) {
	for _, c := range genmc {
		var sizes []int
		for n := range c.want {
			sizes = append(sizes, n)
		}
		slices.Sort(sizes)
		for _, n := range sizes {
			want := c.want[n]
			if want > 10_000 && !testenv.Full() {
				continue
			}
			start := testenv.CPU()
			stats, err := Run(c.program(n), schedule.DPORByConflicts(), Options{}, func(*Execution) bool {
				return true
			})
			require.NoError(t, err)
			took := testenv.CPU() - start
			t.Logf("| %s, %d | %d | %d | %d | %s |", c.name, n, want, stats.Executions, stats.Pruned,
				took.Round(100*time.Microsecond))
			assert.True(t, stats.Complete)
			assert.Equal(t, stats.Executions, stats.Outcomes[Completed], "%s %d", c.name, n)
			assert.Equal(t, want, stats.Executions, "%s %d", c.name, n)
			assert.Zero(t, stats.Pruned, "%s %d", c.name, n)
		}
	}
}

//go:build !linsat_native

package c11_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// litmus runs a program and returns what its registers held at the end, sorted.
func litmus(t *testing.T, registers int, p func(x *c11.Exec, r []int)) []string {
	t.Helper()
	return results(t, registers, p, c11.Options{})
}

func results(t *testing.T, registers int, p func(x *c11.Exec, r []int), o c11.Options) []string {
	t.Helper()
	r := make([]int, registers)
	seen := map[string]bool{}
	stats, err := c11.Run(func(x *c11.Exec) { p(x, r) }, o, func(g *c11.Graph) bool {
		if g.Outcome != c11.Complete {
			seen[fmt.Sprint("outcome ", g.Outcome)] = true
			return true
		}
		seen[strings.Trim(fmt.Sprint(r), "[]")] = true
		return true
	})
	require.NoError(t, err)
	assert.True(t, stats.All)
	var out []string
	for s := range seen {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func storeBuffering(w, r c11.Order, fence c11.Order) func(x *c11.Exec, r []int) {
	return func(x *c11.Exec, reg []int) {
		a, b := c11.NewAtomic(x, "x", 0), c11.NewAtomic(x, "y", 0)
		side := func(first, second *c11.Atomic[int], n int) func() {
			return func() {
				first.Store(1, w)
				if fence != c11.NotAtomic {
					x.Fence(fence)
				}
				reg[n] = second.Load(r)
			}
		}
		x.Go(side(a, b, 0))
		x.Go(side(b, a, 1))
	}
}

// TestStoreBuffering has one result that only sequential consistency forbids.
func TestStoreBuffering(t *testing.T) {
	all := []string{"0 0", "0 1", "1 0", "1 1"}
	assert.Equal(t, all[1:], litmus(t, 2, storeBuffering(c11.SeqCst, c11.SeqCst, c11.NotAtomic)))
	assert.Equal(t, all[1:], litmus(t, 2, storeBuffering(c11.Relaxed, c11.Relaxed, c11.SeqCst)))
	assert.Equal(t, all, litmus(t, 2, storeBuffering(c11.Release, c11.Acquire, c11.NotAtomic)))
	assert.Equal(t, all, litmus(t, 2, storeBuffering(c11.Relaxed, c11.Relaxed, c11.AcqRel)))
	assert.Equal(t, all, litmus(t, 2, storeBuffering(c11.SeqCst, c11.Acquire, c11.NotAtomic)))
}

// TestMessagePassing has a data race unless the flag is released and acquired.
func TestMessagePassing(t *testing.T) {
	passing := func(w, r c11.Order) func(x *c11.Exec, reg []int) {
		return func(x *c11.Exec, reg []int) {
			data, flag := c11.NewCell(x, "data", 0), c11.NewAtomic(x, "flag", 0)
			x.Go(func() {
				data.Store(42)
				flag.Store(1, w)
			})
			x.Go(func() {
				reg[0] = flag.Load(r)
				reg[1] = 0
				if reg[0] == 1 {
					reg[1] = data.Load()
				}
			})
		}
	}
	assert.Equal(t, []string{"0 0", "1 42"}, litmus(t, 2, passing(c11.Release, c11.Acquire)))
	race := fmt.Sprint("outcome ", c11.Race)
	assert.Equal(t, []string{"0 0", race}, litmus(t, 2, passing(c11.Relaxed, c11.Acquire)))
	assert.Equal(t, []string{"0 0", race}, litmus(t, 2, passing(c11.Release, c11.Relaxed)))
}

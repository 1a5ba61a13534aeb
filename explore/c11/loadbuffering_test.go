//go:build !linsat_native

package c11_test

import (
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLoadBuffering has the verdicts of herd7's models of C11 on two loads that read from the store
// of the other thread, and none of the values that would justify themselves.
func TestLoadBuffering(t *testing.T) {
	side := func(one, two string, n int, load, store, between c11.Order, value func(int) int) []step {
		return []step{rd(one, n, load), fence(between), func(_ *c11.Exec, v map[string]*c11.Atomic[int], r []int) {
			if to := value(r[n]); to >= 0 {
				v[two].Store(to, store)
			}
		}}
	}
	always := func(int) int { return 1 }
	same := func(n int) int { return n }
	asked := func(n int) int { return n*2 - 1 } // only if it read 1
	same2 := func(n int) int { return 1 + n - n*n }
	for _, c := range []struct {
		name                 string
		load, store, between c11.Order
		one, two             func(int) int
		allowed              bool
	}{
		{"relaxed", rlx, rlx, na, always, always, true},
		{"acquire", acq, rlx, na, always, always, true},
		{"release", rlx, rel, na, always, always, true},
		{"acquire and release", acq, rel, na, always, always, false},
		{"sequentially consistent", sc, sc, na, always, always, false},
		{"fences", rlx, rlx, ar, always, always, false},
		{"half a fence", rlx, rlx, rel, always, always, true},
		{"one copies", rlx, rlx, na, same, always, true},
		{"other copies", rlx, rlx, na, always, same, true},
		{"one asks", rlx, rlx, na, asked, always, true},
		{"the same in both cases", rlx, rlx, na, same2, same2, true},
		{"both copy", rlx, rlx, na, same, same, false},
		{"both ask", rlx, rlx, na, asked, asked, false},
	} {
		p := func(x *c11.Exec, r []int) {
			v := map[string]*c11.Atomic[int]{"x": c11.NewAtomic(x, "x", 0), "y": c11.NewAtomic(x, "y", 0)}
			clear(r)
			for _, steps := range [][]step{
				side("x", "y", 0, c.load, c.store, c.between, c.one),
				side("y", "x", 1, c.load, c.store, c.between, c.two),
			} {
				x.Go(func() {
					for _, s := range steps {
						s(x, v, r)
					}
				})
			}
		}
		all := results(t, 2, p, c11.Options{LoadBuffering: true})
		if c.allowed {
			assert.Contains(t, all, "1 1", c.name)
		} else {
			assert.NotContains(t, all, "1 1", c.name)
		}
		assert.NotContains(t, litmus(t, 2, p), "1 1", c.name)
	}
}

// TestLoadBufferingIsReplayed makes the execution with a cycle again, with lines.
func TestLoadBufferingIsReplayed(t *testing.T) {
	p := func(x *c11.Exec) {
		a, b := c11.NewAtomic(x, "x", 0), c11.NewAtomic(x, "y", 0)
		for _, of := range [][2]*c11.Atomic[int]{{a, b}, {b, a}} {
			x.Go(func() {
				of[0].Load(c11.Relaxed)
				of[1].Store(1, c11.Relaxed)
			})
		}
	}
	steps := map[string]string{}
	stats, err := c11.Run(p, c11.Options{LoadBuffering: true}, func(g *c11.Graph) bool {
		steps[g.Steps()] = g.Key()
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 4, stats.Graphs)
	assert.Contains(t, steps, "#2")
	for s, key := range steps {
		g, err := c11.Replay(p, c11.Options{}, s)
		require.NoError(t, err, s)
		assert.Equal(t, key, g.Key())
		assert.Contains(t, g.Text(), "loadbuffering_test.go:")
	}
	for _, s := range []string{"#", "#0", "#x", "#5"} {
		_, err := c11.Replay(p, c11.Options{}, s)
		assert.Error(t, err, s)
	}
}

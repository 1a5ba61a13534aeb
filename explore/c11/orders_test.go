//go:build !linsat_native

package c11

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOrdersAreReplacedAtOneSite weakens each order of a message passed in turn: without the
// release, or without the acquire, the data race.
func TestOrdersAreReplacedAtOneSite(t *testing.T) {
	program := func(x *Exec) {
		data, flag := NewCell(x, "data", 0), NewAtomic(x, "flag", 0)
		x.Go(func() {
			data.Store(1)
			flag.CompareAndSwap(0, 1, Release, Relaxed)
		})
		x.Go(func() {
			if flag.Load(Relaxed) == 1 {
				x.Fence(Acquire)
				data.Load()
			}
		})
	}
	var sites []Site
	var orders []Order
	run := func(weak int) map[Outcome]int {
		s, err := Run(program, Options{Orders: func(at Site, o Order) Order {
			if weak < 0 {
				if !slices.Contains(sites, at) {
					sites, orders = append(sites, at), append(orders, o)
				}
				return o
			}
			if at == sites[weak] {
				return Relaxed
			}
			return o
		}}, func(*Graph) bool { return true })
		require.NoError(t, err)
		return s.Outcomes
	}
	assert.NotContains(t, run(-1), Race)
	require.Len(t, sites, 4)
	for i, s := range sites {
		assert.Equal(t, "orders_test.go", filepath.Base(s.File))
		race := run(i)[Race] > 0
		assert.Equal(t, orders[i] != Relaxed, race, "%+v", s)
	}
}

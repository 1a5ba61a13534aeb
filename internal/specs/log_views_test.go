package specs_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// viewAllows reports whether a view with one object allows a sequence of operations.
func viewAllows(t *testing.T, v *model.View, order []history.OpID) bool {
	switch theory := v.Theory.(type) {
	case *model.CountingTheory:
		now, known := theory.Init[0], !v.NoStart
		for _, i := range order { // what it was before the first observation
			if !known && theory.Observes[i] {
				now, known = now+theory.Observed[i], true
			}
			if !known {
				now -= theory.Delta[i]
			}
		}
		for _, i := range order {
			if theory.Observes[i] && theory.Observed[i] != now {
				return false
			}
			now += theory.Delta[i]
		}
		return true
	case *model.RegisterTheory:
		now := map[int32]bool{theory.Init[0]: true}
		for _, i := range order {
			next := map[int32]bool{}
			for value := range now {
				for _, m := range theory.Of(i) {
					switch {
					case !m.Allows(value):
					case m.Leaves == model.Keep:
						next[value] = true
					default:
						next[m.Leaves] = true
					}
				}
			}
			now = next
		}
		return len(now) > 0
	}
	require.Fail(t, "no view of this kind")
	return false
}

// someViewAllows reports whether a view allows a sequence of operations, perhaps without some of
// unknown outcome, which may have changed nothing.
func someViewAllows(t *testing.T, b *model.Instance, v *model.View, order []history.OpID) bool {
	var pending []history.OpID
	for _, i := range order {
		if b.Partition.Ops[i].Pending() {
			pending = append(pending, i)
		}
	}
	for left := range 1 << len(pending) {
		rest := slices.DeleteFunc(slices.Clone(order), func(i history.OpID) bool {
			k := slices.Index(pending, i)
			return k >= 0 && left>>k&1 == 1
		})
		if viewAllows(t, v, rest) {
			return true
		}
	}
	return false
}

// TestViewsAllowWhatTheSpecificationAllows: each linearization of a history is one of every view of
// it. Of histories without one, many views refuse the order of the calls.
func TestViewsAllowWhatTheSpecificationAllows(t *testing.T) {
	for _, s := range specs.All() {
		checked, refused := 0, 0
		for seed := range uint64(1500) {
			h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if b.View == nil {
				break
			}
			ok, witness := oracle.Linearizable(b)
			var sums []int32
			if bank := model.As[*model.BankTheory](b); bank != nil {
				sums = bank.Sums()
			}
			for i := range b.Partition.Ops {
				for _, number := range append(b.Views(history.OpID(i)), sums...) {
					view := b.View(number)
					require.NotNil(t, view, "%s, seed %d, view %d", s.Info().Name, seed, number)
					checked++
					if ok {
						assert.True(t, someViewAllows(t, b, view, witness), "%s, seed %d: %s", s.Info().Name,
							seed, view.What)
						continue
					}
					var calls []history.OpID
					for k := range b.Partition.Ops {
						if !b.Partition.Ops[k].Pending() {
							calls = append(calls, history.OpID(k))
						}
					}
					if !viewAllows(t, view, calls) {
						refused++
					}
				}
			}
			assert.Nil(t, b.View(-1))
			assert.Nil(t, b.View(0))
		}
		if checked > 0 {
			t.Logf("%s: %d views", s.Info().Name, checked)
			assert.Greater(t, refused, 100, s.Info().Name)
		}
	}
}

package specs_test

import (
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
		now := theory.Init[0]
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
			for i := range b.Partition.Ops {
				for _, number := range b.Views(history.OpID(i)) {
					view := b.View(number)
					require.NotNil(t, view, "%s, seed %d, view %d", s.Info().Name, seed, number)
					checked++
					if ok {
						assert.True(t, viewAllows(t, view, witness), "%s, seed %d: %s", s.Info().Name, seed, view.What)
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

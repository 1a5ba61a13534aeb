package specs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRelaxMonotone: bounds of 0 allow what the strict specification does, and greater ones never
// less.
func TestRelaxMonotone(t *testing.T) {
	runs := uint64(testenv.Scale(100, 3000))
	for _, s := range specs.All() {
		name := s.Info().Name
		if !stutters(s) {
			continue
		}
		_, ordered := paperNames[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			grows := 0
			for seed := range runs {
				h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: true})
				require.NoError(t, err)
				if len(h.Ops) == 0 {
					continue
				}
				r := rand.New(rand.NewPCG(seed, 7))
				ops := make([]history.OpID, 1+r.IntN(6))
				for k := range ops {
					ops[k] = history.OpID(r.IntN(len(h.Ops)))
				}
				allowed := func(b *model.Instance) bool {
					m := b.NewMachine()
					states := []model.State{m.Init()}
					for _, op := range ops {
						states = stepAll(m, states, op)
					}
					return len(states) > 0
				}
				strict, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				verdicts := map[specs.SemanticRelaxation]bool{}
				for _, x := range semantics(3) {
					if !ordered && x.OutOfOrder+x.Lateness > 0 {
						continue
					}
					verdicts[x] = allowed(bindRelaxed(t, name, x, h))
				}
				require.Equal(t, allowed(strict), verdicts[specs.SemanticRelaxation{}], "seed %d, operations %v", seed,
					ops)
				for x, yes := range verdicts {
					if !yes {
						continue
					}
					for y, also := range verdicts {
						if wider(y, x) {
							require.True(t, also, "%v allows what %v does not, seed %d, operations %v", x, y, seed, ops)
							if !verdicts[specs.SemanticRelaxation{}] {
								grows++
							}
						}
					}
				}
			}
			assert.Greater(t, grows, testenv.MoreThan(0))
		})
	}
}

// wider reports whether x bounds nothing more tightly than y: how far removals may reach, how often
// they may pass an item over, how far other operations may reach, and how many changes may be left
// out.
func wider(x, y specs.SemanticRelaxation) bool {
	limits := func(x specs.SemanticRelaxation) [4]int {
		const none = 1000
		switch {
		case x.OutOfOrder == 0 && x.Lateness == 0:
			return [4]int{0, 0, 0, x.Stuttering}
		case x.OutOfOrder == 0:
			return [4]int{none, x.Lateness, 0, x.Stuttering}
		case x.Lateness == 0:
			return [4]int{x.OutOfOrder, none, x.OutOfOrder, x.Stuttering}
		}
		return [4]int{x.OutOfOrder, x.Lateness, 0, x.Stuttering}
	}
	a, b := limits(x), limits(y)
	return a[0] >= b[0] && a[1] >= b[1] && a[2] >= b[2] && a[3] >= b[3]
}

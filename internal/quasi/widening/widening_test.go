package widening_test

import (
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/widening"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestWideningsContainTheQuestion compares widenings with the definition by brute force: where the
// widening is not linearizable, the history is not quasi-linearizable.
func TestWideningsContainTheQuestion(t *testing.T) {
	rounds := testenv.Scale(12_000, 300_000)
	refuted, kept := 0, 0
	for seed := range uint64(rounds) {
		name := []string{"queue", "stack", "priority-queue", "unordered-queue", "deque", "counter"}[seed%6]
		o := gen.SmallOptions{Most: 7, NoEdges: true, Keys: 1 + int(seed/6%2), Values: 1 + int(seed/12%3),
			NoPending: seed/6%3 == 0}
		if seed%6 < 4 {
			o.Relax = int(seed / 6 % 4)
		}
		h, err := gen.Small(name, seed, o)
		require.NoError(t, err)
		spec := testkit.Spec(t, name)
		b, err := spec.Bind(model.Whole(h))
		require.NoError(t, err)
		q := quasi.Question{Factor: make(quasi.Factor, len(spec.Info().Classes)), Drain: seed/24%2 == 0}
		for c, class := range spec.Info().Classes {
			if class.Relaxable || seed%5 == 0 {
				q.Factor[c] = int32(1 + (seed/48+uint64(c))%3)
			}
		}
		p := widening.Of(b, &q)
		if p == nil {
			continue
		}
		wide, err := spec.Bind(p)
		require.NoError(t, err)
		yes, _ := oracle.Linearizable(wide)
		if yes {
			kept++
			continue
		}
		refuted++
		quasi, first, second := oracle.SlotsLinearizable(b, q)
		require.False(t, quasi, "seed %d: %v %v %v", seed, first, second, p.Ops)
	}
	t.Log(refuted, kept)
	require.Greater(t, refuted, rounds/20)
	require.Greater(t, kept, rounds/20)
}

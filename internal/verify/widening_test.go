package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A widening is accepted only of a history that is not quasi-linearizable by the definition: every
// sum of a counter, what a monitor says of others, and all that with some numbers altered.
func TestWideningsProveOnlyViolations(t *testing.T) {
	accepted, refused, altered := 0, 0, 0
	for seed := range uint64(testenv.Scale(12_000, 120_000)) {
		name := []string{"counter", "counter", "queue", "stack", "priority-queue", "deque", "unordered-queue"}[seed%7]
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, NoEdges: true, Values: 1 + int(seed/7%3),
			NoPending: seed/7%3 == 0, Keys: 1})
		require.NoError(t, err)
		s := testkit.Spec(t, name)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		q := &quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: seed/21%2 == 0}
		for c, class := range s.Info().Classes {
			if class.Relaxable || seed%5 == 0 {
				q.Factor[c] = int32(1 + (seed/42+uint64(c))%2)
			}
		}
		wide, err := verify.Widened(b, q)
		if err != nil {
			continue
		}
		var given []proof.Proof
		if _, ok := b.Theory.(*model.CountingTheory); ok {
			for i := range history.OpID(b.Partition.Len()) {
				for after := proof.Initial; after < i; after++ {
					given = append(given, &proof.SumConflict{After: after, Op: i})
				}
			}
		} else {
			a, err := monitor.New().Check(context.Background(), &engine.Problem{Instance: wide}, nil)
			require.NoError(t, err)
			if a.Proof != nil {
				given = append(given, a.Proof)
			}
		}
		known, yes := false, false
		present := func(p proof.Proof) bool {
			if verify.Proof(context.Background(), q, b, p) != nil {
				refused++
				return false
			}
			accepted++
			if !known {
				yes, _, _ = oracle.SlotsLinearizable(b, *q)
				known = true
			}
			require.False(t, yes, "seed %d, %v: %v\n%s", seed, q.Factor, p, randomspec.Show(b.Partition))
			return true
		}
		rng := rand.New(rand.NewPCG(seed, 5))
		for _, p := range given {
			w := &proof.Widening{Refutation: proof.Inner{Proof: p}}
			present(w)
			text, err := proof.Marshal(w)
			require.NoError(t, err)
			if other, err := proof.Unmarshal([]byte(garbled(rng, string(text)))); err == nil && present(other) {
				altered++
			}
			require.Error(t, verify.Proof(context.Background(), nil, b, w), "of a plain history")
		}
	}
	t.Logf("%d accepted, %d of them altered; %d refused", accepted, altered, refused)
	assert.Greater(t, min(accepted-altered, altered, refused), testenv.MoreThan(100))
}

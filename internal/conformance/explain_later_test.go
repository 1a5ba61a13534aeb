package conformance

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is explained later is certified as what is explained at once.
func TestReasonsLater(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"register", "kv", "queue", "stack", "counter", "set", "log", "bank", "deque"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ok := specs.Lookup(name)
			require.True(t, ok)
			violations, placed := 0, 0
			for seed := range uint64(testenv.Scale(150, 5000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%5), Distinct: seed%3 > 0})
				require.NoError(t, err)
				question := []linsat.Option{linsat.Partition(linsat.Partitioning([]string{"key", "none"}[seed%2]))}
				if c := s.Info().Classes; seed%5 == 0 && len(c) > 0 {
					question = []linsat.Option{linsat.Quasi(quasi.Question{Factor: make(quasi.Factor, len(c))})}
				}
				r, err := linsat.Check(ctx, s, h,
					append(question, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))...)
				require.NoError(t, err)
				later, err := r.Explain(ctx)
				require.NoError(t, err)
				require.Equal(t, r.Verdict, later.Verdict)
				if r.Verdict != linsat.NotLinearizable {
					continue
				}
				violations++
				once, err := linsat.Check(ctx, s, h, question...)
				require.NoError(t, err)
				require.False(t, r.Certified)
				require.Equal(t, once.Certified, later.Certified, "seed %d: %s", seed, later.Uncertified)
				// looking for it may take too long on a busy machine
				if min(once.Unplaced, later.Unplaced) >= 0 {
					require.Equal(t, once.Unplaced, later.Unplaced, "seed %d", seed)
					placed++
				}
				c, err := linsat.Certify(h, &later)
				require.NoError(t, err, "seed %d", seed)
				require.NoError(t, linsat.Verify(ctx, s, h, c, question...), "seed %d", seed)
			}
			assert.Greater(t, violations, testenv.MoreThan(20))
			assert.Greater(t, placed, testenv.MoreThan(violations*9/10))
		})
	}
	_, err := (&linsat.Result{}).Explain(ctx)
	require.NoError(t, err)
}

package linsat_test

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where only the verdict is asked for, a collection may be refuted before it is bound. The verdict
// is that of the definition, and the result can still be explained, as one with reasons is.
func TestVerdictsAloneCanBeExplained(t *testing.T) {
	refuted := 0
	for _, s := range []model.Spec{specs.Queue(), specs.Stack(), specs.PriorityQueue(), specs.UnorderedQueue(),
		specs.Deque()} {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(300, 20_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Values: int(seed % 5), NoEdges: seed%4 > 0})
			require.NoError(t, err)
			// under a limit of memory no history is decided on the goroutine of the caller
			alone := []linsat.Option{linsat.Memory(1 << 40),
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})}
			r, err := linsat.Check(context.Background(), s, h, alone...)
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			want, _ := oracle.Linearizable(b)
			require.Equal(t, want, r.Verdict == linsat.Linearizable, "%s, seed %d", name, seed)
			if want {
				continue
			}
			explained, err := r.Explain(context.Background(), linsat.Explain(linsat.ExplainOptions{Time: time.Minute}))
			require.NoError(t, err)
			assert.True(t, explained.Certified, "%s, seed %d: %s", name, seed, explained.Uncertified)
			assert.NotNil(t, result.Of(explained).Instance())
			if result.Of(r).Bound == nil {
				refuted++
			}
		}
	}
	t.Logf("%d were refuted before they were bound", refuted)
	assert.Greater(t, refuted, testenv.MoreThan(100))
}

package explain

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLongestPrefixIsTheDefinitions: where every question is answered, it is the longest proper
// prefix that the definition accepts; where few are, it is one that the definition accepts.
func TestLongestPrefixIsTheDefinitions(t *testing.T) {
	works := func(b *model.Instance) engine.Answer {
		if ok, w := oracle.Linearizable(b); ok {
			return engine.Answer{Verdict: engine.Linearizable, Witness: w}
		}
		return engine.Answer{Verdict: engine.NotLinearizable}
	}
	found, shorter := 0, 0
	for _, name := range []string{"queue", "stack", "cas-register", "kv"} {
		s, _ := specs.Lookup(name)
		for seed := range uint64(600) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			p := model.Whole(h)
			returns := byReturn(p, history.Never)
			most := 0
			for n := 1; n < len(returns); n++ {
				b, err := engine.Bind(s, p.Prefix(p.Ops[returns[n-1]].Return))
				require.NoError(t, err)
				if works(b).Verdict == engine.Linearizable {
					most = n
				}
			}
			got, ok := LongestPrefix(context.Background(), s, p, func(_ context.Context, q *engine.Task) (engine.Answer,
				error) {
				return works(q.Instance), nil
			})
			require.Equal(t, most > 0, ok)
			if ok {
				found++
				require.Equal(t, Prefix{most, len(returns), returns[most-1]}, got, "%s %d", name, seed)
			}
			asked := 0
			got, ok = LongestPrefix(context.Background(), s, p, func(_ context.Context, q *engine.Task) (engine.Answer,
				error) {
				if asked++; asked%2 == 0 {
					return engine.Answer{Cause: engine.Steps}, nil
				}
				return works(q.Instance), nil
			})
			if ok {
				require.LessOrEqual(t, got.Returned, most)
				if got.Returned < most {
					shorter++
				}
			}
			_, ok = LongestPrefix(context.Background(), s, p,
				func(context.Context, *engine.Task) (engine.Answer, error) {
					return engine.Answer{Verdict: engine.Linearizable}, nil // without a witness
				})
			for i := range p.Ops {
				if !p.Ops[i].Pending() && p.Ops[i].Return == p.Ops[returns[0]].Return && len(returns) > 1 {
					require.False(t, ok, "a completed operation has no place")
				}
			}
		}
	}
	assert.Greater(t, found, 500)
	assert.Positive(t, shorter)
}

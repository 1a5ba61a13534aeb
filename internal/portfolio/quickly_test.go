package portfolio

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What Quickly says is answered needs no explanation, and Check gives it; a violation that is to be
// explained is left to what has a deadline.
func TestQuicklyLeavesExplanationsToOthers(t *testing.T) {
	answered, left := 0, 0
	for _, name := range []string{"register", "kv", "queue", "counter"} {
		s, _ := specs.Lookup(name)
		for seed := range uint64(200) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 3})
			require.NoError(t, err)
			for _, verdictOnly := range []bool{false, true} {
				q := &Question{Spec: s, History: h}
				p := New(Options{Engines: Auto, Partitioning: model.ByKey, Workers: 1, VerdictOnly: verdictOnly})
				b := engine.NewBudget(0, 0)
				said, err := p.Quickly(context.Background(), q, b)
				require.NoError(t, err)
				o, err := p.Check(context.Background(), q, b)
				require.NoError(t, err)
				fresh, err := New(Options{Engines: Auto, Partitioning: model.ByKey, Workers: 1,
					VerdictOnly: verdictOnly}).Check(context.Background(), q, engine.NewBudget(0, 0))
				require.NoError(t, err)
				require.Equal(t, fresh.Verdict, o.Verdict)
				require.Equal(t, fresh.Witness, o.Witness)
				require.Equal(t, fresh.Failure, o.Failure)
				switch refuted := o.Verdict == engine.NotLinearizable; {
				case refuted && !verdictOnly:
					require.False(t, said)
					left++
				case said:
					answered++
				}
			}
		}
	}
	assert.Greater(t, answered, 1000)
	assert.Greater(t, left, 100)
}

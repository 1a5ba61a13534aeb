package subhistory_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAPartIsAViolationWithinTheFactor: by the definition, the part is no more accepted than the
// whole, and it is accepted without the operations on any one of its values.
func TestAPartIsAViolationWithinTheFactor(t *testing.T) {
	shrunk, smaller := 0, 0
	for _, name := range []string{"queue", "stack", "priority-queue", "deque"} {
		s := testkit.Spec(t, name)
		for seed := range uint64(testenv.Scale(150, 4_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 9, Keys: 1, Relax: 2 + int(seed%3)})
			require.NoError(t, err)
			q := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: seed%3 > 0,
				Meaning: quasi.Meaning(seed % 5 / 4)}
			for c, class := range s.Info().Classes {
				if class.Relaxable {
					q.Factor[c] = 1
				}
			}
			accepted := func(part *history.History) bool {
				b, err := s.Bind(model.Whole(part))
				require.NoError(t, err)
				ok, _, _ := oracle.QuasiLinearizable(b, q)
				return ok
			}
			ask := func(part *history.History, _ bool) (*result.Result, error) {
				r, err := linsat.Check(context.Background(), s, part, linsat.Quasi(q))
				return result.Of(r), err
			}
			r, err := ask(h, true)
			require.NoError(t, err)
			small, err := subhistory.ShrinkWithin(h, r, ask)
			require.NoError(t, err, "%s seed %d", name, seed)
			if accepted(h) {
				require.Nil(t, small)
				continue
			}
			require.NotNil(t, small, "%s seed %d", name, seed)
			if shrunk++; len(small.Ops) < len(h.Ops) {
				smaller++
			}
			require.False(t, accepted(small), "%s seed %d: the part is accepted", name, seed)
			of := func(o *history.Op) history.Value {
				if o.Arg != history.Nil {
					return o.Arg
				}
				return o.Result
			}
			for i := range small.Ops {
				var rest []history.OpID
				for k := range small.Ops {
					if v := of(&small.Ops[k]); k != i && (v == history.Nil || v != of(&small.Ops[i])) {
						rest = append(rest, history.OpID(k))
					}
				}
				if len(rest) == 0 {
					continue
				}
				less, err := subhistory.Of(small, rest)
				require.NoError(t, err)
				require.True(t, accepted(less), "%s seed %d: operation %d can be left out", name, seed, i)
			}
		}
	}
	t.Logf("%d shrunk, %d of them smaller", shrunk, smaller)
	assert.Greater(t, smaller, testenv.MoreThan(50))
}

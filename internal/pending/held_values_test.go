package pending

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// searchHeld decides b by plain search that prunes by held values from the beginning. pruned is how
// many nodes it saves.
func searchHeld(t *testing.T, b *model.Instance) (outcome wgl.Outcome, pruned int64) {
	plain, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
	plain.Search()
	r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
	r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
	holdValues(r)
	outcome = r.Search()
	require.NoError(t, r.Broken)
	if outcome == wgl.Found {
		require.NoError(t, verify.Witness(b, r.Linearization()), "%s", randomspec.Show(b.Partition))
	}
	return outcome, plain.Nodes - r.Nodes
}

// A search that prunes by held values agrees with the definition, on histories of all registers,
// with pending operations, repeated values, several outcomes and explicit order.
func TestHeldValuesAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "multi-register", "mutex", "owned-mutex",
		"set", "rwmutex"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			saved := int64(0)
			for seed := range uint64(testenv.Scale(2000, 100_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%5), Distinct: seed%3 > 0,
					All: seed%2 == 1})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				want, _ := oracle.Linearizable(b)
				testkit.WithSeed(t, seed, func() {
					o, pruned := searchHeld(t, b)
					require.Equal(t, want, o == wgl.Found, "brute force says %v\n%s", want,
						randomspec.Show(b.Partition))
					saved += pruned
				})
			}
			t.Logf("%d nodes saved", saved)
		})
	}
}

// On longer histories it agrees with the plain search, and so does what is decided from both sides.
func TestHeldValuesAgreeWithPlainSearch(t *testing.T) {
	verdicts, saved, approximate := [2]int{}, int64(0), 0
	for seed := range uint64(testenv.Scale(300, 5000)) {
		rng := rand.New(rand.NewPCG(seed, 17))
		o := gen.Options{Spec: []string{"cas-register", "kv", "kv", "register"}[rng.IntN(4)],
			Operations: 20 + rng.IntN(60), Processes: 3 + rng.IntN(4), Seed: seed,
			Values: []int{0, 0, 4, 12}[rng.IntN(4)], PendingRate: 0.1 * float64(rng.IntN(3))}
		if rng.IntN(2) > 0 {
			o.Violation = []gen.Violation{gen.Swap, gen.Stale, gen.Lost}[rng.IntN(3)]
		}
		c, err := gen.Generate(o)
		if err != nil { // nothing to injure
			continue
		}
		b, err := testkit.Spec(t, o.Spec).Bind(model.Whole(c.History))
		require.NoError(t, err)
		plain, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(500_000, 0), NewRun)
		want := plain.Search()
		if want == wgl.GaveUp {
			continue
		}
		testkit.WithSeed(t, seed, func() {
			got, pruned := searchHeld(t, b)
			require.Equal(t, want, got, fmt.Sprintf("%+v", o))
			saved += pruned
			r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			if d := Approximated(r, Plan{Approximate: math.MaxInt64, FewValues: -1}); d.Outcome != wgl.Undecided {
				require.Equal(t, want, d.Outcome, fmt.Sprintf("%+v", o))
				approximate++
			}
		})
		if want == wgl.Found {
			verdicts[1]++
		} else {
			verdicts[0]++
		}
	}
	t.Logf("%v verdicts, %d nodes saved, %d decided from both sides", verdicts, saved, approximate)
	assert.Greater(t, approximate, verdicts[0])
	assert.Greater(t, int(saved), testenv.MoreThan(0))
	assert.Greater(t, min(verdicts[0], verdicts[1]), testenv.MoreThan(20))
}

package verify_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Without telling pending operations apart, an exhaustion is accepted exactly where there is no
// linearization, for shipped specifications of which nothing is known but their steps, and for
// random ones.
func TestJumpTrialsAgreeWithTheDefinition(t *testing.T) {
	defer verify.ShortenJumps(0)()
	names := []string{"register", "cas-register", "kv", "queue", "stack", "counter", "set", "log", "bank"}
	yes, no, refuted := 0, 0, 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		var b *model.Instance
		var err error
		if k := int(seed) % (len(names) + 2); k < len(names) {
			h, err := gen.Small(names[k], seed, gen.SmallOptions{Most: 4 + int(seed%5), Distinct: seed%3 > 0})
			require.NoError(t, err)
			s, _ := specs.Lookup(names[k])
			b, err = s.Bind(model.Whole(h))
			require.NoError(t, err)
		} else {
			rng := rand.New(rand.NewPCG(seed, 37))
			s := randomspec.New(rng, rng.IntN(3) == 0)
			b, err = s.Bind(model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7))))
			require.NoError(t, err)
		}
		opaque := *b
		opaque.Theory = nil
		want, _ := oracle.Linearizable(b)
		_, err = verify.Exhausted(&opaque, proof.Everything(), base.MaxNodes)
		if want {
			yes++
			require.True(t, errors.Is(err, verify.ErrLinearizable), "seed %d: %v\n%s", seed, err,
				randomspec.Show(b.Partition))
			require.False(t, verify.Jumped(&opaque), "seed %d", seed)
			continue
		}
		no++
		require.NoError(t, err, "seed %d\n%s", seed, randomspec.Show(b.Partition))
		if verify.Jumped(&opaque) {
			refuted++
		}
	}
	t.Logf("%d yes, %d no, %d of these without telling pending operations apart", yes, no, refuted)
	assert.Greater(t, min(yes, no, refuted), testenv.MoreThan(500))
}

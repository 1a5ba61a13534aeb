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

// Leaving out what other ways are as good as accepts an exhaustion exactly where there is no
// linearization: of locks, of other shipped specifications, and of random ones, with many equal
// operations, pending ones and unknown results.
func TestLongTrialsAgreeWithTheDefinition(t *testing.T) {
	defer verify.ShortenTrials(0)()
	names := []string{"rwmutex", "semaphore", "rwmutex", "register", "kv", "queue", "counter", "set", "bank", "etcd"}
	yes, no, unknown, edges := 0, 0, 0, 0
	for seed := range uint64(testenv.Scale(40_000, 1_000_000)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var b *model.Instance
		var err error
		if k := int(seed) % (len(names) + 3); k < len(names) {
			h, e := gen.Small(names[k], seed, gen.SmallOptions{All: seed%2 == 1, NoEdges: seed%3 > 0,
				Most: 5 + int(seed%5), Keys: 1})
			require.NoError(t, e)
			p := model.Whole(h)
			if seed%2 == 0 && len(p.Edges) == 0 {
				p = randomspec.Forget(rng, p)
			}
			s, _ := specs.Lookup(names[k])
			b, err = s.Bind(p)
		} else {
			s := randomspec.New(rng, rng.IntN(3) == 0)
			b, err = s.Bind(model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7))))
		}
		require.NoError(t, err)
		p := b.Partition
		for i := range p.Ops {
			if p.Ops[i].Unknown && !p.Ops[i].Pending() {
				unknown++
			}
		}
		want, _ := oracle.Linearizable(b)
		_, err = verify.Exhausted(b, proof.Everything(), base.MaxNodes)
		if edges += len(p.Edges); want {
			yes++
			require.True(t, errors.Is(err, verify.ErrLinearizable), "seed %d: %v\n%s", seed, err, randomspec.Show(p))
			continue
		}
		no++
		require.NoError(t, err, "seed %d\n%s", seed, randomspec.Show(p))
	}
	t.Logf("%d yes, %d no, %d unknown results, %d edges", yes, no, unknown, edges)
	for _, n := range []int{yes, no, unknown, edges} {
		assert.Greater(t, n, testenv.MoreThan(500))
	}
}

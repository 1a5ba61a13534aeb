package verify_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
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

// Counting what never returned of a readers-writer lock accepts an exhaustion exactly where there
// is no linearization.
func TestCountedLocksAgreeWithTheDefinition(t *testing.T) {
	defer verify.ShortenLocks(0)()
	yes, no, unknown := 0, 0, 0
	for seed := range uint64(testenv.Scale(30_000, 1_000_000)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		h, err := gen.Small("rwmutex", seed, gen.SmallOptions{All: seed%2 == 1, NoEdges: true,
			Most: 5 + int(seed%5), Keys: 1})
		require.NoError(t, err)
		p := model.Whole(h)
		if p.Edges = nil; seed%2 == 0 {
			p = randomspec.Forget(rng, p)
		}
		b, err := specs.RWMutex().Bind(p)
		require.NoError(t, err)
		for i := range p.Ops {
			if p.Ops[i].Unknown && !p.Ops[i].Pending() {
				unknown++
			}
		}
		want, _ := oracle.Linearizable(b)
		_, err = verify.Exhausted(b, &proof.Weakening{Cut: history.Never}, base.MaxNodes)
		if want {
			yes++
			require.True(t, errors.Is(err, verify.ErrLinearizable), fmt.Sprintf("seed %d: %v\n%s", seed, err,
				randomspec.Show(p)))
			continue
		}
		no++
		require.NoError(t, err, "seed %d\n%s", seed, randomspec.Show(p))
	}
	t.Logf("%d yes, %d no, %d of unknown results", yes, no, unknown)
	for _, n := range []int{yes, no, unknown} {
		assert.Greater(t, n, testenv.MoreThan(500))
	}
}

package verify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var relaxable = []string{"queue", "stack", "priority-queue", "deque", "counter"}

// relaxation draws a question about s: both meanings, drained or not, bounds 0 to 2, sometimes for
// every class, sometimes causal.
func relaxation(rng *rand.Rand, s model.Spec) *quasi.Question {
	classes := s.Info().Classes
	r := &quasi.Question{Factor: make(quasi.Factor, len(classes)), Meaning: quasi.Meaning(rng.IntN(2)),
		Drain: rng.IntN(2) == 0, Causal: rng.IntN(4) == 0}
	bound, all := int32(rng.IntN(3)), rng.IntN(6) == 0
	for c := range classes {
		if classes[c].Relaxable || all {
			r.Factor[c] = bound
		}
	}
	return r
}

// The verifier's own search says what the definition says. A weakening that forgets results and
// responses which can be forgotten is refuted only if the whole is, and exactly if the definition
// refuses what is left.
func TestQuasiSearchAgreesWithTheDefinition(t *testing.T) {
	yes, no, weakened, forgotten, tooLarge := 0, 0, 0, 0, 0
	for _, name := range relaxable {
		s, _ := specs.Lookup(name)
		for seed := range uint64(testenv.Scale(250, 8000)) {
			rng := rand.New(rand.NewPCG(seed, 17))
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6 + int(seed%20/19), Relax: int(seed % 4)})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			r := relaxation(rng, s)
			want, _, _ := oracle.QuasiLinearizable(b, *r)
			judge := func(b *model.Instance, weakening *proof.Weakening, want bool) bool {
				_, err := verify.Exhausted(context.Background(), b, r, weakening, 1_000_000)
				if errors.Is(err, base.ErrTooLarge) {
					tooLarge++
					return true
				}
				if want {
					return assert.ErrorIs(t, err, verify.ErrRearranged, "%s seed %d %+v", name, seed, *r)
				}
				return assert.NoError(t, err, "%s seed %d %+v", name, seed, *r)
			}
			if !judge(b, proof.Everything(), want) {
				return
			}
			if want {
				yes++
			} else {
				no++
			}
			can, err := verify.Forgettable(b, r)
			require.NoError(t, err)
			weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
			for i := range weakening.Retain {
				if weakening.Retain[i] = proof.Retained(rng.IntN(3)); rng.IntN(2) == 0 || !can[i] {
					weakening.Retain[i] = proof.RetainAll
				}
			}
			weak, err := base.Weakened(b, weakening)
			require.NoError(t, err)
			weakly, _, _ := oracle.QuasiLinearizable(weak, *r)
			require.False(t, want && !weakly, "%s seed %d %+v: forgetting %v turns a yes into a no", name, seed, *r,
				weakening.Retain)
			if !judge(b, weakening, weakly) {
				return
			}
			weakened++
			if !want && weakly {
				forgotten++
			}
		}
	}
	t.Logf("%d yes, %d no; %d weakened, %d of them so much that they can be rearranged; %d too large", yes, no,
		weakened, forgotten, tooLarge)
	assert.Greater(t, yes, testenv.MoreThan(300))
	assert.Greater(t, no, testenv.MoreThan(100))
	assert.Greater(t, forgotten, testenv.MoreThan(10))
	assert.Less(t, tooLarge, no/20+1)
}

// An empty result that is forgotten may still have been one, so as much is drained, and what can be
// rearranged within the bound still can.
func TestEmptyResultsCanBeForgottenUnderDraining(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "deque", "operations": [
		{"process": 0, "f": "popfront", "result": null, "call": 0, "return": 1},
		{"process": 0, "f": "pushback", "arg": 1, "call": 2, "return": 3},
		{"process": 0, "f": "pushfront", "arg": 2, "call": 4, "return": 5},
		{"process": 0, "f": "popfront", "result": 1, "call": 6, "return": 7}]}`), history.ReadOptions{})
	require.NoError(t, err)
	s, _ := specs.Lookup("deque")
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	r := &quasi.Question{Factor: quasi.Factor{2, 2, 2, 2, 2, 2}, Drain: true}
	ok, _, _ := oracle.QuasiLinearizable(b, *r)
	require.True(t, ok)
	weakening := &proof.Weakening{Cut: history.Never, Retain: []proof.Retained{proof.RetainResponse, proof.RetainAll,
		proof.RetainAll, proof.RetainAll}}
	weak, err := base.Weakened(b, weakening)
	require.NoError(t, err)
	ok, _, _ = oracle.QuasiLinearizable(weak, *r)
	require.True(t, ok)
	_, err = verify.Exhausted(context.Background(), weak, r, proof.Everything(), base.MaxNodes)
	require.ErrorIs(t, err, verify.ErrRearranged)
	_, err = verify.Exhausted(context.Background(), b, r, weakening, base.MaxNodes)
	require.ErrorIs(t, err, verify.ErrRearranged)
}

// What would be no weakening is refused.
func TestQuasiClaimsAreJudgedByTheDefinition(t *testing.T) {
	h, err := gen.Small("stack", 1, gen.SmallOptions{Keys: 1})
	require.NoError(t, err)
	s, _ := specs.Lookup("stack")
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	r := &quasi.Question{Factor: quasi.Factor{0, 1, 0}}
	nothing := make([]proof.Retained, b.Partition.Len())
	nothing[0] = proof.RetainNothing
	for _, weakening := range []*proof.Weakening{{Cut: 1}, {}, {Cut: history.Never, From: 1},
		{Cut: history.Never, SomeOrder: true},
		{Cut: history.Never, Retain: nothing}, {Cut: history.Never, Retain: nothing[1:]}} {
		_, err := verify.Exhausted(context.Background(), b, r, weakening, base.MaxNodes)
		require.Error(t, err)
		require.NotErrorIs(t, err, verify.ErrRearranged)
	}
}

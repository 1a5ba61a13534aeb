package verify_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAlteredWitnessesAreRefused alters the oracle's witnesses at random, and the verifier and the
// oracle's replay, which were written apart, must say the same of each: legal or not.
func TestAlteredWitnessesAreRefused(t *testing.T) {
	kept, refused := 0, 0
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(150) {
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			ok, witness := oracle.Linearizable(b)
			if !ok {
				continue
			}
			require.NoError(t, verify.Witness(b, witness), "%s seed %d: the oracle's own witness", name, seed)
			r := rand.New(rand.NewPCG(seed, 1))
			for range 12 {
				altered := alter(r, witness, len(h.Ops))
				want, got := oracle.Replay(b, altered), verify.Witness(b, altered)
				assert.Equal(t, want == nil, got == nil, "%s seed %d: %v: oracle: %v; certify: %v", name, seed,
					altered, want, got)
				if got == nil {
					kept++
				} else {
					refused++
				}
			}
		}
	}
	t.Logf("%d altered witnesses refused, %d still legal", refused, kept)
	assert.Greater(t, refused, 2000)
	assert.Greater(t, kept, 100)
}

// alter makes one to three changes: swaps, moves, omissions, repetitions, strangers.
func alter(r *rand.Rand, witness []history.OpID, n int) []history.OpID {
	w := slices.Clone(witness)
	for range 1 + r.IntN(3) {
		if len(w) == 0 {
			return append(w, history.OpID(r.IntN(n+1)))
		}
		i, j := r.IntN(len(w)), r.IntN(len(w))
		switch r.IntN(6) {
		case 0:
			w = slices.Delete(w, i, i+1)
		case 1:
			w[i] = history.OpID(r.IntN(n+2) - 1)
		case 2:
			w = slices.Insert(w, i, history.OpID(r.IntN(n)))
		case 3:
			o := w[i]
			w = slices.Insert(slices.Delete(w, i, i+1), min(j, len(w)-1), o)
		default:
			w[i], w[j] = w[j], w[i]
		}
	}
	return w
}

// TestWrongMergesAreRefused refuses what a merge of partitions could get wrong.
func TestWrongMergesAreRefused(t *testing.T) {
	refused := 0
	for seed := range uint64(400) {
		h, err := gen.Small("kv", seed, gen.SmallOptions{Exact: true})
		require.NoError(t, err)
		s, _ := specs.Lookup("kv")
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		ok, witness := oracle.Linearizable(b)
		require.True(t, ok, "seed %d", seed)
		require.NoError(t, verify.Merged(h, witness), "seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 2))
		altered := alter(r, witness, len(h.Ops))
		want, got := oracle.Extends(model.Whole(h), altered), verify.Merged(h, altered)
		assert.Equal(t, want == nil, got == nil, "seed %d: oracle: %v; certify: %v", seed, want, got)
		if got != nil {
			refused++
		}
	}
	assert.Greater(t, refused, 100)
}

// TestLongOrdersAreJudgedInHalves judges orders that are long enough to be compared with the
// history and replayed side by side: what is against the order of the history is refused, also
// where the specification accepts it, and the other way round.
func TestLongOrdersAreJudgedInHalves(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "register", Operations: 1 << 17, Processes: 1, Seed: 1})
	require.NoError(t, err)
	s, _ := specs.Lookup("register")
	b, err := s.Bind(model.Whole(c.History))
	require.NoError(t, err)
	order := make([]history.OpID, len(c.History.Ops))
	for i := range order {
		order[i] = history.OpID(i)
	}
	require.NoError(t, verify.Witness(b, order))
	reads := 0
	for i := len(order) - 1000; i < len(order)-1; i++ {
		if b.ReadOnly[order[i]] && b.ReadOnly[order[i+1]] { // the register does not mind
			order[i], order[i+1] = order[i+1], order[i]
			require.ErrorContains(t, verify.Witness(b, order), "returned before")
			order[i], order[i+1] = order[i+1], order[i]
			reads++
		}
	}
	require.Positive(t, reads)
	for i := len(order) - 1; ; i-- {
		if o := &b.Partition.Ops[i]; b.ReadOnly[i] && !o.Unknown {
			o.Result = c.History.Values.String("never written")
			break
		}
	}
	b, err = s.Bind(b.Partition)
	require.NoError(t, err)
	require.ErrorContains(t, verify.Witness(b, order), "refuses it")
	require.Error(t, verify.Witness(b, order[:len(order)-1]))
}

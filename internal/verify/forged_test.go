package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestForgedProofsAreRefused presents proofs about another history than theirs: one that is
// linearizable by the definition and differs in one result, one time or one operation that is
// forgotten. Each proof is also altered in a few of its numbers. None may be accepted.
func TestForgedProofsAreRefused(t *testing.T) {
	forged, said := map[proof.Kind]int{}, refusals{}
	present := func(b *model.Instance, p proof.Proof) {
		err := verify.Proof(context.Background(), nil, b, p)
		if assert.Error(t, err, "a %s proof is accepted of a linearizable history: %v", p.Kind(), b.Partition.Ops) {
			forged[p.Kind()]++
			said.add(t, p.Kind(), err)
		}
	}
	try := func(s model.Spec, h *history.History, p proof.Proof, rng *rand.Rand) {
		text, err := proof.Marshal(p)
		require.NoError(t, err)
		for range 12 {
			other := similar(h, rng)
			if other == nil {
				continue
			}
			b, err := s.Bind(model.Whole(other))
			if err != nil {
				continue // a result that the specification does not take
			}
			if ok, _ := oracle.Linearizable(b); !ok {
				continue
			}
			present(b, p)
			for range 6 {
				if altered, err := proof.Unmarshal([]byte(garbled(rng, string(text)))); err == nil {
					present(b, altered)
				}
			}
		}
	}
	for _, s := range specs.All() {
		for seed := range uint64(testenv.Scale(60, 3000)) {
			keys := 1
			if s.Info().Name == "multi-register" {
				keys = 1 + int(seed%3)
			}
			h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Keys: keys, NoEdges: seed%3 > 0,
				Values: 1 + int(seed%4)})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if ok, _ := oracle.Linearizable(b); ok {
				continue
			}
			rng := rand.New(rand.NewPCG(seed, 7))
			for _, options := range [][]linsat.Option{{linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore})},
				{linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}), linsat.Engine("monitor")}, {}} {
				r, err := linsat.Check(context.Background(), s, h, append(options, linsat.Partition("none"))...)
				require.NoError(t, err)
				if r.Verdict == engine.NotLinearizable && r.Certified {
					try(s, h, result.Of(r).Proof, rng)
				}
			}
			weakening := &proof.Weakening{Cut: history.Never}
			if cases, err := verify.Paired(context.Background(), b, weakening, 10_000); err == nil {
				try(s, h, &proof.Pairing{Weakening: weakening, Cases: cases}, rng)
			}
			if cases, err := verify.Saturated(context.Background(), b, weakening, 10_000); err == nil {
				try(s, h, &proof.Saturation{Weakening: weakening, Cases: cases}, rng)
			}
		}
	}
	t.Log(forged, said)
	for _, kind := range []proof.Kind{proof.KindArgument, proof.KindExhaustion, proof.KindRegisterConflict,
		proof.KindCollectionConflict, proof.KindLogConflict, proof.KindHoldConflict, proof.KindGrowthConflict,
		proof.KindSumConflict, proof.KindSaturation, proof.KindPairing,
		proof.KindDependencyCycles} {
		assert.Greater(t, forged[kind], testenv.MoreThan(20), kind)
	}
}

// similar returns a history with one result of another operation, one return that comes later or
// one result forgotten; nil if that changed nothing.
func similar(h *history.History, rng *rand.Rand) *history.History {
	other := *h
	other.Ops = append([]history.Op(nil), h.Ops...)
	at := rng.IntN(len(other.Ops))
	o := &other.Ops[at]
	if o.Pending() {
		return nil
	}
	switch rng.IntN(3) {
	case 0:
		o.Result = h.Ops[rng.IntN(len(h.Ops))].Result
		if rng.IntN(3) == 0 {
			o.Result = h.Ops[rng.IntN(len(h.Ops))].Arg
		}
		o.Unknown = false
	case 1:
		o.Unknown, o.Result = true, history.Nil
	default:
		o.Return += history.Rank(1 + rng.IntN(2*len(h.Ops)))
	}
	if *o == h.Ops[at] || other.Validate() != nil {
		return nil
	}
	return &other
}

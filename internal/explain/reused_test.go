package explain

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byOracle decides by the definition.
func byOracle(_ context.Context, b *model.Instance) engine.Verdict {
	if ok, _ := oracle.Linearizable(b); ok {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// TestReusedIsARefutation: what is refuted although operations may take effect again and again has
// no linearization by the definition, and what few responses are left in a core suffice, whatever
// the others did.
func TestReusedIsARefutation(t *testing.T) {
	refuted, missed, cores := 0, 0, 0
	for seed := range uint64(testenv.Scale(1500, 60_000)) {
		rng := rand.New(rand.NewPCG(seed, 37))
		s := randomspec.New(rng, rng.IntN(3) == 0)
		p := model.Whole(randomspec.History(rng, s, 2+rng.IntN(8), max(0, rng.IntN(8)-5)))
		b, err := s.Bind(p)
		require.NoError(t, err)
		b.Theory = nil
		if len(p.Edges) > 0 {
			continue
		}
		w := proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, p.Len())}
		for i := range w.Retain {
			w.Retain[i] = []proof.Retained{proof.RetainAll, proof.RetainResponse, proof.RetainCall}[rng.IntN(3)]
		}
		f := &finder{ctx: context.Background(), b: b, decide: byOracle, base: make([]proof.Retained, p.Len())}
		weak, _, err := Weaken(b, &w)
		require.NoError(t, err)
		no := byOracle(f.ctx, weak) == engine.NotLinearizable
		switch reused := f.reused(&w); {
		case reused:
			refuted++
			require.True(t, no, "seed %d\n%s", seed, randomspec.Show(p))
		case no:
			missed++
		}
		if byOracle(f.ctx, b) == engine.Linearizable {
			continue
		}
		w = proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, p.Len())}
		if !f.fewResponses(&w) {
			continue
		}
		cores++
		weak, _, err = Weaken(b, &w)
		require.NoError(t, err)
		require.Equal(t, engine.NotLinearizable, byOracle(f.ctx, weak), "seed %d\n%s", seed, randomspec.Show(p))
		require.NotEmpty(t, f.core.Facts)
		for i := range w.Retain { // each response is needed
			if !p.Ops[i].Pending() && w.Retain[i] != proof.RetainCall {
				less := w
				less.Retain = append([]proof.Retained(nil), w.Retain...)
				less.Retain[i] = proof.RetainCall
				weak, _, err := Weaken(b, &less)
				require.NoError(t, err)
				require.Equal(t, engine.Linearizable, byOracle(f.ctx, weak), "seed %d, operation %d\n%s", seed, i,
					randomspec.Show(p))
			}
		}
	}
	t.Logf("%d refuted, %d missed, %d cores", refuted, missed, cores)
	assert.Greater(t, refuted, testenv.MoreThan(50))
	assert.Greater(t, cores, testenv.MoreThan(50))
}

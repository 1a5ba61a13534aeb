package conformance_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatCheckRefusesHasNoCertificate: where one operation, on whatever object, makes no sense,
// there is no verdict, so that no certificate proves one either.
func TestWhatCheckRefusesHasNoCertificate(t *testing.T) {
	refused := 0
	for _, s := range specs.All() {
		rng := rand.New(rand.NewPCG(7, 7))
		for seed := range uint64(testenv.Scale(60, 2000)) {
			h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Keys: 3})
			require.NoError(t, err)
			r, err := linsat.Check(t.Context(), s, h)
			require.NoError(t, err)
			c, err := linsat.Certify(h, &r)
			if err != nil || len(h.Ops) == 0 {
				continue
			}
			bad := *h
			bad.Ops = slices.Clone(h.Ops)
			o := &bad.Ops[rng.IntN(len(bad.Ops))]
			what := []history.Value{h.Values.String("x"), h.Values.List([]history.Value{h.Values.Int(1)}),
				h.Values.Int(-1), history.True, history.Nil}[rng.IntN(5)]
			if rng.IntN(2) == 0 {
				o.Arg = what
			} else {
				o.F = h.Values.String("frobnicate")
			}
			_, err = linsat.Check(t.Context(), s, &bad)
			var refusal *linsat.Refusal
			switch no := linsat.Verify(t.Context(), s, &bad, c); {
			case err != nil:
				refused++
				assert.Error(t, no, "%s seed %d: %v", s.Info().Name, seed, err)
			case no != nil:
				assert.ErrorAs(t, no, &refusal, "%s seed %d", s.Info().Name, seed)
			}
		}
	}
	assert.Greater(t, refused, testenv.MoreThan(500))
}

package conformance_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

// pieces are histories of operations that say which pieces they touch. Every verdict has a
// certificate that holds.
func pieces(testing.TB) []source {
	return []source{{name: "pieces", n: testenv.Scale(750, 20_000), least: 0.2, most: 0.8,
		draw: func(_ testing.TB, seed uint64) (spec.Spec, *history.History) {
			return cells.Spec(), cells.Small(rand.New(rand.NewPCG(seed, 81)))
		},
		asks: [][]linsat.Option{{linsat.Partition("key")}, {linsat.Partition("none")}},
		told: func(t *testing.T, a *answer) {
			c, err := linsat.Certify(a.history, &a.said)
			require.NoError(t, err, a.about)
			require.NoError(t, linsat.Verify(context.Background(), a.spec, a.history, c, a.asked...), a.about)
		}}}
}

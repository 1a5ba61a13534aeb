package check_test

import (
	"testing"

	"github.com/linsat/linsat/internal/gen"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestAgainstIsTheLeast compares how many pairs are put against time with all orders.
func TestAgainstIsTheLeast(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "queue", "counter", "kv"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := specs.Lookup(name)
			unknown, far := 0, 0
			for seed := range uint64(testenv.Scale(150, 5000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, NoEdges: true})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				a := ask(t, s, h, "sequential")
				least := oracle.Inversions(b)
				require.Equal(t, least >= 0, a.Verdict == levels.Holds)
				if len(a.Against) > 0 {
					far++
					require.Len(t, a.Against, least, "seed %d", seed)
				} else if least > 0 {
					unknown++
				}
			}
			t.Logf("%d known, %d not", far, unknown)
			require.Greater(t, far, testenv.MoreThan(unknown))
		})
	}
}

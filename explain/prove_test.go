package explain

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/gen"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/spec"
)

// full says whether all random histories are tried.
func full() bool { return os.Getenv("LINSAT_FULL") != "" }

func lookup(t testing.TB, name string) spec.Spec {
	s, ok := spec.Lookup(name)
	require.True(t, ok, name)
	return s
}

// withAxioms are the specifications that have a theory, at least for some of their histories.
var withAxioms = []string{"register", "cas-register", "multi-register", "kv", "set", "mutex", "queue", "stack", "priority-queue", "counter"}

// Every small history that is not linearizable has an argument, and no linearizable one has.
func TestProveAgainstBruteForce(t *testing.T) {
	rounds := uint64(400)
	if full() {
		rounds = 6000
	}
	for _, name := range withAxioms {
		t.Run(name, func(t *testing.T) {
			s := lookup(t, name)
			refuted, linearizable, steps, cases, nodes := 0, 0, 0, 0, 0
			for seed := range rounds {
				h, err := gen.Small(name, seed, gen.SmallOptions{})
				require.NoError(t, err)
				b, err := s.Bind(spec.Whole(h))
				require.NoError(t, err)
				if b.Theory == nil {
					continue
				}
				yes, _ := oracle.Linearizable(b)
				p, err := Prove(context.Background(), b, check.Everything(), 0)
				require.NoError(t, err, "%s seed %d", name, seed)
				nodes += p.Nodes
				if yes {
					linearizable++
					require.Nil(t, p.Argument, "%s seed %d is linearizable", name, seed)
					continue
				}
				refuted++
				if assert.NotNil(t, p.Argument, "%s seed %d is not linearizable: %v %s", name, seed, p.Cause, p.Detail) {
					z := p.Argument.Size()
					steps += z.Steps
					if z.Depth > 0 {
						cases++
					}
				}
			}
			t.Logf("%d refuted in %d steps, %d with cases; %d linearizable; %d nodes", refuted, steps, cases, linearizable, nodes)
			assert.Greater(t, refuted, int(rounds/10))
			assert.Greater(t, linearizable, int(rounds/10))
		})
	}
}

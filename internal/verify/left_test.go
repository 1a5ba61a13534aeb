package verify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever Left lets a weakening leave out, what is left of a linearizable history is linearizable,
// and its operations are those that the weakening keeps.
func TestWhatIsLeftOfALinearizableHistoryIsLinearizable(t *testing.T) {
	for _, name := range []string{"deque", "bounded-queue"} {
		s, ok := specs.Lookup(name)
		require.True(t, ok, name)
		accepted, refused, values, reads := 0, 0, 0, 0
		for seed := range uint64(6000) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: seed%8 != 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			moves := b.Contents()
			if ok, _ := oracle.Linearizable(b); !ok || moves == nil || b.Partition.Len() == 0 {
				continue
			}
			r := rand.New(rand.NewPCG(seed, 2))
			weakening := &proof.Weakening{Cut: history.Rank(r.IntN(2*b.Partition.Len() + 2)),
				Retain: make([]proof.Retained, b.Partition.Len())}
			forgotten, counts := r.Uint32(), r.IntN(2) == 0
			value, read := false, false
			for i := range weakening.Retain {
				switch v := moves.Value[i]; {
				case v >= 0 && forgotten>>(v%32)&1 != 0:
					weakening.Retain[i], value = proof.RetainNothing, true
				case b.ReadOnly[i] && r.IntN(3) == 0:
					weakening.Retain[i], read = proof.RetainNothing, true
				case b.CountsValues(history.OpID(i)) && counts:
					weakening.Retain[i] = proof.RetainNothing
				case r.IntN(4) == 0:
					weakening.Retain[i] = proof.RetainResponse
				case r.IntN(8) == 0:
					weakening.Retain[i] = proof.RetainCall
				}
			}
			weak, left, err := verify.Left(b, weakening)
			if err != nil {
				refused++
				continue
			}
			accepted++
			if value {
				values++
			}
			if read {
				reads++
			}
			require.Len(t, left, weak.Partition.Len(), "%s, seed %d", name, seed)
			for _, i := range left {
				require.NotEqual(t, proof.RetainNothing, weakening.Of(i), "%s, seed %d", name, seed)
			}
			ok, _ = oracle.Linearizable(weak)
			assert.True(t, ok, "%s, seed %d: the weakening %+v refutes a linearizable history", name, seed, weakening)
		}
		t.Logf("%s: %d accepted, %d leave out values, %d reads, %d refused", name, accepted, values, reads, refused)
		assert.Greater(t, values, 100, name)
		assert.Greater(t, reads, 20, name)
		assert.Greater(t, refused, 20, name)
	}
}

// Operations that are left out of a linearizable history because they touch nothing that the others
// touch leave a linearizable one; where they touch it, Left refuses.
func TestWhatIsLeftOutTouchesNothingOfTheRest(t *testing.T) {
	s := cells.Spec()
	accepted, refused := 0, 0
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 79))
		b, err := s.Bind(model.Whole(cells.Small(r)))
		require.NoError(t, err)
		if ok, _ := oracle.Linearizable(b); !ok {
			continue
		}
		weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
		changes := false
		for i := range weakening.Retain {
			if r.IntN(3) == 0 {
				weakening.Retain[i] = proof.RetainNothing
				changes = changes || !b.ReadOnly[i]
			}
		}
		weak, _, err := verify.Left(b, weakening)
		switch {
		case !changes:
		case err != nil:
			refused++
		default:
			accepted++
			ok, _ := oracle.Linearizable(weak)
			require.True(t, ok, "seed %d", seed)
		}
	}
	assert.Greater(t, accepted, 100)
	assert.Greater(t, refused, 500)
}

package sets

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Used by one thread, every set answers as a map does, also after it has grown.
func TestSetsAreSets(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			s, model := k.new(mem.New()), map[int]bool{}
			for range 3000 {
				key := rng.IntN(64)
				switch rng.IntN(3) {
				case 0:
					require.Equal(t, !model[key], s.add(key))
					model[key] = true
				case 1:
					require.Equal(t, model[key], s.remove(key))
					delete(model, key)
				default:
					require.Equal(t, model[key], s.contains(key))
				}
			}
		})
	}
}

// The small tests of the catalogue, under every schedule.
func TestSmallTestsHaveTheirVerdicts(t *testing.T) {
	for _, e := range Entries() {
		t.Run(e.Case.Object.Name, func(t *testing.T) {
			r, err := explore.Check(t.Context(), e.Case, specs.Set(),
				explore.CheckOptions{Strategy: explore.Bounded(2)})
			require.NoError(t, err)
			t.Log(r.Summary())
			require.Equal(t, e.Linearizable, r.Violation == nil, "%+v", r.Violation)
		})
	}
}

// What ordinary goroutines record: the faulty sets are found out, the others are linearizable.
func TestRecordedSetsHaveTheirVerdicts(t *testing.T) {
	const operations = 70000 // as in the paper
	for _, name := range Recordable() {
		t.Run(name, func(t *testing.T) {
			faulty, refused := name == "skiplist-faulty1" || name == "skiplist-faulty2", false
			for seed := uint64(0); seed < 5 && !refused; seed++ {
				h, err := Record(name, Recording{Threads: 4, Operations: operations, Keys: 24, Seed: seed})
				require.NoError(t, err)
				require.Len(t, h.Ops, 4*operations)
				r, err := linsat.Check(t.Context(), specs.Set(), h)
				require.NoError(t, err)
				require.True(t, r.Certified, r.Uncertified)
				refused = r.Verdict == linsat.NotLinearizable
				if !faulty {
					require.Equal(t, linsat.Linearizable, r.Verdict)
					break
				}
			}
			assert.Equal(t, faulty, refused)
		})
	}
}

func TestRecordRefusesUnknownNames(t *testing.T) {
	_, err := Record("bag", Recording{})
	require.EqualError(t, err, `there is no set "bag"`)
}

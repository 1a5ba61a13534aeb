package monitor

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crashing simulates clients that add 1 to most and read, as Jepsen's test of a counter does. At a
// rate the outcome of an addition stays unknown, and its client goes on with another operation; it
// takes effect or not, up to late after its call if that is positive. If lost is positive, so many
// additions that returned are lost.
func crashing(seed uint64, n, clients int, most int64, rate float64, lost int, late int64) []counted {
	type event struct {
		at int64
		op int // that takes effect
	}
	r := rand.New(rand.NewPCG(seed, 81))
	var ops []counted
	var effects []event
	at := make([]int64, clients)
	for c := range at {
		at[c] = r.Int64N(1000)
	}
	for k := range n {
		c := 0
		for x := range at {
			if at[x] < at[c] {
				c = x
			}
		}
		o := counted{f: "read", call: at[c], ret: at[c] + 1 + r.Int64N(1000)}
		effect := o.call + 1 + r.Int64N(o.ret-o.call)
		if r.IntN(2) == 0 {
			o.f, o.arg = "inc", 1+r.Int64N(most)
		}
		at[c] = o.ret + 1 + r.Int64N(200)
		if o.f == "inc" && r.Float64() < rate {
			if o.ret = -1; r.IntN(2) == 0 {
				effect = math.MaxInt64
			} else if late > 0 {
				effect = o.call + 1 + r.Int64N(late)
			}
		} else if o.f == "inc" && k > n/2 && lost > 0 {
			lost--
			effect = math.MaxInt64
		}
		ops, effects = append(ops, o), append(effects, event{effect, k})
	}
	slices.SortStableFunc(effects, func(x, y event) int { return cmp.Compare(x.at, y.at) })
	sum := int64(0)
	for _, e := range effects {
		switch o := &ops[e.op]; {
		case e.at == math.MaxInt64:
		case o.f == "inc":
			sum += o.arg
		default:
			o.shows = sum
		}
	}
	return ops
}

// TestSuppliedCountersAgreeWithTheDefinition compares the walks, each alone, with the definition on
// random small histories in which many additions never returned and reads may be wrong.
func TestSuppliedCountersAgreeWithTheDefinition(t *testing.T) {
	said, total := map[engine.Verdict]int{}, map[bool]int{}
	for seed := range uint64(testenv.Scale(4000, 200_000)) {
		r := rand.New(rand.NewPCG(seed, 82))
		ops := crashing(seed, 4+r.IntN(8), 2+r.IntN(4), 1+r.Int64N(5), 0.3+0.5*r.Float64(), r.IntN(2), 0)
		for i := range ops {
			if ops[i].f == "read" && r.IntN(6) == 0 {
				ops[i].shows += r.Int64N(7) - 3
			}
		}
		b := bindCounter(t, ops)
		want, _ := oracle.Linearizable(b)
		total[want]++
		c := newSummation(b.Theory.(*model.CountingTheory), b.Partition.Ops, &engine.Account{Ctx: context.Background(),
			Limit: math.MaxInt64})
		for _, width := range supplyWidths {
			s := newSupplySearch(c, width, &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64})
			if s == nil {
				break // nothing is pending
			}
			verdict := s.walk()
			said[verdict]++
			if verdict != engine.Unknown {
				require.Equal(t, want, verdict == engine.Linearizable, "seed %d, %v: %+v", seed, width, ops)
			}
			if verdict == engine.Linearizable {
				require.NoError(t, verify.Witness(b, s.witness()), "seed %d, %v: %+v", seed, width, ops)
			}
			if width == supplyWidths[len(supplyWidths)-1] {
				// So few are all kept.
				require.Equal(t, want, verdict == engine.Linearizable, "seed %d: %+v", seed, ops)
			}
		}
	}
	t.Log(said, total)
	assert.NotZero(t, said[engine.NotLinearizable])
	assert.NotZero(t, total[true])
	assert.NotZero(t, total[false])
}

// TestLongCountersWithManyUnknownOutcomes decides histories as Jepsen records them: ten clients,
// additions of 1 to 5, three in a hundred of unknown outcome.
func TestLongCountersWithManyUnknownOutcomes(t *testing.T) {
	for seed := range uint64(testenv.Scale(1, 4)) {
		for _, lost := range []int{0, 4} {
			b := bindCounter(t, crashing(seed, testenv.Scale(2_000, 10_000), 10, 5, 0.06, lost, 0))
			a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
			require.NoError(t, err)
			if lost > 0 {
				require.Equal(t, engine.NotLinearizable, a.Verdict, "seed %d: %s", seed, a.Detail)
				continue
			}
			require.Equal(t, engine.Linearizable, a.Verdict, "seed %d: %s", seed, a.Detail)
			require.NoError(t, verify.Witness(b, a.Witness))
		}
	}
}

// TestLateAdditionsAreSupplied: of many additions of unknown outcome some take effect long after
// their calls. Walks that use as many small ones as large ones run out of these.
func TestLateAdditionsAreSupplied(t *testing.T) {
	b := bindCounter(t, crashing(1, 10_000, 10, 5, 0.2, 0, 100_000))
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict, a.Detail)
	require.NoError(t, verify.Witness(b, a.Witness))
}

package monitor

import (
	"fmt"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestGrowingSetsAgreeWithTheDefinition decides small sets that only grow, and compares the verdict
// with brute force and the evidence with the verifier. All are decided, but for explicit order.
func TestGrowingSetsAgreeWithTheDefinition(t *testing.T) {
	rules, yes, open := map[proof.GrowthRule]int{}, 0, 0
	compare := func(h *history.History, seed uint64) {
		b := bindTo(t, "set", h)
		theory := model.As[*model.GrowingTheory](b)
		if theory == nil {
			return
		}
		a := checkGrowing(t.Context(), b, theory)
		want, _ := oracle.Linearizable(b)
		about := func() string { return fmt.Sprintf("seed %d\n%s", seed, randomspec.Show(b.Partition)) }
		switch a.Verdict {
		case engine.NotLinearizable:
			conflict := a.Proof.(*proof.GrowthConflict)
			rules[conflict.Rule]++
			require.False(t, want, "%v %s", conflict, about())
			require.NoError(t, verify.Growth(b, conflict), "%v %s", conflict, about())
		case engine.Linearizable:
			yes++
			require.True(t, want, about())
			require.NoError(t, verify.Witness(b, a.Witness), about())
			require.NoError(t, oracle.Replay(b, a.Witness), about())
		default:
			open++
			require.NotEmpty(t, h.Edges, about())
		}
	}
	for seed := range uint64(sample(400_000)) {
		h, err := gen.GrowingSet(seed, 8)
		require.NoError(t, err)
		compare(h, seed)
		if seed%4 == 0 {
			h, err = gen.Small("set", seed, gen.SmallOptions{All: true, Keys: 1})
			require.NoError(t, err)
			compare(h, seed)
		}
	}
	t.Log(rules, yes, open)
	for rule := proof.GrowthTwice; rule <= proof.GrowthTooEarly; rule++ {
		require.Greater(t, rules[rule], testenv.MoreThan(sample(200)), "%v", rule)
	}
	require.Greater(t, yes, sample(50_000))
	require.Less(t, open, sample(20_000))
}

// Sets of many elements, with as many adds of unknown outcome, are decided by the monitor.
func TestLongGrowingSetsAreDecided(t *testing.T) {
	n := testenv.Scale(3000, 100_000)
	for _, lost := range []bool{false, true} {
		b := history.NewBuilder()
		var there []history.Value
		for i := range n {
			r := history.Record{Process: b.Process(fmt.Sprint(i % 64)), Key: history.NoKey, F: b.Values.String("add"),
				Arg: b.Values.Int(int64(i)), Call: int64(10 * i), Return: int64(10*i + 5), Result: history.Nil}
			if i%5 == 0 {
				r.Process, r.Pending = b.Process(fmt.Sprint("p", i)), true
			}
			if i%(n/10) == n/10-1 {
				r.F, r.Arg, r.Result = b.Values.String("elements"), history.Nil, b.Values.List(there)
			} else if i%10 != 0 && (!lost || i != n/2+1) {
				there = append(there, r.Arg)
			}
			_, err := b.Add(r)
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		p := bindAs(t, "set", model.Whole(h))
		a := plainly(t, p)
		if lost {
			require.Equal(t, engine.NotLinearizable, a.Verdict)
			require.NoError(t, verify.Growth(p, a.Proof.(*proof.GrowthConflict)))
			continue
		}
		require.Equal(t, engine.Linearizable, a.Verdict)
		require.NoError(t, verify.Witness(p, a.Witness))
	}
}

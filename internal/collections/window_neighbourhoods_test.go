package collections

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// stackEvent is what one operation does: value 0 is nothing.
type stackEvent struct {
	push             bool
	value            int64
	pending, unknown bool
}

// fewKinds are five kinds of operations on a stack with two values, and further ones with pending
// operations and unknown results.
var fewKinds = []stackEvent{
	{push: true, value: 1}, {push: true, value: 2}, {value: 1}, {value: 2}, {},
	{push: true, value: 1, pending: true}, {pending: true, unknown: true}, {unknown: true},
}

// everyStack yields every history of n operations of these kinds: operations are numbered by call,
// and every order of calls and returns is tried.
func everyStack(n int, kinds []stackEvent, yield func(ops []stackEvent, times [][2]history.Rank)) {
	ops, times := make([]stackEvent, n), make([][2]history.Rank, n)
	var step func(called int, open uint, at history.Rank)
	step = func(called int, open uint, at history.Rank) {
		if called == n && open == 0 {
			yield(ops, times)
			return
		}
		for i := range called {
			if open>>i&1 == 1 {
				times[i][1] = at
				step(called, open&^(1<<i), at+1)
			}
		}
		if called == n {
			return
		}
		for _, k := range kinds {
			ops[called], times[called] = k, [2]history.Rank{at, history.Never}
			bit := uint(1) << called
			if k.pending {
				bit = 0
			}
			step(called+1, open|bit, at+1)
		}
	}
	step(0, 0, 0)
}

// stackOf binds such a history.
func stackOf(t *testing.T, s model.Spec, values *history.Values, ops []stackEvent,
	times [][2]history.Rank) *model.Instance {
	h := &history.History{Values: values, Processes: make([]string, len(ops))}
	for i, e := range ops {
		o := history.Op{Process: int32(i), F: values.String("pop"), Key: history.NoKey, Call: times[i][0],
			Return: times[i][1], Unknown: e.unknown || e.pending}
		switch {
		case e.push:
			o.F, o.Arg = values.String("push"), values.Int(e.value)
		case e.value > 0:
			o.Result = values.Int(e.value)
		}
		h.Ops = append(h.Ops, o)
		h.Origins = append(h.Origins, history.Origin{Position: int32(i)})
	}
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

// TestWindowsAgreeWithTheDefinitionOnEveryStack compares small windows, without retries, with brute
// force on every history of a few operations on two values, or a sample of them. A window with only
// some values has a way through it if the history is linearizable.
func TestWindowsAgreeWithTheDefinitionOnEveryStack(t *testing.T) {
	s := testkit.Spec(t, "stack")
	values := history.NewBuilder().Values
	fresh := func() *engine.Account { return &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64} }
	count, yes, no, refuted, proved := 0, 0, 0, 0, 0
	compare := func(ops []stackEvent, times [][2]history.Rank) {
		b := stackOf(t, s, values, ops, times)
		want, _ := oracle.Linearizable(b)
		theory := b.Theory.(*model.CollectionTheory)
		w := newWindowSearch(b, theory, fresh())
		w.plan, w.repair.retries = windowPlan{neighbourhoods: smallNeighbourhoods, ahead: 1}, 0
		if o := w.search(); want {
			yes++
			require.Equal(t, found, o, "%s", randomspec.Show(b.Partition))
			require.NoError(t, oracle.Replay(b, w.linearization()), "%s", randomspec.Show(b.Partition))
		} else {
			no++
			require.Equal(t, failed, o, "%s", randomspec.Show(b.Partition))
			// The verifier does not forget values where a completed pop may have taken any.
			anything := slices.ContainsFunc(ops, func(e stackEvent) bool { return e.unknown && !e.pending })
			if e := w.evidence(theory); e != nil && !anything {
				proved++
				require.NoError(t, verify.Proof(context.Background(), nil, b, e), "%s", randomspec.Show(b.Partition))
			}
		}
		for to := range w.returns {
			for from := range to + 1 {
				for _, chosen := range []chosenValues{{0}, {1}, {0, 1}, nil} {
					p := w.only(from, to+1, chosen)
					account := &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64}
					o := p.deepestFirst(account, nil).search()
					require.Contains(t, []outcome{found, failed}, o)
					require.Equal(t, o, p.byLayer(account, nil).search())
					if o == failed {
						refuted++
						require.False(t, want, "%v from %d to %d\n%s", chosen, from, to+1, randomspec.Show(b.Partition))
					}
				}
			}
		}
	}
	for _, x := range []struct{ n, kinds, every int }{
		{3, len(fewKinds), testenv.OneOf(3)},
		{4, len(fewKinds), testenv.OneOf(97)},
		{5, 5, testenv.OneOf(997)},
	} {
		everyStack(x.n, fewKinds[:x.kinds], func(ops []stackEvent, times [][2]history.Rank) {
			if count++; count%x.every == 0 {
				compare(ops, times)
			}
		})
	}
	t.Logf("%d histories; of those compared %d linearizable, %d not; %d windows refute, %d proofs", count, yes, no,
		refuted, proved)
	require.Greater(t, yes, testenv.MoreThan(0))
	require.Greater(t, no, testenv.MoreThan(0))
	require.Greater(t, refuted, testenv.MoreThan(0))
	require.Greater(t, proved, testenv.MoreThan(0))
}

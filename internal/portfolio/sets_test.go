package portfolio

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/setsearch"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestLongHistoriesWithinBoundsOnSets asks about more operations than the search for sets takes,
// none of which need move by more than the bound of the set.
func TestLongHistoriesWithinBoundsOnSets(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "queue", Operations: 3000, Processes: 8, Relax: 1, Seed: 3})
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, underFactor(t, "queue", c.History,
		"deq=4,deq(1|3|17|200|201|202|203|204|205|206|207|208|209)=1"))
}

// TestPlacesBeyondAByte searches a history with more than 255 removals, which are all in their
// places, and one in which the last two of a set changed theirs.
func TestPlacesBeyondAByte(t *testing.T) {
	for swap, want := range []engine.Verdict{engine.Linearizable, engine.NotLinearizable} {
		b := history.NewBuilder()
		p, at := b.Process("p"), int64(0)
		add := func(f string, arg, result history.Value) {
			b.Add(history.Record{Process: p, F: b.Values.String(f), Key: history.NoKey, Arg: arg, Result: result,
				Call: at, Return: at + 1})
			at += 2
		}
		for v := range int64(600) {
			add("enq", b.Values.Int(v), history.Nil)
			if v < 598 {
				add("deq", history.Nil, b.Values.Int(v))
			}
		}
		add("deq", history.Nil, b.Values.Int(598+int64(swap)))
		add("deq", history.Nil, b.Values.Int(599-int64(swap)))
		h, err := b.Finish()
		require.NoError(t, err)
		spec := testkit.Spec(t, "queue")
		bound, err := spec.Bind(model.Whole(h))
		require.NoError(t, err)
		request, err := quasi.Parse(spec.Info(), "deq=1,deq(598|599)=0")
		require.NoError(t, err)
		a, err := setsearch.New().Check(t.Context(), &engine.Task{Instance: bound,
			Quasi: &quasi.Question{Factor: request.Factor, Sets: request.Sets, Drain: true}}, engine.NewBudget(0, 0))
		require.NoError(t, err)
		require.Equal(t, want, a.Verdict)
	}
}

// underFactor is the verdict on a history under a factor as --quasi takes it.
func underFactor(t *testing.T, name string, h *history.History, factor string) engine.Verdict {
	spec := testkit.Spec(t, name)
	request, err := quasi.Parse(spec.Info(), factor)
	require.NoError(t, err)
	q := &Question{Spec: spec, History: h,
		Quasi: &quasi.Question{Factor: request.Factor, Sets: request.Sets, Drain: true}}
	a, err := New(Options{Engines: Auto, Quasi: true, Workers: 1, Partitioning: model.ByKey}).Check(
		context.Background(), q, engine.NewBudget(0, 0))
	require.NoError(t, err)
	return a.Verdict
}

// TestValuesOfASetRefuteByDefinition asks about the values of sets alone, on random small
// histories: where that refutes, the definition does.
func TestValuesOfASetRefuteByDefinition(t *testing.T) {
	refuted, bySets, n := 0, 0, testenv.Scale(1_000, 60_000)
	p := New(Options{Engines: Auto, Quasi: true, Workers: 1})
	for seed := range uint64(n) {
		name := []string{"queue", "stack", "priority-queue"}[seed%3]
		h, err := gen.Small(name, seed, gen.SmallOptions{Least: 5, Most: 8, Relax: int(seed / 3 % 4), Keys: 1,
			NoInitial: true, Exact: seed%2 == 0, Values: []int{3, 9, 9}[seed/12%3]})
		require.NoError(t, err)
		b, err := testkit.Spec(t, name).Bind(model.Whole(h))
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 45))
		var values []string
		for _, o := range h.Ops {
			if o.Arg == history.Nil && !o.Unknown && !o.Pending() && o.Result != history.Nil && r.IntN(8) > 0 {
				values = append(values, h.Values.Format(o.Result))
			}
		}
		if len(values) == 0 {
			continue
		}
		q := quasi.Question{Factor: quasi.Factor{int32(r.IntN(5) / 4), quasi.Unbounded, 0},
			Meaning: quasi.Meaning(r.IntN(2)), Drain: r.IntN(2) > 0,
			Sets: []quasi.Set{{Operations: "removals(" + strings.Join(values, "|") + ")", Bound: int32(r.IntN(2))}}}
		_, no, err := p.setRefuted(t.Context(), &engine.Task{Instance: b, Quasi: &q}, engine.NewBudget(0, 0))
		require.NoError(t, err)
		if !no {
			continue
		}
		yes, _, _ := oracle.QuasiLinearizable(b, q)
		require.False(t, yes, "%s, seed %d, %+v", name, seed, q)
		refuted++
		q.Sets = nil
		if yes, _, _ := oracle.QuasiLinearizable(b, q); yes {
			bySets++
		}
	}
	t.Logf("%d of %d refuted, %d of them by the sets alone", refuted, n, bySets)
	require.Greater(t, bySets, testenv.MoreThan(n/400))
}

// TestLongHistoriesBeyondBoundsOnSets: values that are out of order among themselves refute more
// operations than the search for sets takes.
func TestLongHistoriesBeyondBoundsOnSets(t *testing.T) {
	for _, name := range []string{"queue", "priority-queue"} {
		c, err := gen.Generate(gen.Options{Spec: name, Operations: 2000, Processes: 2, Relax: 4, Seed: 3})
		require.NoError(t, err)
		var values []string
		for _, o := range c.History.Ops {
			if o.Arg == history.Nil && !o.Pending() && len(values) < 100 {
				values = append(values, c.History.Values.Format(o.Result))
			}
		}
		require.Equal(t, engine.NotLinearizable, underFactor(t, name, c.History,
			"removals=4,removals("+strings.Join(values, "|")+")=0"))
	}
}

// TestValuesOfASetMayBeTakenByOthers: what never returned took the first 2, so 3 and 2 leave in
// their order. The removals of the set alone would not.
func TestValuesOfASetMayBeTakenByOthers(t *testing.T) {
	h := []testkit.Event{
		{F: "enq", Arg: 2, Call: 0, Return: 1}, {F: "enq", Arg: 3, Call: 2, Return: 3},
		{F: "enq", Arg: 2, Call: 4, Return: 5}, {F: "deq", Call: 6, Return: -1},
		{F: "deq", Result: 3, Call: 7, Return: 8}, {F: "deq", Result: 2, Call: 9, Return: 10},
	}
	q := quasi.Question{Factor: quasi.Factor{0, quasi.Unbounded, 0},
		Sets: []quasi.Set{{Operations: "removals(2|3)", Bound: 0}}}
	p := New(Options{Engines: Auto, Quasi: true, Workers: 1})
	refuted := func(h []testkit.Event) bool {
		b := testkit.Bind(t, testkit.Spec(t, "queue"), nil, testkit.Number, h)
		_, no, err := p.setRefuted(t.Context(), &engine.Task{Instance: b, Quasi: &q}, engine.NewBudget(0, 0))
		require.NoError(t, err)
		yes, _, _ := oracle.QuasiLinearizable(b, q)
		require.NotEqual(t, yes, no)
		return no
	}
	require.False(t, refuted(h))
	h[3] = testkit.Event{F: "deq", Result: 2, Call: 11, Return: 12} // of the set, and last
	require.True(t, refuted(h))
}

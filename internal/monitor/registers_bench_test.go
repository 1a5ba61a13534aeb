package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longRun is a generated history of many operations.
func longRun(t testing.TB, o gen.Options) *history.History {
	o.Seed = 1
	g, err := gen.Generate(o)
	require.NoError(t, err)
	return g.History
}

// swapRun is a run of a register in which a third of the operations swap, and one in a hundred
// never returns; late, if it is not negative, reads what was there some operations before.
func swapRun(t testing.TB, n, processes, late int) *history.History {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(processes)))
	b := history.NewBuilder()
	lanes := make([]int32, processes)
	for p := range lanes {
		lanes[p] = b.Process(fmt.Sprint(p))
	}
	read, write, cas := b.Values.String("read"), b.Values.String("write"), b.Values.String("cas")
	state := history.Nil
	seen := make([]history.Value, n)
	for i := range n {
		r := history.Record{Process: lanes[i%processes], Key: history.NoKey, Call: int64(10*i - rng.IntN(5*processes)),
			Return: int64(10*i + rng.IntN(5*processes))}
		effect := true
		if rng.IntN(100) == 0 {
			r.Pending = true
			effect = rng.IntN(2) == 0
			lanes[i%processes] = b.Process(fmt.Sprint("new ", i))
		}
		new := b.Values.Int(int64(i))
		switch {
		case i%3 == 0:
			r.F, r.Arg = write, new
		case i%3 == 1:
			r.F, r.Arg, r.Result = cas, b.Values.List([]history.Value{state, new}), history.True
		default:
			r.F, r.Result, effect = read, state, false
			if late >= 0 && i >= n/2 && !r.Pending {
				r.Result, late = seen[i-20*processes], -1
			}
		}
		if effect {
			state = new
		}
		seen[i] = state
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// hotRun is a run of one element under processes; one answer in the middle is turned round.
func hotRun(t testing.TB, n, processes int, seed uint64) *model.Instance {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	var steps []step
	there := false
	for i := range n {
		s := step{f: []string{"add", "remove", "contains"}[rng.IntN(3)], call: max(0, 10*i-rng.IntN(5*processes)),
			ret: 10*i + rng.IntN(5*processes)}
		switch s.f {
		case "add":
			s.fails, there = there, true
		case "remove":
			s.fails, there = !there, false
		default:
			s.fails = !there
		}
		if i == n/2 {
			s.fails = !s.fails
		}
		steps = append(steps, s)
	}
	return bindBit(t, steps)
}

// TestLongRunsOfRegistersAreProved judges witnesses and refutations of long runs.
func TestLongRunsOfRegistersAreProved(t *testing.T) {
	n := 20_000
	if testenv.Full() {
		n = 100_000
	}
	for _, processes := range []int{4, 16, 64} {
		for _, o := range []gen.Options{{Spec: "register"}, {Spec: "mutex"}, {Spec: "set", Values: 1}, {Spec: "set"},
			{Spec: "set", Values: n / 8},
			{Spec: "set", PendingRate: 0.01}, {Spec: "register", PendingRate: 0.01}} {
			o.Operations, o.Processes = n, processes
			b := bindAs(t, o.Spec, model.Whole(longRun(t, o)))
			a := plainly(t, b)
			require.Equal(t, engine.Linearizable, a.Verdict, "%+v", o)
			require.NoError(t, judged(b, a))
		}
		for _, late := range []int{-1, 0} {
			b := bindAs(t, "cas-register", model.Whole(swapRun(t, n, processes, late)))
			a := plainly(t, b)
			require.Equal(t, late < 0, a.Verdict == engine.Linearizable)
			require.NoError(t, judged(b, a))
		}
	}
}

// TestWrongAnswersOfOneElementAreRefuted refutes runs of one element with a wrong answer, which the
// verifier finds by trying all orders.
func TestWrongAnswersOfOneElementAreRefuted(t *testing.T) {
	no := 0
	for seed := range uint64(sample(400)) {
		b := hotRun(t, 2000, 4, seed)
		a := plainly(t, b)
		require.NoError(t, judged(b, a), "seed %d", seed)
		if a.Verdict == engine.NotLinearizable {
			no++
		}
	}
	assert.NotZero(t, no)
}

// BenchmarkCells decides long runs in one piece; verdicts are asserted, and judged outside the
// clock.
func BenchmarkCells(b *testing.B) {
	run := func(name string, n int, bound *model.Instance, verdict engine.Verdict) {
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			var a engine.Answer
			b.ReportAllocs()
			for b.Loop() {
				a = plainly(b, bound)
			}
			require.Equal(b, verdict, a.Verdict, "%v %s", a.Cause, a.Detail)
			require.NoError(b, judged(bound, a))
		})
	}
	for _, n := range []int{100_000, 1_000_000} {
		for name, o := range map[string]gen.Options{
			"register/w=16":    {Spec: "register", Processes: 16},
			"register/w=4":     {Spec: "register", Processes: 4},
			"register/no/w=16": {Spec: "register", Processes: 16, Violation: gen.Stale},
			"mutex/w=16":       {Spec: "mutex", Processes: 16},
			"set/1/w=16":       {Spec: "set", Processes: 16, Values: 1},
			"set/24/w=16":      {Spec: "set", Processes: 16},
			"set/n÷8/w=16":     {Spec: "set", Processes: 16, Values: n / 8},
		} {
			o.Operations = n
			verdict := engine.Linearizable
			if o.Violation != gen.NoViolation {
				verdict = engine.NotLinearizable
			}
			run(name, n, bindAs(b, o.Spec, model.Whole(longRun(b, o))), verdict)
		}
		for late, verdict := range []engine.Verdict{engine.NotLinearizable, engine.Linearizable} {
			run(fmt.Sprintf("cas-register/%v/w=16", verdict), n,
				bindAs(b, "cas-register", model.Whole(swapRun(b, n, 16, -late))), verdict)
		}
	}
}

package roundup

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomOrder runs a test at random as far as calls and returns go: each thread calls and returns
// in turn, main before and after. The operations return nothing yet.
func randomOrder(r *rand.Rand, c *explore.Case) *explore.Execution {
	e := &explore.Execution{}
	clock := int32(0)
	tick := func() int32 { clock++; return clock - 1 }
	serial := func(calls []explore.Call) {
		for _, call := range calls {
			e.Ops = append(e.Ops, explore.Op{Thread: schedule.Main, F: call.F, Arg: call.Arg, Call: tick(),
				Return: tick()})
		}
	}
	serial(c.Before)
	next := make([]int, len(c.Threads))
	open := make([]int, len(c.Threads))
	for left := DimensionOf(c).Calls() - len(c.Before) - len(c.After); left > 0; {
		t := r.IntN(len(c.Threads))
		switch {
		case open[t] > 0:
			e.Ops[open[t]-1].Return = tick()
			open[t] = 0
			left--
		case next[t] < len(c.Threads[t]):
			call := c.Threads[t][next[t]]
			next[t]++
			e.Ops = append(e.Ops, explore.Op{Thread: t, F: call.F, Arg: call.Arg, Call: tick(), Return: -1})
			open[t] = len(e.Ops)
		}
	}
	serial(c.After)
	return e
}

// randomCase is a small test; with well-formed as many insertions as removals.
func randomCase(r *rand.Rand, m Methods, wellFormed bool) *explore.Case {
	for {
		pattern := func(n int) string {
			b := make([]byte, n)
			for i := range b {
				b[i] = "ir"[r.IntN(2)]
			}
			return string(b)
		}
		before, after := pattern(r.IntN(3)), pattern(r.IntN(2))
		threads := []string{pattern(1 + r.IntN(2)), pattern(1 + r.IntN(2))}
		if r.IntN(3) == 0 {
			threads = append(threads, pattern(1))
		}
		c := m.Test(&explore.Object{}, before, threads, after)
		all := before + after
		for _, p := range threads {
			all += p
		}
		insertions := 0
		for _, b := range all {
			if b == 'i' {
				insertions++
			}
		}
		if !wellFormed || 2*insertions == len(all) {
			return c
		}
	}
}

// permutations calls yield with every order of n operations.
func permutations(n int, yield func([]int32)) {
	order := make([]int32, 0, n)
	used := make([]bool, n)
	var from func()
	from = func() {
		if len(order) == n {
			yield(order)
			return
		}
		for i := range n {
			if !used[i] {
				used[i] = true
				order = append(order, int32(i))
				from()
				order = order[:len(order)-1]
				used[i] = false
			}
		}
	}
	from()
}

func precedes(e *explore.Execution, a, b int32) bool { return e.Ops[a].Return < e.Ops[b].Call }

// Linearizations are those permutations that extend the interval order, each once.
func TestLinearizations(t *testing.T) {
	for seed := range uint64(testenv.Scale(150, 3_000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		e := randomOrder(r, randomCase(r, Methods{"enq", "deq"}, false))
		if len(e.Ops) > 7 {
			continue
		}
		want := map[string]bool{}
		permutations(len(e.Ops), func(order []int32) {
			for i := range order {
				for j := range i {
					if precedes(e, order[i], order[j]) {
						return
					}
				}
			}
			want[fmt.Sprint(order)] = true
		})
		x := newExtension(e)
		assert.Equal(t, int64(len(want)), x.count(), "seed %d", seed)
		got := map[string]bool{}
		x.each(func(order []int32, threads []byte) bool {
			got[fmt.Sprint(order)] = true
			for i, o := range order {
				assert.Equal(t, byte(e.Ops[o].Thread+1), threads[i], "seed %d", seed)
			}
			return true
		})
		assert.Equal(t, want, got, "seed %d", seed)
		listed := 0
		x.each(func([]int32, []byte) bool { listed++; return listed < 2 })
		assert.Equal(t, min(2, len(want)), listed, "seed %d", seed)
	}
}

// Rearrangements are counted as displacement.Rearrangements lists them, and stop at the largest
// number.
func TestRearrangements(t *testing.T) {
	for m := range 9 {
		for _, bound := range []int32{0, 1, 2, 3, 5, quasi.Unbounded} {
			n := int64(0)
			displacement.Rearrangements(m, bound, func([]int32) bool { n++; return true })
			assert.Equal(t, n, rearrangements(m, bound), "%d within %d", m, bound)
		}
	}
	assert.Equal(t, int64(1), rearrangements(64, 0))
	assert.Positive(t, rearrangements(40, 4))
	assert.Equal(t, int64(math.MaxInt64), rearrangements(65, 1))
	assert.Equal(t, int64(math.MaxInt64), rearrangements(40, quasi.Unbounded))
	assert.Equal(t, int64(math.MaxInt64), plus(math.MaxInt64-1, 2))
	assert.Equal(t, int64(math.MaxInt64), times(math.MaxInt64/2, 3))
	assert.Equal(t, int64(6), times(2, 3))
	assert.Zero(t, times(5, 0))
}

// One order is weaker than another if every pair that it orders is ordered by the other.
func TestWeakerOrdersOrderLess(t *testing.T) {
	weaker := 0
	for seed := range uint64(testenv.Scale(3_000, 50_000)) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := randomCase(r, Methods{"enq", "deq"}, false)
		a, b := randomOrder(r, c), randomOrder(r, c)
		at := func(e *explore.Execution) map[string]int32 { // operations by thread and number
			m, counts := map[string]int32{}, map[int]int{}
			for i := range e.Ops {
				counts[e.Ops[i].Thread]++
				m[fmt.Sprint(e.Ops[i].Thread, counts[e.Ops[i].Thread])] = int32(i)
			}
			return m
		}
		inA, inB := at(a), at(b)
		want := true
		for p, i := range inA {
			for q, j := range inA {
				want = want && (!precedes(a, i, j) || precedes(b, inB[p], inB[q]))
			}
		}
		assert.Equal(t, want, newExtension(a).weaker(newExtension(b)), "seed %d", seed)
		if want {
			weaker++
		}
	}
	assert.Greater(t, weaker, testenv.Scale(100, 2_000))
}

// Algorithms 1 and 2 of the paper, the definition of internal/oracle and linsat.Check agree on
// random histories as they lie, and verdicts that follow from others are those that linsat.Check
// gives.
func TestAlgorithmsAgreeWithTheDefinition(t *testing.T) {
	accepted, refused, inferred := 0, 0, 0
	for seed := range uint64(testenv.Scale(300, 12_000)) {
		r := rand.New(rand.NewPCG(seed, 4))
		specification := []string{"queue", "stack", "priority-queue"}[r.IntN(3)]
		m := map[string]Methods{"queue": {"enq", "deq"}, "stack": {"push", "pop"},
			"priority-queue": {"insert", "deletemin"}}[specification]
		s := testkit.Spec(t, specification)
		golden, ok := Model(specification)
		require.True(t, ok)
		c := randomCase(r, m, true)
		g, err := run(context.Background(), golden, c, s)
		require.NoError(t, err)
		results := map[string]*[2]decided{}
		for range 4 {
			e := randomOrder(r, c)
			randomResults(r, e, s, m)
			x := newExtension(e)
			h, err := e.History()
			require.NoError(t, err)
			bound, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			k := int32(r.IntN(4))
			relax := quasi.Question{Factor: quasi.Factor{0, k, 0}}
			lin, relaxed := literal(e, x, g, kindsOf(s.Info(), c), k)
			byDefinition, _, _ := oracle.SlotsLinearizable(bound, relax)
			linearizable, _ := oracle.Linearizable(bound)
			strict, err := linsat.Check(context.Background(), s, h,
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			require.NoError(t, err)
			loose, err := linsat.Check(context.Background(), s, h, linsat.Quasi(relax),
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			require.NoError(t, err)
			name := fmt.Sprintf("seed %d: %s, bound %d: %v", seed, specification, k, e.Ops)
			require.Equal(t, linearizable, lin, name)
			require.Equal(t, byDefinition, relaxed, name)
			require.Equal(t, linearizable, strict.Verdict == engine.Linearizable, name)
			require.Equal(t, byDefinition, loose.Verdict == engine.Linearizable, name)
			if relaxed {
				accepted++
			} else {
				refused++
			}
			key := fmt.Sprint(k, string(x.key(e, nil)))
			if results[key] == nil {
				results[key] = &[2]decided{}
			}
			for i, v := range []engine.Verdict{strict.Verdict, loose.Verdict} {
				if known := results[key][i].infer(x); known != engine.Unknown {
					require.Equal(t, v, known, name)
					inferred++
				}
				results[key][i].add(x, v)
			}
		}
	}
	t.Logf("%d accepted, %d refused, %d followed from others", accepted, refused, inferred)
	assert.Greater(t, min(accepted, refused), testenv.MoreThan(testenv.Scale(250, 12_000)))
	assert.Greater(t, inferred, testenv.MoreThan(testenv.Scale(10, 500)))
}

// Algorithms 1 and 2 are for one class with a bound.
func TestLiteralBound(t *testing.T) {
	for text, want := range map[string][2]int32{"2": {2, 1}, "2,enq=1": {0, 0}, "enq=1": {0, 0}, "0": {0, 1},
		"inf": {quasi.Unbounded, 1}} {
		s, _ := specs.Lookup("queue")
		request, err := quasi.Parse(s.Info(), text)
		require.NoError(t, err)
		bound, fits := literalBound(s.Info().Classes, request.Factor)
		assert.Equal(t, want[1] == 1, fits, text)
		assert.Equal(t, want[0], bound, text)
	}
	deque, _ := specs.Lookup("deque")
	_, fits := literalBound(deque.Info().Classes, make(quasi.Factor, len(deque.Info().Classes)))
	assert.False(t, fits, "two classes may be relaxed")
}

// Results that look alike in text are told apart.
func TestResultsThatLookAlikeAreToldApart(t *testing.T) {
	key := func(results ...any) string {
		e := &explore.Execution{}
		for i, r := range results {
			e.Ops = append(e.Ops, explore.Op{Result: r, Call: int32(2 * i), Return: int32(2*i + 1)})
		}
		return string(newExtension(e).key(e, nil))
	}
	assert.Equal(t, key(1, nil), key(1, nil))
	assert.NotEqual(t, key("a,b", "c"), key("a", "b,c"))
	assert.NotEqual(t, key(1), key("1"))
	assert.NotEqual(t, key(nil), key("<nil>"))
}

// randomResults gives the removals results: those of some linearization, and then two of them
// exchanged now and then, or one replaced by nothing.
func randomResults(r *rand.Rand, e *explore.Execution, s model.Spec, m Methods) {
	model, _ := Model(s.Info().Name)
	n := int64(1)
	newExtension(e).each(func(order []int32, _ []byte) bool {
		if r.Int64N(n) == 0 { // each with the same chance
			instance := model.New(memory())
			for _, o := range order {
				e.Ops[o].Result = instance(e.Ops[o].F, e.Ops[o].Arg)
			}
		}
		n++
		return true
	})
	var removals []int
	for i := range e.Ops {
		if e.Ops[i].F == m.Remove {
			removals = append(removals, i)
		}
	}
	for range r.IntN(5) {
		if len(removals) < 2 {
			return
		}
		a, b := removals[r.IntN(len(removals))], removals[r.IntN(len(removals))]
		e.Ops[a].Result, e.Ops[b].Result = e.Ops[b].Result, e.Ops[a].Result
		if r.IntN(4) == 0 {
			e.Ops[a].Result = nil
		}
	}
}

package porcupine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// The definition of quasi-linearizability by brute force: every choice of the operations of unknown
// outcome, every ρ′ that respects time, every ρ″ that keeps the bounds, and the model on ρ″.

// within reports whether ρ″ keeps the bounds. Both hold positions among the calls.
func within(before, after []int, class func(i int) string, q *porcupine.Quasi) bool {
	places := func(order []int) map[int]int32 {
		next, at := map[string]int32{}, map[int]int32{}
		for _, i := range order {
			at[i] = next[class(i)]
			next[class(i)]++
		}
		return at
	}
	a, b := places(before), places(after)
	for k, i := range before {
		if q.Meaning == quasi.Slots && class(i) != class(after[k]) {
			return false
		}
		if move := a[i] - b[i]; max(move, -move) > q.Factor[class(i)] {
			return false
		}
	}
	return true
}

func quasiAllowed(init []any, step func(s, in, out any) []any, calls []call, q *porcupine.Quasi) bool {
	// A class without a bound is none.
	class := func(i int) string {
		name := q.Class(calls[i].op.Input)
		if _, bounded := q.Factor[name]; !bounded {
			return ""
		}
		return name
	}
	legal := func(order []int) bool {
		states := init
		for _, i := range order {
			var next []any
			for _, s := range states {
				for _, out := range calls[i].outputs {
					next = append(next, step(s, calls[i].op.Input, out)...)
				}
			}
			states = next
		}
		return len(states) > 0
	}
	var orders func(from, taken []int, yield func([]int) bool) bool
	orders = func(from, taken []int, yield func([]int) bool) bool {
		if len(from) == 0 {
			return yield(taken)
		}
		for k := range from {
			rest := slices.Delete(slices.Clone(from), k, k+1)
			if orders(rest, append(slices.Clone(taken), from[k]), yield) {
				return true
			}
		}
		return false
	}
	for chosen := range 1 << len(calls) {
		var included []int
		possible := true
		for i := range calls {
			if chosen>>i&1 == 1 {
				included = append(included, i)
			} else {
				possible = possible && calls[i].unknown
			}
		}
		if !possible {
			continue
		}
		var accepted [][]int
		orders(included, nil, func(order []int) bool {
			if legal(order) {
				accepted = append(accepted, order)
			}
			return false
		})
		if len(accepted) > 0 && orders(included, nil, func(order []int) bool {
			for k, i := range order {
				for _, j := range order[k+1:] {
					if !calls[j].unknown && calls[j].op.Return < calls[i].op.Call {
						return false
					}
				}
			}
			return slices.ContainsFunc(accepted, func(after []int) bool { return within(order, after, class, q) })
		}) {
			return true
		}
	}
	return false
}

// classOf is the verb of an operation of the subjects.
func classOf(in any) string {
	switch in := in.(type) {
	case pair:
		return in.f
	case *pair:
		return in.f
	case map[string]int:
		if in["add"] > 0 {
			return "add"
		}
		return "has"
	}
	return ""
}

func TestVerdictsUnderAFactorAreThoseOfTheDefinition(t *testing.T) {
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			found := map[porcupine.CheckResult]int{}
			moved := 0
			n := testenv.Scale(500, 6_000)
			for round := range n {
				calls := make([]call, 1+r.IntN(5))
				ops := make([]porcupine.Operation, len(calls))
				q := &porcupine.Quasi{Class: classOf, Factor: map[string]int32{}, Meaning: quasi.Meaning(r.IntN(2))}
				for i := range calls {
					in, outputs := s.random(r)
					if r.IntN(3) > 0 {
						q.Factor[classOf(in)] = []int32{0, 1, 1, 2, quasi.Unbounded}[r.IntN(5)]
					}
					at := 2 * r.IntN(8)
					o := porcupine.Operation{ClientId: r.IntN(3), Input: in, Call: int64(at),
						Return: int64(at + r.IntN(5))}
					calls[i] = call{o, []any{outputs[r.IntN(len(outputs))]}, false}
					calls[i].op.Output = calls[i].outputs[0]
					ops[i] = calls[i].op
					if r.IntN(6) == 0 {
						calls[i].unknown, calls[i].outputs = true, outputs
						ops[i] = porcupine.UnknownOutcome(o, outputs...)
					}
				}
				want := porcupine.Illegal
				if quasiAllowed(s.init, s.step, calls, q) {
					want = porcupine.Ok
				}
				m := s.model
				m.Quasi = q
				what := fmt.Sprintf("%+v with %v %v", ops, q.Factor, q.Meaning)
				require.Equal(t, want, porcupine.CheckOperationsTimeout(m, ops, 0), what)
				found[want]++
				if want == porcupine.Ok && !allowed(s.init, s.step, calls) {
					moved++
				}
				if round%10 > 0 {
					continue
				}
				got, info := porcupine.CheckOperationsVerbose(m, ops, time.Minute)
				require.Equal(t, want, got, what)
				require.Equal(t, want == porcupine.Ok, info.Explain() == "", what)
				if want == porcupine.Ok {
					certificates, err := info.Certificate()
					require.NoError(t, err, what)
					require.Len(t, certificates, 1)
				}
			}
			t.Log(found, moved)
			require.Greater(t, found[porcupine.Ok], n/20)
			require.Greater(t, found[porcupine.Illegal], n/20)
			require.Greater(t, moved, n/100)
		})
	}
}

// TestMistakesInFactors: they panic in the caller. A factor without bounds is linearizability.
func TestMistakesInFactors(t *testing.T) {
	m := register
	m.Quasi = &porcupine.Quasi{}
	ops := []porcupine.Operation{{Input: request{put: true, value: 1}, Call: 0, Output: 0, Return: 1}}
	require.PanicsWithValue(t, "porcupine: Quasi has no Class: it names the class of an operation", func() {
		porcupine.CheckOperations(m, ops)
	})
	m.Quasi.Class = func(any) string { return "put" }
	require.True(t, porcupine.CheckOperations(m, ops))
	m.Quasi.Factor = map[string]int32{"put": -1}
	require.PanicsWithValue(t, "porcupine: the bound -1 of class put is negative", func() {
		porcupine.CheckOperations(m, ops)
	})
	m.Quasi.Factor = map[string]int32{"": 1}
	require.Panics(t, func() { porcupine.CheckOperations(m, ops) })
	m.Quasi = &porcupine.Quasi{Class: func(any) string { panic("no class") }, Factor: map[string]int32{"put": 1}}
	require.Panics(t, func() { porcupine.CheckOperations(m, ops) })
}

// TestFactorsKeepTheTimeout of a long history of a queue, whose values leave early now and then.
func TestFactorsKeepTheTimeout(t *testing.T) {
	s := subjects()[1]
	r := rand.New(rand.NewPCG(3, 9))
	var ops []porcupine.Operation
	var items []int
	for n := range 3000 {
		at := int64(100 * n)
		in, out := &pair{[]string{"enq", "deq"}[r.IntN(2)], 1 + r.IntN(50)}, 0
		if in.f == "enq" {
			items = append(items, in.v)
		} else if len(items) > 0 {
			k := 0
			if r.IntN(12) == 0 {
				k = r.IntN(min(2, len(items)))
			}
			out = items[k]
			items = slices.Delete(items, k, k+1)
		}
		ops = append(ops, porcupine.Operation{ClientId: n % 4, Input: in, Output: out, Call: at - r.Int64N(190),
			Return: at + r.Int64N(190)})
	}
	m := s.model
	known := map[int32]porcupine.CheckResult{0: porcupine.Illegal, 2: porcupine.Ok}
	for bound := range int32(3) {
		m.Quasi = &porcupine.Quasi{Class: classOf, Factor: map[string]int32{"deq": bound}}
		start := time.Now()
		got := porcupine.CheckOperationsTimeout(m, ops, time.Second)
		if want, ok := known[bound]; ok && got != porcupine.Unknown {
			require.Equal(t, want, got, "bound %d", bound)
		}
		require.Less(t, time.Since(start), 10*time.Second)
	}
}

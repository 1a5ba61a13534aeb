package porcupine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

// The definition by brute force: every order of operations that respects time, and of those of
// unknown outcome every choice.

// call is an operation of a test: what is asked, and the outputs that it may have had, one unless
// its outcome is unknown.
type call struct {
	op      porcupine.Operation
	outputs []any
	unknown bool
}

func allowed(init []any, step func(s, in, out any) []any, calls []call) bool {
	var from func(s any, placed int) bool
	from = func(s any, placed int) bool {
		done := true
		for i, c := range calls {
			done = done && (placed>>i&1 == 1 || c.unknown)
		}
		if done {
			return true
		}
	next:
		for i, c := range calls {
			if placed>>i&1 == 1 {
				continue
			}
			for j, d := range calls {
				if placed>>j&1 == 0 && j != i && !d.unknown && d.op.Return < c.op.Call {
					continue next
				}
			}
			for _, out := range c.outputs {
				for _, n := range step(s, c.op.Input, out) {
					if from(n, placed|1<<i) {
						return true
					}
				}
			}
		}
		return false
	}
	for _, s := range init {
		if from(s, 0) {
			return true
		}
	}
	return false
}

// subject is a model with a source of random operations.
type subject struct {
	name   string
	model  porcupine.Model
	init   []any
	step   func(s, in, out any) []any
	random func(r *rand.Rand) (in any, outputs []any)
}

type pair struct {
	f string
	v int
}

func one(step func(s, in, out any) (bool, any)) func(s, in, out any) []any {
	return func(s, in, out any) []any {
		if ok, n := step(s, in, out); ok {
			return []any{n}
		}
		return nil
	}
}

func subjects() []subject {
	numbers := []any{0, 1, 2}
	queue := func(s, in, out any) (bool, any) {
		items := s.([]int)
		if in := in.(*pair); in.f == "enq" {
			return true, append(slices.Clone(items), in.v)
		}
		if len(items) == 0 {
			return out.(int) == 0, items
		}
		return out.(int) == items[0], slices.Clone(items[1:])
	}
	bag := func(s, in, out any) (bool, any) { // a set as a list in the order of insertion
		items := s.([]int)
		switch in := in.(map[string]int); {
		case in["add"] > 0:
			return true, append(slices.Clone(items), in["add"])
		default:
			return out.(bool) == slices.Contains(items, in["has"]), items
		}
	}
	sorted := func(s any) []int { return slices.Compact(slices.Sorted(slices.Values(s.([]int)))) }
	some := &porcupine.NondeterministicModel{
		Init: func() []any { return []any{0, 2} },
		Step: func(s, in, out any) []any {
			switch in := in.(pair); in.f {
			case "put-any":
				return []any{in.v, in.v + 1}
			default:
				if s == out {
					return []any{s}
				}
			}
			return nil
		},
	}
	asked := []subject{
		{"register", porcupine.Model{Init: func() any {
			return 0
		}, Step: registerStep}, []any{0}, one(registerStep), func(r *rand.Rand) (any, []any) {
			if r.IntN(2) == 0 {
				return pair{"put", r.IntN(3)}, []any{nil}
			}
			return pair{"get", 0}, numbers
		}},
		{"queue of pointers", porcupine.Model{Init: func() any {
			return []int{}
		}, Step: queue}, []any{[]int{}}, one(queue), func(r *rand.Rand) (any, []any) {
			return &pair{[]string{"enq", "deq"}[r.IntN(2)], 1 + r.IntN(2)}, numbers
		}},
		{"set with Equal and maps as inputs", porcupine.Model{Init: func() any {
			return []int{}
		}, Step: bag, Equal: func(a, b any) bool {
			return slices.Equal(sorted(a), sorted(b))
		}}, []any{[]int{}}, one(bag), func(r *rand.Rand) (any, []any) {
			return map[string]int{[]string{"add", "has"}[r.IntN(2)]: 1 + r.IntN(2)}, []any{false, true}
		}},
		{"nondeterministic", some.ToModel(), []any{0, 2}, some.Step, func(r *rand.Rand) (any, []any) {
			if r.IntN(2) == 0 {
				return pair{"put-any", r.IntN(3)}, []any{nil}
			}
			return pair{"get", 0}, append(numbers, 3)
		}},
	}
	said := asked[1]
	said.name = "queue of pointers that says so"
	said.model.As = &porcupine.As{
		Spec: spec.MustLookup("queue"),
		Operation: func(input any) (f string, key, arg any) {
			if in := input.(*pair); in.f == "enq" {
				return in.f, nil, in.v
			}
			return "deq", nil, nil
		},
		Result: func(input, output any) any {
			if input.(*pair).f == "enq" || output == 0 {
				return nil
			}
			return output
		},
	}
	asked = append(asked, said)
	hashed := *some
	hashed.Equal = func(a, b any) bool { return a == b }
	hashed.Hash = func(s any) uint64 { return uint64(s.(int)) }
	last := asked[len(asked)-2]
	last.name, last.model = "nondeterministic with Equal and Hash", hashed.ToModel()
	sets := hashed.ToModel()
	step := sets.Step
	sets.Step = func(s, in, out any) (bool, any) { return step(s, in, out) }
	sets.StepContext = nil
	exchanged := last
	exchanged.name, exchanged.model = "nondeterministic, sets of states", sets
	return append(asked, last, exchanged)
}

func registerStep(s, in, out any) (bool, any) {
	if in := in.(pair); in.f == "put" {
		return true, in.v
	}
	return s == out, s
}

func TestVerdictsAreThoseOfTheDefinition(t *testing.T) {
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			found := map[porcupine.CheckResult]int{}
			n := testenv.Scale(800, 10_000)
			for range n {
				calls := make([]call, 1+r.IntN(6))
				ops := make([]porcupine.Operation, len(calls))
				for i := range calls {
					in, outputs := s.random(r)
					at := r.IntN(8)
					o := porcupine.Operation{ClientId: r.IntN(3), Input: in, Call: int64(at),
						Return: int64(at + r.IntN(5))}
					if r.IntN(9) == 0 {
						o.Return = math.MaxInt64
					}
					calls[i] = call{o, []any{outputs[r.IntN(len(outputs))]}, false}
					calls[i].op.Output = calls[i].outputs[0]
					ops[i] = calls[i].op
					if r.IntN(6) == 0 {
						calls[i].unknown, calls[i].outputs = true, outputs
						ops[i] = porcupine.UnknownOutcome(o, outputs...)
					}
				}
				want := porcupine.Illegal
				if allowed(s.init, s.step, calls) {
					want = porcupine.Ok
				}
				got, info := porcupine.CheckOperationsVerbose(s.model, ops, 0)
				require.Equal(t, want, got, "%+v", ops)
				require.Equal(t, want, porcupine.CheckOperationsTimeout(s.model, ops, 0))
				engines := porcupine.EnginesAlone(t)
				require.Equal(t, want, porcupine.CheckOperationsTimeout(s.model, ops, 0))
				engines()
				found[want]++
				partialOrders(t, &s, calls, &info, want == porcupine.Ok)
				if found[want] <= 150 {
					reasons(t, &s, calls, &info, want)
				}
			}
			require.Greater(t, found[porcupine.Ok], n/20)
			require.Greater(t, found[porcupine.Illegal], n/20)
		})
	}
}

// partialOrders checks that every order that is shown is allowed step by step and leaves out
// nothing that had to come before.
func partialOrders(t *testing.T, s *subject, calls []call, info *porcupine.LinearizationInfo, complete bool) {
	t.Helper()
	orders := info.PartialLinearizations()
	require.Len(t, orders, 1)
	for _, order := range orders[0] {
		states := s.init
		placed := map[int]bool{}
		for _, i := range order {
			var next []any
			for _, state := range states {
				for _, out := range calls[i].outputs {
					next = append(next, s.step(state, calls[i].op.Input, out)...)
				}
			}
			require.NotEmpty(t, next, "%v of %+v", order, calls)
			require.False(t, placed[i])
			for j := range calls {
				before := !placed[j] && j != i && !calls[j].unknown && calls[j].op.Return < calls[i].op.Call
				require.False(t, before, "%v leaves out %d of %+v", order, j, calls)
			}
			placed[i], states = true, next
		}
		if complete {
			for i := range calls {
				require.True(t, placed[i] || calls[i].unknown)
			}
		}
	}
	if complete {
		require.Len(t, orders[0], 1)
	}
	require.Len(t, info.PartialLinearizationsOperations()[0], len(orders[0]))
}

// reasons checks that a violation rests on its core alone, and that certificates are there.
func reasons(t *testing.T, s *subject, calls []call, info *porcupine.LinearizationInfo, verdict porcupine.CheckResult) {
	t.Helper()
	certificates, err := info.Certificate()
	require.NoError(t, err)
	require.Len(t, certificates, 1)
	require.Equal(t, verdict == porcupine.Ok, info.Explain() == "")
	core := info.Core()
	if verdict == porcupine.Ok {
		require.Nil(t, core)
		return
	}
	require.NotEmpty(t, core)
	weaker := slices.Clone(calls)
	for i, c := range calls {
		in := func(o porcupine.Operation) bool {
			return o.Call == c.op.Call && o.Return == c.op.Return && reflect.DeepEqual(o.Input, c.op.Input) &&
				reflect.DeepEqual(o.Output, c.op.Output)
		}
		if !c.unknown && !slices.ContainsFunc(core, in) {
			weaker[i].unknown = true // it may have returned what it did, at any time, or not at all
		}
	}
	require.False(t, allowed(s.init, s.step, weaker), "%s of %s", fmt.Sprint(core), fmt.Sprint(calls))
}

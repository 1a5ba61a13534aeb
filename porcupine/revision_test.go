package porcupine_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// total is a counter that is added to and read. What a read shows never falls.
var total = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		if n := input.(int); n > 0 {
			return true, state.(int) + n
		}
		return output == state, state
	},
}

// shown is what reads tell of its order.
func shown(input, output any) (int64, bool) {
	n, read := output.(int)
	return int64(n), read && input == 0
}

// additions returns a history of additions, some of unknown outcome, and reads. At that share of
// it, a read shows what the counter was long before.
func additions(rng *rand.Rand, n int, stale float64) []porcupine.Operation {
	var ops []porcupine.Operation
	sum, sums := 0, []int(nil)
	for k := range n {
		op := porcupine.Operation{ClientId: k % 4, Call: int64(10*k) - rng.Int64N(19), Return: int64(10*k) +
			rng.Int64N(19)}
		switch sums = append(sums, sum); {
		case rng.IntN(2) > 0:
			op.Input, op.Output = 0, sum
			if k == int(stale*float64(n)) {
				op.Output = sums[k/2]
			}
		default:
			op.Input = 1 + rng.IntN(9)
			if rng.IntN(20) == 0 {
				op = porcupine.UnknownOutcome(op)
				op.ClientId = n + k
				if rng.IntN(2) == 0 {
					break
				}
			}
			sum += op.Input.(int)
		}
		ops = append(ops, op)
	}
	return ops
}

// With revisions, a late stale read among many operations of unknown outcome is refuted by two
// operations.
func TestRevisionsRefuteLateViolations(t *testing.T) {
	ordered := total
	ordered.Revision = shown
	refuted := 0
	for seed := range uint64(10) {
		ops := additions(rand.New(rand.NewPCG(seed, 1)), 2000, 0.9)
		verdict, info := porcupine.CheckOperationsVerbose(ordered, ops, 20*time.Second)
		if _, read := shown(ops[1800].Input, ops[1800].Output); !read {
			require.Equal(t, porcupine.Ok, verdict)
			continue
		}
		refuted++
		require.Equal(t, porcupine.Illegal, verdict)
		core := info.Core()
		require.Len(t, core, 2)
		_, err := info.Certificate()
		require.NoError(t, err)
		assert.Regexp(t,
			`not linearizable: operation \d+ has revision \d+, and returned before operation \d+, with revision \d+, was called`, info.Explain())
	}
	assert.Greater(t, refuted, 2)
}

// Revisions that only say what states say already change no verdict, of operations or events.
func TestRevisionsAgreeWithStates(t *testing.T) {
	ordered := total
	ordered.Revision = shown
	yes, no := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		ops := additions(rng, 2+rng.IntN(6), 2)
		for k := range ops {
			if n, read := shown(ops[k].Input, ops[k].Output); read && rng.IntN(4) == 0 {
				ops[k].Output = int(n) + rng.IntN(5) - 2
			}
		}
		want := porcupine.CheckOperations(total, ops)
		require.Equal(t, want, porcupine.CheckOperations(ordered, ops), "seed %d", seed)
		if want {
			yes++
		} else {
			no++
		}
	}
	assert.Greater(t, min(yes, no), 300)

	events := []porcupine.Event{
		{Kind: porcupine.CallEvent, Id: 1, Value: 0}, {Kind: porcupine.ReturnEvent, Id: 1, Value: 2},
		{Kind: porcupine.CallEvent, Id: 2, Value: 0}, {Kind: porcupine.ReturnEvent, Id: 2, Value: 1},
	}
	anything := porcupine.Model{Init: total.Init, Step: func(state, _, _ any) (bool, any) { return true, state }}
	assert.True(t, porcupine.CheckEvents(anything, events))
	anything.Revision = shown
	assert.False(t, porcupine.CheckEvents(anything, events), "only the revisions forbid it")
}

// Under a factor it is the order ρ′ that ascends in revisions: operations are that far from their
// places in it.
func TestRevisionsUnderAFactor(t *testing.T) {
	queue := porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			s := state.(string)
			if in := input.(string); in != "" {
				return true, s + in
			}
			if s == "" {
				return false, s
			}
			return s[:1] == output, s[1:]
		},
	}
	queue.Revision = func(input, output any) (int64, bool) {
		switch input {
		case "a":
			return 1, true
		case "b":
			return 2, true
		}
		return 0, false
	}
	ops := []porcupine.Operation{
		{ClientId: 0, Input: "b", Output: "", Call: 0, Return: 9}, {ClientId: 1, Input: "a", Output: "",
			Call: 0, Return: 9},
		{ClientId: 0, Input: "", Output: "b", Call: 10, Return: 11}, {ClientId: 0, Input: "", Output: "a",
			Call: 12, Return: 13},
	}
	assert.False(t, porcupine.CheckOperations(queue, ops))
	for bound := range int32(2) {
		queue.Quasi = &porcupine.Quasi{Factor: map[string]int32{"deq": bound}, Class: func(input any) string {
			if input == "" {
				return "deq"
			}
			return "enq"
		}}
		assert.Equal(t, bound > 0, porcupine.CheckOperations(queue, ops), "bound %d", bound)
	}
	queue.Revision = nil
	queue.Quasi = nil
	assert.True(t, porcupine.CheckOperations(queue, ops))
}

package porcupine_test

import (
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
)

// onKey is an operation on a key of a store.
type onKey struct {
	key   string
	put   bool
	value int
}

// store is a model of one key, of histories of several; As says what it is.
func store() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			if in := input.(onKey); in.put {
				return true, in.value
			}
			return output == state, state
		},
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			var keys []string
			by := map[string][]porcupine.Operation{}
			for _, o := range history {
				k := o.Input.(onKey).key
				if by[k] == nil {
					keys = append(keys, k)
				}
				by[k] = append(by[k], o)
			}
			var parts [][]porcupine.Operation
			for _, k := range keys {
				parts = append(parts, by[k])
			}
			return parts
		},
		As: &porcupine.As{
			Spec: spec.MustLookup("kv"),
			Operation: func(input any) (f string, key, arg any) {
				if in := input.(onKey); in.put {
					return "put", in.key, in.value
				}
				return "get", input.(onKey).key, nil
			},
			Result: func(input, output any) any {
				if input.(onKey).put || output == 0 {
					return nil
				}
				return output
			},
		},
	}
}

// dekker is store buffering: each process writes one key and reads the other one too early.
func dekker() (ops []porcupine.Operation) {
	for p, keys := range [][2]string{{"x", "y"}, {"y", "x"}} {
		at := int64(20 * p)
		ops = append(ops, porcupine.Operation{ClientId: p, Input: onKey{keys[0], true, 1}, Call: at, Return: at + 1},
			porcupine.Operation{ClientId: p, Input: onKey{key: keys[1]}, Call: at + 2, Output: 0, Return: at + 3})
	}
	return ops
}

// TestQuestionsOfConsistency: keys by themselves would be sequential.
func TestQuestionsOfConsistency(t *testing.T) {
	m := store()
	for question, want := range map[string]porcupine.CheckResult{"linearizable": porcupine.Illegal,
		"sequential": porcupine.Illegal, "causal": porcupine.Ok, "pram": porcupine.Ok, "regular": porcupine.Illegal,
		"reads=0": porcupine.Illegal, "reads=1": porcupine.Ok} {
		assert.Equal(t, want, porcupine.CheckConsistency(m, dekker(), question, time.Minute), question)
	}
	for _, part := range m.Partition(dekker()) {
		assert.Equal(t, porcupine.Ok, porcupine.CheckConsistency(m, part, "sequential", 0))
	}
	assert.Equal(t, porcupine.Ok, porcupine.CheckConsistency(m, nil, "sequential", 0))
}

// TestQuestionsOfAnyModel: a model of steps alone is asked for one order of all processes.
func TestQuestionsOfAnyModel(t *testing.T) {
	ops := []porcupine.Operation{
		{ClientId: 0, Input: request{put: true, value: 7}, Call: 0, Output: 0, Return: 1},
		{ClientId: 1, Input: request{}, Call: 2, Output: 0, Return: 3},
	}
	assert.Equal(t, porcupine.Ok, porcupine.CheckConsistency(register, ops, "sequential", 0))
	assert.Equal(t, porcupine.Illegal, porcupine.CheckConsistency(register, ops, "linearizable", 0))
	ops[1].ClientId = 0
	assert.Equal(t, porcupine.Illegal, porcupine.CheckConsistency(register, ops, "sequential", 0))
	assert.PanicsWithError(t, `linsat: monotonic-reads is asked of reads and of writes: the operations of model are not all `+
		`reads or writes; these operations support linearizable, sequential, causal, causal-convergence, weakly-causal, pram`,
		func() {
			porcupine.CheckConsistency(register, ops, "monotonic-reads", 0)
		})
	assert.Panics(t, func() { porcupine.CheckConsistency(register, ops, "eventual", 0) })
	assert.Panics(t, func() { porcupine.CheckConsistency(register, ops, "reads=2", 0) })
	ops[0] = porcupine.UnknownOutcome(ops[0])
	ops[1] = porcupine.Operation{ClientId: 0, Input: request{}, Call: 2, Output: 7, Return: 3}
	assert.Equal(t, porcupine.Ok, porcupine.CheckConsistency(register, ops, "sequential", 0))
	ops[0] = porcupine.Operation{ClientId: 0, Input: request{put: true, value: 7}, Call: 0, Output: 0, Return: 2}
	assert.PanicsWithValue(t, "porcupine: operations 0 and 1 of client 0 overlap, so they are in no order of a process",
		func() { porcupine.CheckConsistency(register, ops, "sequential", 0) })
	m := store()
	m.As = nil
	assert.PanicsWithValue(t, "porcupine: the parts of a Partition do not answer sequential of the whole: say what the "+
		"model is (As)", func() { porcupine.CheckConsistency(m, dekker(), "sequential", 0) })
}

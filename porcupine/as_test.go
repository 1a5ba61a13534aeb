package porcupine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// queued is an operation on a queue: enq of a value, or deq.
type queued struct {
	f string
	v int
}

// saidQueue is a queue that says that it is one. Values from late on may leave after the next one.
func saidQueue(late int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return []int{} },
		Step: func(state, input, output any) (bool, any) {
			items := state.([]int)
			switch in := input.(queued); {
			case in.f == "enq":
				return true, append(slices.Clone(items), in.v)
			case len(items) == 0:
				return output == 0, items
			case len(items) > 1 && items[0] >= late && output == items[1]:
				return true, append([]int{items[0]}, items[2:]...)
			}
			return output == items[0], items[1:]
		},
		As: &porcupine.As{
			Spec: spec.MustLookup("queue"),
			Operation: func(input any) (f string, key, arg any) {
				if in := input.(queued); in.f == "enq" {
					return "enq", nil, in.v
				}
				return "deq", nil, nil
			},
			Result: func(input, output any) any {
				if input.(queued).f == "enq" || output == 0 {
					return nil
				}
				return output
			},
		},
	}
}

// What As says wrongly of a model is found in the core of a violation, too: the check panics, and
// does not answer Illegal.
func TestWrongAsIsFoundInTheCore(t *testing.T) {
	var ops []porcupine.Operation
	at := int64(0)
	add := func(in queued, out any) {
		ops = append(ops, porcupine.Operation{Input: in, Output: out, Call: at, Return: at + 1})
		at += 2
	}
	for v := range 700 {
		add(queued{"enq", v + 1}, nil)
		add(queued{"deq", 0}, v+1)
	}
	add(queued{"enq", 5001}, nil)
	add(queued{"enq", 5002}, nil)
	add(queued{"deq", 0}, 5002)
	add(queued{"deq", 0}, 5001)
	require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(saidQueue(9999), ops, time.Minute))
	var fault *meta.Fault
	func() {
		defer func() { fault, _ = recover().(*meta.Fault) }()
		porcupine.CheckOperationsTimeout(saidQueue(5000), ops, time.Minute)
	}()
	require.NotNil(t, fault)
	assert.Equal(t, "As", fault.Func)
}

// An operation of unknown outcome of which the model allows fewer results than the specification is
// no difference as long as it makes none.
func TestAsWithUnknownOutcomes(t *testing.T) {
	ops := []porcupine.Operation{
		{ClientId: 0, Input: queued{"enq", 7}, Call: 0, Return: 1},
		porcupine.UnknownOutcome(porcupine.Operation{ClientId: 1, Input: queued{"deq", 0}, Output: 0, Call: 2}),
		{ClientId: 0, Input: queued{"deq", 0}, Output: 7, Call: 3, Return: 4},
	}
	assert.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(saidQueue(9999), ops, time.Minute))
}

package porcupine_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slot is an input: a read, or a write of a value. States are slots, too.
type slot struct {
	write bool
	value int
}

// Models that describe nothing say what state refused what, in words and on the page.
func TestModelsWithoutDescribe(t *testing.T) {
	step := func(state, input, output any) (bool, any) {
		if in := input.(slot); in.write {
			return true, slot{value: in.value}
		}
		return output == state.(slot).value, state
	}
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{slot{value: 3}, slot{value: 4}} },
		Step: func(state, input, output any) []any {
			if ok, next := step(state, input, output); ok {
				return []any{next}
			}
			return nil
		},
	}
	for name, model := range map[string]porcupine.Model{
		"deterministic":    {Init: func() any { return slot{value: 3} }, Step: step},
		"nondeterministic": nondeterministic.ToModel(),
	} {
		ops := []porcupine.Operation{
			{ClientId: 0, Input: slot{write: true, value: 7}, Output: 0, Call: 0, Return: 10},
			{ClientId: 1, Input: slot{}, Output: 3, Call: 20, Return: 30},
		}
		verdict, info := porcupine.CheckOperationsVerbose(model, ops, 0)
		require.Equal(t, porcupine.Illegal, verdict, name)
		assert.Contains(t, info.Explain(), "{false 0} → 3 takes effect nowhere", name)
		assert.Contains(t, info.Explain(), "in state {false 7}: {false 0} is not allowed", name)
		var page bytes.Buffer
		require.NoError(t, porcupine.Visualize(model, info, &page))
		assert.Contains(t, page.String(), "{false 7}", name)
	}
}

// A check that ran into its limit ends the steps of the model, and the page asks it again.
func TestVisualizeAfterATimeout(t *testing.T) {
	steps, checking := 0, true
	model := porcupine.Model{
		Init: func() any { return 0 },
		StepContext: func(ctx context.Context, state, input, output any) (bool, any) {
			if steps++; checking && steps > 200 {
				<-ctx.Done()
			}
			return output == state, state.(int) + 1
		},
	}
	var ops []porcupine.Operation
	for i := range 200 {
		ops = append(ops, porcupine.Operation{ClientId: i % 8, Input: i, Output: i, Call: int64(100 * (i / 8)),
			Return: int64(100*(i/8) + 90)})
	}
	ops[len(ops)-1].Output = 1
	verdict, info := porcupine.CheckOperationsVerbose(model, ops, 50*time.Millisecond)
	require.Equal(t, porcupine.Unknown, verdict)
	checking = false
	var page bytes.Buffer
	require.NoError(t, porcupine.Visualize(model, info, &page))
	assert.Contains(t, page.String(), "unknown")
}

// What only writes texts does not decide whether there is an answer.
func TestDescriptionsThatPanic(t *testing.T) {
	var none *slot
	model := porcupine.Model{
		Init:                      func() any { return 0 },
		Step:                      func(state, input, output any) (bool, any) { return output == state, input },
		DescribeOperation:         func(input, output any) string { return string(rune(none.value)) },
		DescribeState:             func(state any) string { return string(rune(none.value)) },
		DescribeOperationMetadata: func(info any) string { return string(rune(none.value)) },
	}
	verdict, info := porcupine.CheckOperationsVerbose(model, []porcupine.Operation{{Input: 1, Output: 0, Return: 1,
		Metadata: 3}, {Input: 2, Output: 0, Call: 2, Return: 3}}, 0)
	require.Equal(t, porcupine.Illegal, verdict)
	assert.Contains(t, info.Explain(), "not described")
	var page bytes.Buffer
	require.NoError(t, porcupine.Visualize(model, info, &page))
}

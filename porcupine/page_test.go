package porcupine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyed is the register as a store of ten keys, which are in what is put.
func keyed() porcupine.Model {
	m := register
	m.Partition = func(all []porcupine.Operation) [][]porcupine.Operation {
		parts := make([][]porcupine.Operation, 10)
		for _, o := range all {
			k := o.Metadata.(int)
			o.Metadata = nil
			parts[k] = append(parts[k], o)
		}
		return parts
	}
	return m
}

// stored draws 192 operations on it; one get is wrong.
func stored() []porcupine.Operation {
	r := rand.New(rand.NewPCG(192, 33))
	var ops []porcupine.Operation
	values := make([]int, 10)
	for i := range 192 {
		k, at := r.IntN(10), int64(1000*i)
		o := porcupine.Operation{ClientId: i % 6, Input: request{}, Output: values[k], Call: at - r.Int64N(2500),
			Return: at + r.Int64N(2500), Metadata: k}
		if r.IntN(2) == 0 {
			values[k] = i
			o.Input, o.Output = request{put: true, value: i}, 0
		} else if i > 170 && values[k] > 0 {
			o.Output = values[k] - 1000
		}
		ops = append(ops, o)
	}
	return ops
}

// TestPageOfManyPartitions is small, in the words of the model it is given, and always the same.
func TestPageOfManyPartitions(t *testing.T) {
	words := keyed()
	words.DescribeOperation = func(input, output any) string { return fmt.Sprintf("ask %v -> say %v", input, output) }
	words.DescribeState = func(state any) string { return fmt.Sprintf("holding %v", state) }
	var pages [3]bytes.Buffer
	for k := range pages {
		verdict, info := porcupine.CheckOperationsVerbose(keyed(), stored(), time.Minute)
		require.Equal(t, porcupine.Illegal, verdict)
		model := words
		if k == 2 {
			model = porcupine.Model{}
		}
		require.NoError(t, porcupine.Visualize(model, info, &pages[k]))
	}
	page := pages[0].String()
	assert.True(t, page == pages[1].String(), "the same bytes on every run")
	assert.Less(t, len(page), 110_000)
	assert.Contains(t, page, "holding 1")
	assert.Contains(t, page, "say 1")
	assert.NotContains(t, page, "get()")
	assert.Contains(t, pages[2].String(), "get()")
	t.Log(len(page))
	if to := os.Getenv("PAGE"); to != "" {
		require.NoError(t, os.WriteFile(to, pages[0].Bytes(), 0o644))
	}
}

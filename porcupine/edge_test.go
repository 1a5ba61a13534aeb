package porcupine_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func get(client int, call int64, out int, ret int64) porcupine.Operation {
	return porcupine.Operation{ClientId: client, Input: request{}, Call: call, Output: out, Return: ret}
}

func TestTimesThatAreEqualAreConcurrent(t *testing.T) {
	put := porcupine.Operation{Input: request{put: true, value: 1}, Call: 0, Return: 5}
	for _, client := range []int{0, 1} { // also for one client
		assert.True(t, porcupine.CheckOperations(register, []porcupine.Operation{put, get(client, 5, 0, 7)}))
		assert.False(t, porcupine.CheckOperations(register, []porcupine.Operation{put, get(client, 6, 0, 7)}))
	}
	put.Return = math.MaxInt64 // as programs write what never returned
	assert.True(t, porcupine.CheckOperations(register, []porcupine.Operation{put, get(1, 6, 0, 7), get(1, 8, 1, 9)}))
	assert.False(t, porcupine.CheckOperations(register, []porcupine.Operation{put, get(1, 6, 1, 7), get(1, 8, 0, 9)}))
}

func TestFaultsAreNamed(t *testing.T) {
	broken := register
	broken.Step = func(state, input, output any) (bool, any) { panic("out of order") }
	require.PanicsWithError(t,
		"specification model: Step panics on operation 0 (get() → \"3\") in state 0: out of order", func() {
			porcupine.CheckOperations(broken, []porcupine.Operation{get(0, 0, 3, 1)})
		})
	impure := register
	calls := 0
	impure.Step = func(state, input, output any) (bool, any) {
		calls++
		return true, calls
	}
	require.Panics(t, func() { porcupine.CheckOperations(impure, []porcupine.Operation{get(0, 0, 3, 1)}) })
	require.Panics(t, func() { porcupine.CheckOperations(porcupine.Model{}, nil) })
	require.Panics(t, func() { porcupine.CheckOperations(register, []porcupine.Operation{get(0, 5, 3, 1)}) })
	require.PanicsWithValue(t, "porcupine: event 0 returns operation 7, which is not open", func() {
		porcupine.CheckEvents(register, []porcupine.Event{{Kind: porcupine.ReturnEvent, Id: 7}})
	})
}

func TestTimeoutsAndMemory(t *testing.T) {
	slow := register
	slow.StepContext = func(ctx context.Context, _, _, _ any) (bool, any) {
		<-ctx.Done()
		return false, nil
	}
	start := time.Now()
	verdict, info := porcupine.CheckOperationsVerbose(slow, []porcupine.Operation{get(0, 0, 0, 1)}, 30*time.Millisecond)
	assert.Equal(t, porcupine.Unknown, verdict)
	assert.NotEmpty(t, info.Explain())
	_, err := info.Certificate()
	assert.Error(t, err)
	assert.Less(t, time.Since(start), 10*time.Second)

	// a counter that never repeats a state, and a get that is wrong whatever the order
	count := porcupine.Model{Init: func() any { return "" }, Step: func(state, input, output any) (bool, any) {
		if input == nil {
			return false, nil
		}
		return true, state.(string) + input.(string)
	}}
	var ops []porcupine.Operation
	for i := range 18 {
		ops = append(ops, porcupine.Operation{ClientId: i, Input: strings.Repeat("x", 1000) + string(rune('a'+i)),
			Call: 0, Return: 1})
	}
	ops = append(ops, porcupine.Operation{ClientId: 18, Call: 2, Return: 3})
	defer func() { porcupine.MemoryLimit = 0 }()
	porcupine.MemoryLimit = 60 << 20 // the search forgets, and goes on
	assert.Equal(t, porcupine.Unknown, porcupine.CheckOperationsTimeout(count, ops, 3*time.Second))
	porcupine.MemoryLimit = 1 << 20 // too little to begin with
	assert.Panics(t, func() { porcupine.CheckOperations(count, ops) })
}

func TestPages(t *testing.T) {
	parted := register
	parted.Partition = func(all []porcupine.Operation) [][]porcupine.Operation {
		return [][]porcupine.Operation{all[:1], nil, all[1:]}
	}
	ops := []porcupine.Operation{get(0, 0, 0, 1), get(0, 2, 7, 3)}
	ops[1].Metadata = "node b"
	verdict, info := porcupine.CheckOperationsVerbose(parted, ops, 0)
	require.Equal(t, porcupine.Illegal, verdict)
	info.AddAnnotations([]porcupine.Annotation{{Tag: "nemesis", Start: 1, End: 3, Description: "partitioned",
		Details: "a | b", TextColor: "#ffffff", BackgroundColor: "#a02020"},
		{ClientId: 4, Start: 2, Description: "gave up"}})
	var b bytes.Buffer
	require.NoError(t, porcupine.Visualize(parted, info, &b))
	page := b.String()
	assert.Equal(t, 1, strings.Count(page, "<iframe"))
	assert.Equal(t, 2, strings.Count(page, "<option"))
	assert.Less(t, strings.Index(page, "partition 2: not linearizable"),
		strings.Index(page, "partition 0: linearizable"))
	for _, text := range []string{`"until":2,"time":"1","end":"3","process":"nemesis","text":"partitioned","details":"a | b","color":"#ffffff","background":"#a02020"`, `"process":"client 4","text":"gave up"`, "operation 0: node b", "get()"} {
		assert.Contains(t, page, text)
	}
	assert.Equal(t, [][][]int{{{0}}, {{}}, nil}, info.PartialLinearizations())

	verdict, info = porcupine.CheckEventsVerbose(register, nil, 0)
	require.Equal(t, porcupine.Ok, verdict)
	require.NoError(t, porcupine.VisualizePath(register, info, t.TempDir()+"/page.html"))
}

func TestEventsWithoutReturnMayHaveHappened(t *testing.T) {
	events := func(got int) []porcupine.Event {
		return []porcupine.Event{
			{Kind: porcupine.CallEvent, Value: request{put: true, value: 1}, Id: 4},
			{Kind: porcupine.CallEvent, Value: request{}, Id: 2, ClientId: 1},
			{Kind: porcupine.ReturnEvent, Value: got, Id: 2, ClientId: 1},
		}
	}
	for got, want := range []bool{true, true, false} {
		assert.Equal(t, want, porcupine.CheckEvents(register, events(got)), got)
	}
}

// Equal inputs are recognised behind pointers, so a long history has few different steps. Those of
// its linearization are made once more, to check it.
func TestEqualOperationsAreSteppedOnce(t *testing.T) {
	var calls atomic.Int64
	counted := porcupine.Model{Init: func() any { return []int{0} }, Step: func(state, input, output any) (bool, any) {
		calls.Add(1)
		if in := *input.(*request); in.put {
			return true, []int{in.value}
		}
		return output.([]int)[0] == state.([]int)[0], state
	}}
	var ops []porcupine.Operation
	for i := range int64(4000) {
		put := porcupine.Operation{ClientId: 0, Input: &request{put: true, value: int(i % 3)}, Call: 4 * i,
			Return: 4*i + 1}
		get := porcupine.Operation{ClientId: 0, Input: &request{}, Output: []int{int(i % 3)}, Call: 4*i + 2,
			Return: 4*i + 3}
		ops = append(ops, put, get)
	}
	assert.True(t, porcupine.CheckOperations(counted, ops))
	assert.Less(t, calls.Load(), int64(len(ops)+1000))
}

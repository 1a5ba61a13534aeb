package porcupine_test

import (
	"fmt"
	"time"

	"github.com/linsat/linsat/porcupine"
)

type request struct {
	put   bool
	value int
}

var register = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		if in := input.(request); in.put {
			return true, in.value
		}
		return output.(int) == state.(int), state
	},
	DescribeOperation: func(input, output any) string {
		if in := input.(request); in.put {
			return fmt.Sprintf("put(%d)", in.value)
		}
		return fmt.Sprintf("get() -> %v", output)
	},
}

// The program of Porcupine's README.
func Example() {
	ops := []porcupine.Operation{
		{ClientId: 0, Input: request{put: true, value: 100}, Call: 0, Output: 0, Return: 100},
		{ClientId: 1, Input: request{}, Call: 25, Output: 100, Return: 75},
		{ClientId: 2, Input: request{}, Call: 30, Output: 0, Return: 60},
	}
	fmt.Println(porcupine.CheckOperations(register, ops))
	// Output: true
}

// Why a history is not linearizable.
func ExampleLinearizationInfo_Explain() {
	ops := []porcupine.Operation{
		{ClientId: 0, Input: request{put: true, value: 200}, Call: 0, Output: 0, Return: 100},
		{ClientId: 1, Input: request{}, Call: 10, Output: 200, Return: 30},
		{ClientId: 2, Input: request{}, Call: 40, Output: 0, Return: 90},
	}
	result, info := porcupine.CheckOperationsVerbose(register, ops, time.Second)
	fmt.Println(result)
	fmt.Println(info.Explain())
	// Output:
	// Illegal
	// not linearizable: operation 2, get() → 0 takes effect nowhere before it returns
	//   in state 200 after operation 0, put(200) → done: get() is not allowed in this state
	// this rests on
	//   operation 1, get() → 200
	//   operation 2, get() → 0
}

// A put that never returned may have taken effect, or not.
func ExampleUnknownOutcome() {
	put := porcupine.UnknownOutcome(porcupine.Operation{ClientId: 0, Input: request{put: true, value: 5}, Call: 0})
	for _, got := range []int{0, 5, 6} {
		ops := []porcupine.Operation{put, {ClientId: 1, Input: request{}, Call: 1, Output: got, Return: 2}}
		fmt.Println(got, porcupine.CheckOperations(register, ops))
	}
	// Output:
	// 0 true
	// 5 true
	// 6 false
}

// Tickets of a counter that several threads may take out of order: by one place, but not by two.
func ExampleQuasi() {
	tickets := porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, _, output any) (bool, any) { return output == state, state.(int) + 1 },
		Quasi: &porcupine.Quasi{
			Class:  func(any) string { return "take" },
			Factor: map[string]int32{"take": 1},
		},
	}
	for _, taken := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}} {
		var ops []porcupine.Operation
		for i, n := range taken {
			ops = append(ops, porcupine.Operation{Call: int64(10 * i), Output: n, Return: int64(10*i + 5)})
		}
		fmt.Println(taken, porcupine.CheckOperations(tickets, ops))
	}
	// Output:
	// [0 1 2] true
	// [1 0 2] true
	// [2 0 1] false
}

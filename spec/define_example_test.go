package spec_test

import (
	"context"
	"fmt"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// A register that swaps. Its Step says what a call does; whether a result fits, and what an
// operation did that never returned, is linsat's business.
func ExampleDefine() {
	register, err := spec.Define(spec.Definition[int64]{
		Name: "my-register",
		Step: func(s int64, c spec.Call) []spec.Outcome[int64] {
			switch c.F {
			case "write":
				// whatever it returned
				return []spec.Outcome[int64]{{Next: c.Arg.(int64), AnyOutput: true}}
			case "swap":
				return []spec.Outcome[int64]{{Output: s, Next: c.Arg.(int64)}}
			case "read":
				return []spec.Outcome[int64]{{Output: s, Next: s}}
			}
			return nil // not allowed
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, read := range []int{1, 2} {
		r := new(history.Recorder)
		r.Call(0, "swap", 1) // never returns
		r.Call(1, "read", nil).Return(read)
		h, err := r.History()
		if err != nil {
			fmt.Println(err)
			return
		}
		result, err := linsat.Check(context.Background(), register, h)
		fmt.Println(read, result.Verdict, err)
	}
	// Output:
	// 1 linearizable <nil>
	// 2 not linearizable <nil>
}

package quasi_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// The values of a queue leave in another order than they came in. A factor says how far operations
// may be from their place.
func ExampleParse() {
	queue := spec.MustLookup("queue")
	h, err := history.Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 1, "f": "deq", "call": 4, "return": 5, "result": 2},
		{"process": 1, "f": "deq", "call": 6, "return": 7, "result": 1}]}`), history.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, bound := range []string{"0", "1"} {
		request, err := quasi.Parse(queue.Info(), bound)
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := linsat.Check(context.Background(), queue, h, linsat.Quasi(quasi.Question{Factor: request.Factor}))
		fmt.Println(bound, r.Verdict, err)
	}
	// Output:
	// 0 not linearizable <nil>
	// 1 linearizable <nil>
}

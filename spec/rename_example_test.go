package spec_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// A queue whose operations have names of their own is a queue all the same.
func ExampleRename() {
	jobs, err := spec.Rename(spec.MustLookup("queue"), map[string]string{"enq": "submit", "deq": "start"})
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := history.Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "submit", "arg": "a", "call": 0, "return": 1},
		{"process": 0, "f": "submit", "arg": "b", "call": 2, "return": 3},
		{"process": 1, "f": "start", "call": 4, "return": 5, "result": "b"}]}`), history.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := linsat.Check(context.Background(), jobs, h)
	fmt.Println(r.Verdict, r.Engines, err)
	// Output:
	// not linearizable [monitor] <nil>
}

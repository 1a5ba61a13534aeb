package report_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
)

// Why a history is not linearizable, in words.
func ExampleText() {
	h, err := history.Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
		{"process": 1, "f": "read", "call": 2, "return": 3, "result": 2}]}`), history.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := linsat.Check(context.Background(), spec.MustLookup("register"), h)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Took = 0 // so that this text is always the same
	if err := report.Text(os.Stdout, h, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// history: not linearizable
	//   register, 2 operations; by monitor; certified
	//
	//     CONTRADICTION: from the start the value can only be null or 1 until read → 2 (#1), which needs 2: nothing before it can leave another value.
	//
	//   this rests on 1 response and 1 result of 2 operations (minimal: no fact can be left out)
	//   read → 2 (#1) of process 1 cannot be placed before it returns (line 3)
	//   linearization of everything before that response: write 1 (#0)
	//   configurations just before that response, and why each fails:
	//     1: the register holds 1, not 2
	//   note: read → 2 (#1) is the first to return what it finds, and nothing that was called before it returned writes that; if it was the initial value, use --initial 2
}

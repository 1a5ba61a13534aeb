// Command record runs goroutines on a stack, a deque or a queue, correct ones as programs use them,
// and writes the recorded history as linsat JSON. It is linearizable, of any length, with values
// that repeat as often as one likes:
//
//	go run ./examples/recorded/record -object stack -operations 20000 -values 4 > h.json
//	linsat solve h.json
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/linsat/linsat/history"
)

func main() {
	var o options
	flag.StringVar(&o.Object, "object", "stack", "stack, deque or queue")
	flag.IntVar(&o.Goroutines, "goroutines", 4, "goroutines")
	flag.IntVar(&o.Operations, "operations", 20000, "operations of all goroutines together")
	flag.IntVar(&o.Values, "values", 4, "different values, 0 for every value inserted once")
	flag.Float64Var(&o.Insertions, "insertions", 0.5,
		"share of insertions in the first half, of removals in the second")
	flag.Float64Var(&o.Yield, "yield", 0.5, "probability of letting others run before and after the work on the object")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of what each goroutine does")
	flag.Parse()
	h, err := record(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(2)
	}
	if err := history.WriteJSON(os.Stdout, h); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

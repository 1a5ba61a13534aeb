// Command record runs goroutines on a k-FIFO queue, or on a MultiQueue, and writes the recorded
// history as linsat JSON:
//
//	go run ./examples/kfifo/record -k 3 -goroutines 4 -operations 4000 > h.json
//	linsat solve --quasi min h.json
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/linsat/linsat/history"
)

func main() {
	k := flag.Int("k", 3, "slots of a segment, or queues of a MultiQueue")
	multi := flag.Bool("multiqueue", false, "a MultiQueue, which is a priority queue, instead of a k-FIFO queue")
	goroutines := flag.Int("goroutines", 4, "goroutines")
	operations := flag.Int("operations", 4000, "operations of all goroutines together")
	flag.Parse()
	if *k < 1 || *goroutines < 1 || *operations < 1 {
		fmt.Fprintln(os.Stderr, "record: -k, -goroutines and -operations are at least 1")
		os.Exit(2)
	}
	h, err := record(newObject(*multi, *k), *goroutines, *operations)
	if err == nil {
		err = history.WriteJSON(os.Stdout, h)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

//go:build !linsat_native

package c11_test

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
)

// A message is passed through a flag. The store of the flag is relaxed, so a reader that sees it
// does not know of the data.
func Example() {
	program := func(x *c11.Exec) {
		data, flag := c11.NewCell(x, "data", 0), c11.NewAtomic(x, "flag", false)
		x.Go(func() {
			data.Store(42)
			flag.Store(true, c11.Relaxed)
		})
		x.Go(func() {
			if flag.Load(c11.Acquire) {
				data.Load()
			}
		})
	}
	stats, err := c11.Run(program, c11.Options{}, func(g *c11.Graph) bool {
		if g.Outcome == c11.Race {
			fmt.Print(g.Text())
			fmt.Println("again:", g.Steps())
		}
		return true
	})
	fmt.Println(stats.Graphs, stats.All, err)
	// Output:
	// thread 1
	//   1.0  write data=42 na
	//   1.1  write flag=true rlx
	// thread 2
	//   2.0  read flag=true acq from 1.1
	//   2.1  read data=42 na from 1.0
	// data race of 1.0 and 2.1
	// again: 1:0.0,2:2.2
	// 2 true <nil>
}

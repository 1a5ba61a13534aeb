package history_test

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
)

// An input that cannot be a history is refused with the place, and what to do about it.
func ExampleRead() {
	_, err := history.Read(strings.NewReader(`{"spec": "register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 4, "return": 2}]}`), history.ReadOptions{Name: "h.json"})
	fmt.Println(err)
	// Output:
	// h.json:2: operation 0 returns at 2, before its call at 4
}

// Command linsat-rewrite rewrites Go packages for linsat test, which runs it by go run: so the
// packages are rewritten by the version of linsat that their module has, and the command linsat
// does not carry a compiler's front end. It reads a request in JSON and writes what it has done.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/linsat/linsat/internal/rewrite"
	"github.com/linsat/linsat/internal/shimrun/order"
)

func main() {
	var request order.Rewrite
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		fmt.Fprintln(os.Stderr, "linsat-rewrite is run by linsat test:", err)
		os.Exit(2)
	}
	var done order.Rewritten
	out, err := rewrite.Do(request)
	var refused rewrite.Refused
	switch {
	case errors.As(err, &refused):
		for _, r := range refused {
			done.Refused = append(done.Refused, r.String())
		}
	case err != nil:
		done.Error = err.Error()
	default:
		done = *out
	}
	if err := json.NewEncoder(os.Stdout).Encode(done); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

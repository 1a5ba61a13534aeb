// Command linsat-wasm runs specifications in WebAssembly for linsat, which starts it and talks to
// it over pipes (docs/own-specification.md).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/linsat/linsat/wasm"
)

// version is set by the linker for a release.
var version string

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "serve":
		signal.Ignore(os.Interrupt) // linsat decides when to end, and closes the pipe
		if err := wasm.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "linsat-wasm: %v\n", err)
			os.Exit(1)
		}
	case len(os.Args) == 2 && os.Args[1] == "--version":
		if info, ok := debug.ReadBuildInfo(); ok && version == "" {
			version = info.Main.Version
		}
		fmt.Println("linsat-wasm", version)
	default:
		fmt.Fprintln(os.Stderr, "linsat-wasm: linsat starts it: linsat solve --spec MODEL.wasm HISTORY")
		os.Exit(2)
	}
}

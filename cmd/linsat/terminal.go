//go:build !wasip1 && !js

package main

import (
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"
)

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool { return cwriter.IsTerminal(int(f.Fd())) }

// widthOf returns the columns of a terminal, 0 if they are not known.
func widthOf(f *os.File) int {
	width, _, err := cwriter.GetSize(int(f.Fd()))
	if err != nil || width < leastWidth {
		return 0
	}
	return width
}

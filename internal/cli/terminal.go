//go:build !wasip1 && !js

package cli

import (
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"
)

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return cwriter.IsTerminal(int(f.Fd())) }

// widthOf returns the columns of a terminal, 0 if they are not known.
func widthOf(f *os.File) int {
	width, _, err := cwriter.GetSize(int(f.Fd()))
	if err != nil || width < LeastWidth {
		return 0
	}
	return width
}

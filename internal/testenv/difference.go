package testenv

import (
	"fmt"
	"strings"
)

// shown is how many lines of each side firstDifference shows.
const shown = 8

// firstDifference shows where two texts begin to differ: lines of the first one after "-", of the
// second one after "+". It leaves out the lines that both end with.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	fmt.Fprintf(&out, "from line %d on\n", same+1)
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"-", a}, {"+", b}} {
		for _, line := range side.lines[:min(len(side.lines), shown)] {
			fmt.Fprintf(&out, "%s %s\n", side.sign, line)
		}
		if more := len(side.lines) - shown; more > 0 {
			fmt.Fprintf(&out, "%s … %d lines more\n", side.sign, more)
		}
	}
	return out.String()
}

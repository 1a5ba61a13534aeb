package porcupine

import (
	"context"
	"testing"
)

// EnginesAlone leaves out the search of the textbook until the test ends, or until the function
// that it returns is called.
func EnginesAlone(t *testing.T) (end func()) {
	textbookAlone = false
	end = func() { textbookAlone = true }
	t.Cleanup(end)
	return end
}

// TextbookAlone decides with the search of the textbook alone.
func TextbookAlone(m Model, ops []Operation) CheckResult {
	m = m.complete()
	s := newTextbook(context.Background(), &m, ops)
	switch s.run(1 << 24) {
	case ordered:
		return Ok
	case refuted:
		return Illegal
	}
	return Unknown
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// TestHistoriesAreWhatTheirNamesSay: where Porcupine answers, and the draw is always the same.
func TestHistoriesAreWhatTheirNamesSay(t *testing.T) {
	for _, h := range histories() {
		if strings.Contains(h.name, ", 2500, ") || strings.Contains(h.name, "0000, ") {
			continue // of the usual ones the short
		}
		ops := h.draw()
		if len(ops) > 5000 || strings.Contains(h.name, "stale read") {
			continue // it needs long
		}
		limit, usual := time.Minute, strings.HasSuffix(h.name, "easy") || strings.HasSuffix(h.name, "invented returns")
		if usual {
			limit = 300 * time.Millisecond // Porcupine has no answer on many
		}
		switch got := porcupine.CheckOperationsTimeout(h.model, ops, limit); {
		case got == porcupine.Unknown && usual:
		case got != h.want:
			t.Errorf("%s: %s", h.name, got)
		}
		again := h.draw()
		for k := range ops {
			if ops[k] != again[k] {
				t.Fatalf("%s: operation %d is drawn anew", h.name, k)
			}
		}
	}
}

// TestOneOperationInFiftyIsUnknown counts them.
func TestOneOperationInFiftyIsUnknown(t *testing.T) {
	ops := logHistory(8, 20_000, false)
	unknown := 0
	for _, o := range ops {
		if o.Output.(logReply).unknown {
			unknown++
		}
	}
	if unknown < 300 || unknown > 500 {
		t.Errorf("%d of %d operations are of unknown outcome", unknown, len(ops))
	}
}

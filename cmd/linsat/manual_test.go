package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
)

// TestManualsPrintWhatTheCommandPrints runs every "$ linsat …" of pages of the manual and compares
// what it prints with what stands there.
func TestManualsPrintWhatTheCommandPrints(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for page, commands := range map[string]int{"quasi.md": 15} {
		ran := testenv.Manual(t, filepath.Join("docs", page), "linsat", func(args []string) string {
			var out, errs bytes.Buffer
			run(args, strings.NewReader(""), &out, &errs)
			assert.Empty(t, errs.String(), args)
			return out.String()
		})
		assert.Equal(t, commands, ran, page)
	}
}

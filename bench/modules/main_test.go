package main

import (
	"bytes"
	"go/token"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/rewrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The list has a version for each module, and each module once; without any the table is empty.
func TestList(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(known) {
		fields := strings.Fields(line)
		require.Len(t, fields, 2, line)
		assert.False(t, seen[fields[0]], line)
		seen[fields[0]] = true
	}
	assert.Len(t, seen, 200)
	var b bytes.Buffer
	require.NoError(t, run(&b, "", "^$", 5))
	assert.Equal(t, "| module | packages | |\n|---|--:|---|\n\n0 modules: 0 refused, 0 that do not build\n", b.String())
}

// Each kind of refusal is named once, with its first place.
func TestKinds(t *testing.T) {
	var all rewrite.Refused
	for line, what := range []string{"cgo", "assembly", "cgo"} {
		all = append(all, rewrite.Refusal{At: token.Position{Filename: "/a/b.go", Line: line + 1}, What: what})
	}
	assert.Equal(t, "cgo (b.go:1), assembly (b.go:2)", kinds(all))
	assert.Equal(t, "a b c", firstLines("a\nb\nc\nd\n"))
}

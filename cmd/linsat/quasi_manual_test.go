package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuasiManual runs every "$ linsat …" of docs/quasi.md and compares what it prints with what
// stands there, engines, figures and certificates apart. A line "…" stands for the rest.
func TestQuasiManual(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "quasi.md"))
	require.NoError(t, err)
	t.Chdir(root)
	ran := 0
	for k, block := range strings.Split(string(text), "```\n") {
		if k%2 == 0 || !strings.HasPrefix(block, "$ linsat ") {
			continue
		}
		for _, run := range strings.Split("\n"+block, "\n$ linsat ")[1:] {
			command, printed, _ := strings.Cut(run, "\n")
			assert.Equal(t, strings.TrimSpace(elide(printed, printed)), strings.TrimSpace(elide(runLine(t, command), printed)), command)
			ran++
		}
	}
	assert.Equal(t, 11, ran)
}

// runLine runs linsat and returns what it prints.
func runLine(t *testing.T, command string) string {
	var out, errs bytes.Buffer
	run(strings.Fields(command), strings.NewReader(""), &out, &errs)
	assert.Empty(t, errs.String(), command)
	return out.String()
}

var answeredBy = regexp.MustCompile(`(?m); by [^;\n]* in .*$`)

// elide leaves out what differs from run to run, and what follows where printed ends with "…".
func elide(s, printed string) string {
	s = answeredBy.ReplaceAllString(s, "; by …")
	if lines := strings.Split(strings.TrimRight(printed, "\n"), "\n"); lines[len(lines)-1] == "  …" {
		return strings.Join(strings.Split(s, "\n")[:len(lines)-1], "\n")
	}
	return s
}

package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTwins runs every schedule of programs with known lost wake-ups, deadlocks and leaks, and of
// their repaired twins: each fault is found, and nothing else.
func TestTwins(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "explored", "twins", "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	moduleOf(t, files...)
	for form, code := range map[string]int{"Faulty": cli.Violation, "Repaired": cli.Linearizable} {
		var out, errs bytes.Buffer
		got := run([]string{"test", "--work", filepath.Join(t.TempDir(), "work"), "--leaks", "--run", form, "--for", "1m"},
			strings.NewReader(""), &out, &errs)
		require.Equal(t, code, got, out.String()+errs.String())
		answers := map[string]string{}
		said := regexp.MustCompile(`(?m)^Test` + form + `/(.*): (.*)\n  (.*)`)
		for _, m := range said.FindAllStringSubmatch(out.String(), -1) {
			answers[m[1]] = m[2]
			assert.NotContains(t, m[3], "only part", m[1])
		}
		require.Len(t, answers, 46)
		for name, answer := range answers {
			assert.Equal(t, form == "Repaired", answer == "no execution fails", "%s %s: %s", form, name, answer)
		}
	}
}

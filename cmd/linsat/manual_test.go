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

// TestManualsPrintWhatTheCommandPrints runs every "$ linsat …" of pages of the manual and compares
// what it prints with what stands there, engines and times apart. A last line "…" stands for the
// rest.
func TestManualsPrintWhatTheCommandPrints(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	t.Chdir(root)
	for page, commands := range map[string]int{"quasi.md": 13, "explore.md": 3} {
		text, err := os.ReadFile(filepath.Join("docs", page))
		require.NoError(t, err)
		ran := 0
		for _, block := range strings.Split(string(text), "\n```\n$ linsat ")[1:] {
			block, _, _ = strings.Cut(block, "\n```")
			for _, printed := range strings.Split(block, "\n$ linsat ") {
				command, want, _ := strings.Cut(printed, "\n")
				rest := elided.MatchString(want)
				want, got := steady(elided.ReplaceAllString(want, "")), steady(runLine(t, command))
				if rest {
					assert.True(t, strings.HasPrefix(got, want+"\n"), "%s: %s prints\n%s", page, command, got)
				} else {
					assert.Equal(t, want, got, "%s: %s", page, command)
				}
				ran++
			}
		}
		assert.Equal(t, commands, ran, page)
	}
}

// runLine runs linsat and returns what it prints.
func runLine(t *testing.T, command string) string {
	var out, errs bytes.Buffer
	var words []string
	for k, part := range strings.Split(command, "'") {
		if k%2 == 1 { // within single quotes
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	run(words, strings.NewReader(""), &out, &errs)
	assert.Empty(t, errs.String(), command)
	return out.String()
}

var (
	answeredBy = regexp.MustCompile(`(?m); by [^;\n]* in .*$`)
	elided     = regexp.MustCompile(`\n *…\s*$`)
	times      = regexp.MustCompile(`in [0-9.]+ ?(µs|ms|s)\b`)
)

// steady leaves out what differs from run to run.
func steady(text string) string {
	text = answeredBy.ReplaceAllString(text, "; by …")
	return strings.TrimSpace(times.ReplaceAllString(text, "in …"))
}

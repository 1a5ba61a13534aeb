package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExploreManual runs every "$ linsat …" of docs/explore.md and compares what it prints with
// what stands there, times apart. A line "…" stands for the rest.
func TestExploreManual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "explore.md"))
	require.NoError(t, err)
	times := regexp.MustCompile(`in [0-9.]+ ?(µs|ms|s)\b`)
	ran := 0
	for _, block := range strings.Split(string(text), "\n```\n$ linsat ")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		for _, command := range strings.Split(block, "\n$ linsat ") {
			line, want, _ := strings.Cut(command, "\n")
			want, rest := strings.CutSuffix(strings.TrimSpace(want), "\n…")
			got := runLine(t, line)
			want, got = times.ReplaceAllString(want, "in …"), times.ReplaceAllString(got, "in …")
			if rest {
				assert.True(t, strings.HasPrefix(got, want+"\n"), "%s prints\n%s", line, got)
			} else {
				assert.Equal(t, want, strings.TrimSpace(got), line)
			}
			ran++
		}
	}
	assert.Equal(t, 3, ran)
}

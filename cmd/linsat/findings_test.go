package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindings decides the histories of real software and compares the answers with the table of
// the page about them. Every history has a line.
func TestFindings(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "examples", "recorded", "README.md"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "examples", "recorded", "*.gz"))
	require.NoError(t, err)
	lines := regexp.MustCompile(`(?m)^\| \[.*\]\((\S+\.gz)\).*\| (\d+) \| (\d+) \| (.*) \|$`).FindAllStringSubmatch(
		string(page), -1)
	require.Len(t, lines, len(files))
	require.NotEmpty(t, lines)
	for _, line := range lines {
		t.Run(filepath.Base(line[1]), func(t *testing.T) {
			h, err := history.ReadFile(filepath.Join(root, "examples", "recorded", line[1]), history.ReadOptions{})
			require.NoError(t, err)
			s, ok := specs.Lookup(h.Spec)
			require.True(t, ok)
			r, err := linsat.Check(context.Background(), s, h)
			require.NoError(t, err)
			pending := 0
			for _, o := range h.Ops {
				if o.Return == history.Never {
					pending++
				}
			}
			assert.Equal(t, line[2], strconv.Itoa(len(h.Ops)))
			assert.Equal(t, line[3], strconv.Itoa(pending))
			assert.Equal(t, line[4], r.Verdict.String())
			assert.True(t, r.Certified)
		})
	}
}

//go:build unix

package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryKindHasALine(t *testing.T) {
	var out strings.Builder
	s := settings{sizes: []int{200}, seeds: []int{1}, specs: []string{"queue", "register"}, shapes: []string{"plain"}}
	require.NoError(t, s.print(&out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2+2+1)
	for _, line := range lines {
		assert.Equal(t, 9, strings.Count(line, "|"), line)
	}
	assert.Regexp(t, `^\| queue, plain, 200 \| 4 \| 4 \| 4 \| [0-9]+ / [0-9]+ \| [0-9]+ / [0-9]+ \|`, lines[2])
	assert.Regexp(t, `^\| all, 200 \| `, lines[4])

	s.shapes = []string{"square"}
	assert.ErrorContains(t, s.print(io.Discard), "unknown shape")
}

func TestFigures(t *testing.T) {
	assert.Equal(t, "–", numbers(nil))
	assert.Equal(t, "2 / 9", numbers([]int{9, 1, 2}))
	assert.Equal(t, "–", times(nil))
	assert.Equal(t, "20ms / 1.2s", times([]time.Duration{20e6, 1_234e6, 3e6}))
}

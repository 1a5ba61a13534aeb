//go:build unix

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// grown makes cells whose time grows with a power of the length.
func grown(lengths []int, of func(n float64) float64) []cell {
	var cells []cell
	for _, n := range lengths {
		cells = append(cells, cell{n, time.Duration(of(float64(n)) * float64(time.Microsecond)), engine.Linearizable,
			engine.NoCause})
	}
	return cells
}

func TestSlopesAreOfTheLogarithms(t *testing.T) {
	lengths := settings{most: 1_000_000}.lengths()
	assert.Equal(t, []int{1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000}, lengths)
	s, ok := slope(grown(lengths, func(n float64) float64 { return 3 * n }))
	assert.True(t, ok)
	assert.InDelta(t, 1, s, 1e-6)
	s, ok = slope(grown(lengths, func(n float64) float64 { return n * n / 1000 }))
	assert.True(t, ok)
	assert.InDelta(t, 2, s, 1e-6)
	// what a check costs in any case is left out
	s, ok = slope(grown(lengths, func(n float64) float64 {
		if n < 10_000 {
			return 5000
		}
		return n
	}))
	assert.True(t, ok)
	assert.InDelta(t, 1, s, 1e-6)
	_, ok = slope(grown(lengths[:2], func(n float64) float64 { return n }))
	assert.False(t, ok)
}

func TestEveryEngineHasALine(t *testing.T) {
	var out strings.Builder
	s := settings{most: 3000, runs: 1, timeout: time.Minute, specs: []string{"register", "set"},
		engines: []string{"monitor", "search"}}
	require.NoError(t, s.print(&out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, "| history | engine | 1k | 3k | slope |", lines[0])
	require.Len(t, lines, 2+6)
	for _, line := range lines[2:] {
		assert.Equal(t, 6, strings.Count(line, "|"), line)
	}
	assert.Regexp(t, `^\| register, distinct values \| monitor \| [0-9.]+[µm]s \| [0-9.]+[µm]s \|  \|$`, lines[2])
	s.engines = []string{"fast"}
	assert.Error(t, s.print(&out))
}

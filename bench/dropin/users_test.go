//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRowsSayWhatContradicts(t *testing.T) {
	var b strings.Builder
	assert.True(t, row(&b, "x", [2]decision{{verdict: "Ok", operations: 5, seconds: 1, processor: 0.5,
		resident: 1 << 20}, {verdict: "Ok", operations: 5, seconds: 2, processor: 1, resident: 2 << 20}}))
	assert.Equal(t, "| x | 5 | Ok | 1.000 s | 2.000 s | 0.5000 s | 1.0000 s | 2.00 | 1 | 2 |\n", b.String())
	assert.False(t, row(&b, "x", [2]decision{{verdict: "Ok", operations: 5, seconds: 1, resident: 0},
		{verdict: "Illegal", operations: 5, seconds: 2, resident: 0}}))
	assert.Contains(t, b.String(), "DIFFERENT: Ok, Illegal")
	assert.True(t, row(&b, "x", [2]decision{{verdict: "Unknown", operations: 5, seconds: 1, resident: 0},
		{verdict: "Illegal", operations: 5, seconds: 2, resident: 0}}))
	assert.Contains(t, b.String(), "| Illegal | Unknown after 1.0 s | 2.000 s |")
}

func TestTypicalIsTheMedianAndTheLargest(t *testing.T) {
	assert.Equal(t, decision{verdict: "Ok", operations: 1, seconds: 2, resident: 9},
		typical([]decision{{verdict: "Ok", operations: 1, seconds: 3, resident: 1}, {verdict: "Ok", operations: 1,
			seconds: 1, resident: 9}, {verdict: "Ok", operations: 1, seconds: 2, resident: 2}}))
}

// TestProcessesAreBounded: what is said, a failure, memory.
func TestProcessesAreBounded(t *testing.T) {
	l := limits{timeout: time.Second, memory: 100, runs: 1}
	d, err := l.decide("echo", "Ok", "7", "0.5", "0.25")
	require.NoError(t, err)
	d.resident = 0
	assert.Equal(t, decision{verdict: "Ok", operations: 7, seconds: 0.5, processor: 0.25, resident: 0}, d)
	_, err = l.decide("false")
	assert.Error(t, err)
	d, err = l.decide("sh", "-c", "echo fatal error: out of memory >&2; exit 2")
	require.NoError(t, err)
	assert.Equal(t, "out of memory", d.verdict)
}

// TestOnlyTheImportPathChanges of the program of users.
func TestOnlyTheImportPathChanges(t *testing.T) {
	root, err := repository()
	require.NoError(t, err)
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		require.NoError(t, prepareUsers(root, dirs[i], i == 1))
	}
	files, err := filepath.Glob(filepath.Join(dirs[0], "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		a, err := os.ReadFile(file)
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(dirs[1], filepath.Base(file)))
		require.NoError(t, err)
		assert.NotContains(t, string(b), peer)
		assert.Equal(t, string(a), strings.ReplaceAll(string(b), ours, peer))
	}
}

func TestBarsAreCounted(t *testing.T) {
	var k tally
	of := func(seconds float64) decision { return decision{verdict: "Ok", processor: seconds} }
	k.add("queue, 160, correct, easy", [2]decision{of(1), of(1)})
	k.add("queue, 160, correct, easy", [2]decision{of(1), of(1.5)})
	k.add("queue, 160, correct, invented returns", [2]decision{of(1), of(1.5)})
	k.add("queue, 160, correct, invented returns", [2]decision{{verdict: "Unknown"}, of(9)})
	k.add("queue, 160, lost, invented returns", [2]decision{of(1), {verdict: "Unknown"}})
	k.add("another", [2]decision{of(1), of(9)})
	var b strings.Builder
	k.print(&b)
	assert.Equal(t,
		"\neasy: 1 of 2 within the bar\ninvented returns: 1 of 1 within the bar\nanswered by linsat alone 1, by "+
			"Porcupine alone 1, by neither 0\n"+
			"missed: queue, 160, correct, easy: 1.5×\nmissed: queue, 160, lost, invented returns: no answer\n\n",
		b.String())
}

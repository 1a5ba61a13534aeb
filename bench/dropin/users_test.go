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
	assert.True(t, row(&b, "x", [2]decision{{verdict: "Ok", operations: 5, seconds: 1, resident: 1 << 20}, {verdict: "Ok", operations: 5, seconds: 2, resident: 2 << 20}}))
	assert.Equal(t, "| x | 5 | Ok | 1.000 s | 2.000 s | 1 | 2 |\n", b.String())
	assert.False(t, row(&b, "x", [2]decision{{verdict: "Ok", operations: 5, seconds: 1, resident: 0}, {verdict: "Illegal", operations: 5, seconds: 2, resident: 0}}))
	assert.Contains(t, b.String(), "DIFFERENT: Ok, Illegal")
	assert.True(t, row(&b, "x", [2]decision{{verdict: "Unknown", operations: 5, seconds: 1, resident: 0}, {verdict: "Illegal", operations: 5, seconds: 2, resident: 0}}))
	assert.Contains(t, b.String(), "| Illegal | Unknown after 1.0 s | 2.000 s |")
}

func TestTypicalIsTheMedianAndTheLargest(t *testing.T) {
	assert.Equal(t, decision{verdict: "Ok", operations: 1, seconds: 2, resident: 9}, typical([]decision{{verdict: "Ok", operations: 1, seconds: 3, resident: 1}, {verdict: "Ok", operations: 1, seconds: 1, resident: 9}, {verdict: "Ok", operations: 1, seconds: 2, resident: 2}}))
}

// TestProcessesAreBounded: what is said, a failure, memory.
func TestProcessesAreBounded(t *testing.T) {
	l := limits{timeout: time.Second, memory: 100, runs: 1}
	d, err := l.decide("echo", "Ok", "7", "0.5")
	require.NoError(t, err)
	d.resident = 0
	assert.Equal(t, decision{verdict: "Ok", operations: 7, seconds: 0.5, resident: 0}, d)
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

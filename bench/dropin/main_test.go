//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnlyTestsThatLookInsideAreLeftOut: the file still has its other tests, and no import without
// a use.
func TestOnlyTestsThatLookInsideAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("checker.go", "package p\n\ntype entry struct{}\n\nfunc check() {}\n\nfunc Check() { check() }\n")
	file := write("checker_test.go", `package p

import (
	"os"
	"testing"
)

// TestA looks at nothing.
func TestA(t *testing.T) { Check() }

// TestB looks at a type.
func TestB(t *testing.T) { _ = entry{}; os.Exit(1) }

func TestC(t *testing.T) { _ = info.history }

func TestD(t *testing.T) { _ = "an original" }

func TestE(t *testing.T) { _ = `+"`\"OriginalStart\"`"+` }
`)
	names, err := internals(dir)
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"entry": true, "check": true}, names)
	left, err := leaveOut(file, names)
	require.NoError(t, err)
	assert.Equal(t, []string{"TestB", "TestC", "TestE"}, left)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t,
		"package p\n\nimport (\n\t\"testing\"\n)\n\n// TestA looks at nothing.\nfunc TestA(t *testing.T) { Check() "+
			"}\n\nfunc TestD(t *testing.T) { _ = \"an original\" }\n", string(text))
}

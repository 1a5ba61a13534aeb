package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var lastColumn = regexp.MustCompile(`(?m) [0-9.]+ \|$`)

// table is the table of the histories below dir, without its times.
func table(t *testing.T, dir string, meaning quasi.Meaning, timeout time.Duration) string {
	rows, err := measure([]string{dir}, meaning, timeout)
	require.NoError(t, err)
	var out bytes.Buffer
	write(&out, rows)
	return lastColumn.ReplaceAllString(out.String(), " |")
}

func TestTable(t *testing.T) {
	dir := t.TempDir()
	for name, operations := range map[string]string{
		"a/0.json": `{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}`,
		"a/1.json": `{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
			{"process": 0, "f": "deq", "result": 2, "call": 4, "return": 5}`,
		"b/0.json": `{"process": 0, "f": "deq", "result": 1, "call": 0, "return": 1}`,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(`{"spec": "queue", "operations": [`+operations+`]}`), 0o644))
	}
	assert.Equal(t, strings.Join([]string{
		"| histories | | number | 0 | 1 | ∞ | ms |",
		"|---|---|--:|--:|--:|--:|--:|",
		"| a | drained | 2 | 1 | 1 | | |",
		"| a | not drained | 2 | 1 | | 1 | |",
		"| b | drained | 1 | | | 1 | |",
		"| b | not drained | 1 | | | 1 | |", ""}, "\n"), table(t, dir, quasi.Slots, time.Minute))
	assert.Contains(t, table(t, dir, quasi.Slots, time.Nanosecond), "| ? | ms |")
	_, err := measure([]string{filepath.Join(dir, "missing")}, quasi.Slots, 0)
	assert.Error(t, err)
}

// The table of README.md is that of the recorded histories, and is the same under both
// meanings.
func TestScalTable(t *testing.T) {
	corpora := testenv.Recorded(t)
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	printed := lastColumn.ReplaceAllString(string(text), " |")
	for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
		got := table(t, filepath.Join(corpora, "violin", "small"), meaning, time.Minute)
		assert.Contains(t, printed, got, "%v", meaning)
		assert.Equal(t, 20+2, strings.Count(got, "\n"))
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/bench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRowsBecomeAPageOrAPicture(t *testing.T) {
	dir := t.TempDir()
	rows := filepath.Join(dir, "rows.jsonl")
	f, err := os.Create(rows)
	require.NoError(t, err)
	ms := time.Millisecond.Nanoseconds()
	require.NoError(t, bench.WriteRows(f, []bench.Row{
		{File: "a", Engine: "search", Verdict: "linearizable", Nanoseconds: []int64{3 * ms}},
		{File: "a", Engine: "sat", Solver: "gini", Verdict: "linearizable", Nanoseconds: []int64{30 * ms}},
	}))
	require.NoError(t, f.Close())
	for name, want := range map[string]string{"plot.html": "<!doctype html>", "plot.svg": "<svg"} {
		out := filepath.Join(dir, name)
		require.NoError(t, run([]string{rows, out}))
		drawn, err := os.ReadFile(out)
		require.NoError(t, err)
		for _, want := range []string{want, "sat:gini against search", "both decided (1)"} {
			assert.Contains(t, string(drawn), want, name)
		}
	}
}

func TestErrorsNameTheFileAndTheRow(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	out := filepath.Join(dir, "out.svg")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want two files"},
		{[]string{file("a.jsonl", "{}"), filepath.Join(dir, "out.png")}, "must end in .html or .svg"},
		{[]string{filepath.Join(dir, "none.jsonl"), out}, "none.jsonl"},
		{[]string{file("empty.jsonl", ""), out}, "empty.jsonl has no rows"},
		{[]string{file("bad.jsonl", "{}\n{\"file\":1}\n"), out},
			"bad.jsonl: not what `linsat bench --rows` writes: row 2: json"},
	} {
		assert.ErrorContains(t, run(c.args), c.want)
	}
	assert.NoFileExists(t, out)
}

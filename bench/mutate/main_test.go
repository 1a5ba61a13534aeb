//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `package p

import "fmt"

const most = 3

func f(a, b int32, budget int) (int32, error) {
	if a < b {
		return a + 1, fmt.Errorf("%d of %d", a+1, b)
	}
	if budget > 7 {
		return 0, nil
	}
	a++
	return a - b, nil
}
`

// TestPlaces: every place of a function is found, but in messages and conditions on budgets; and a
// package in which all of them are switched compiles.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "p"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p", "p.go"), []byte(sample), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n"), 0o644))
	sources, err := load(dir, []string{"./p"})
	require.NoError(t, err)
	s := sources[0]
	all, err := s.find()
	require.NoError(t, err)
	var found []string
	for _, p := range all {
		found = append(found, p.kind+": "+oneLine(p.old)+" → "+oneLine(p.broken))
	}
	assert.Equal(t, []string{
		"no statement: a++ → ",
		"negate: a < b → !(a < b)",
		"no early return: a < b → false && (a < b)",
		"boundary: a < b → a <= b",
		"arithmetic: a + 1 → a - 1",
		"constant: 1 → 2",
		"constant: 0 → 1",
		"arithmetic: a - b → a + b",
	}, found)
	chosen := s.choose(all, 100, rand.New(rand.NewPCG(1, 1)))
	places := map[int]place{}
	for i, p := range chosen {
		places[i+1] = p
	}
	assert.GreaterOrEqual(t, len(chosen), 5)
	_, err = s.typed(map[string][]byte{"p.go": broken(s.text["p.go"], places)})
	require.NoError(t, err)
}

// TestEquivalentPlacesHaveReasons: every line of the file is a key and a reason.
func TestEquivalentPlacesHaveReasons(t *testing.T) {
	for line := range strings.Lines(known) {
		key, reason, ok := strings.Cut(strings.TrimSpace(line), "\t")
		assert.True(t, ok && key != "" && len(reason) > 10, line)
	}
	assert.Equal(t, map[string]string{"a b": "because of c"}, parseEquivalent("a b\tbecause of c\n"))
}

// TestRowsGoOn: what an earlier run wrote is read again.
func TestRowsGoOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	done, err := read(file)
	require.NoError(t, err)
	require.Empty(t, done)
	w := row{Key: "encode/a.go:f:negate:x", Package: "encode", By: "encode TestX", Line: 3}
	require.NoError(t, appendRow(file, w))
	done, err = read(file)
	require.NoError(t, err)
	require.Equal(t, map[string]row{w.Key: w}, done)
	assert.Equal(t, 1, report([]row{w, {Key: "y", Package: "encode"}}))
}

// TestProgramsAreLimited: a suite that passes notices nothing, one that fails has a name, and one
// that loops has a limit.
func TestProgramsAreLimited(t *testing.T) {
	r := &runner{root: t.TempDir(), bin: t.TempDir()}
	u := suite{pkg: "p", short: true}
	require.NoError(t, os.Mkdir(filepath.Join(r.root, u.pkg), 0o755))
	for program, by := range map[string]string{
		`[ "$LINSAT_MUTANT" = 7 ]`:       "",
		`echo "--- FAIL: TestX"; exit 1`: "p TestX",
		`while :; do :; done`:            "p the limit of time",
	} {
		require.NoError(t, os.WriteFile(r.program(u), []byte("#!/bin/sh\n"+program+"\n"), 0o755))
		got, _ := r.test(7, u, 0)
		assert.Equal(t, by, got, program)
	}
}

//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program is one that generates an empty file and gives an answer about it.
func program(t *testing.T, code string) string {
	file := filepath.Join(t.TempDir(), "program")
	text := "#!/bin/sh\nif [ $1 = gen ]; then while [ $1 != -o ]; do shift; done; : > $2; exit 0; fi\n" + code
	require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
	return file
}

func TestPairs(t *testing.T) {
	busy := "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "
	for _, c := range []struct{ before, after, line, err string }{
		{"exit 1", busy + "exit 1", `\| not linearizable \| \S+ \| \S+ \| .* \| slower \|\n\n1 lines`, ""},
		{busy + "exit 0", "exit 0", `\| linearizable \| \S+ \| \S+ \| 0\.\d\d \| .* \|  \|\n\n1 lines`, ""},
		{"exit 0", "exit 1", `different verdicts: linearizable before`, "different verdicts: queue"},
		{"exit 3", "exit 0", `\| linearizable \| > \S+ \| .* \| decided now \|\n$`, ""},
		{"exit 1", "exit 3", `\| unknown \| \S+ \| > .* \| not decided any more \|\n$`, ""},
		{"exit 0", "echo bad >&2; exit 2", `^Whole`, ": bad"},
	} {
		s := settings{before: program(t, c.before), after: program(t, c.after), runs: 3, timeout: time.Minute,
			slower: 1.1, only: regexp.MustCompile("^queue --operations 100 --processes 16$")}
		var out strings.Builder
		err := s.print(&out)
		assert.Regexp(t, c.line, out.String())
		if c.err == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, c.err)
		}
	}
	assert.Error(t, (&settings{runs: 1}).print(io.Discard))
}

func TestLinesHaveNamesOfTheirOwn(t *testing.T) {
	had := map[string]bool{}
	for _, l := range append(generated(), recorded()...) {
		assert.False(t, had[l.name], l.name)
		assert.NotEqual(t, l.gen == nil, l.glob == nil, l.name)
		had[l.name] = true
	}
}

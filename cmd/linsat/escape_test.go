package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestErrorsDoNotSteerTheTerminal: what a file or an argument holds is escaped in the errors that
// quote it, and in what certify says.
func TestErrorsDoNotSteerTheTerminal(t *testing.T) {
	const evil = "x\x1b[2J\u009b31m\u202e\ay"
	const asJSON = `x\u001b[2J\u009b31m\u202e\u0007y`
	const asRaw = "x\u009b31m\u202e\u007f\U000e0041y" // JSON allows these as they are
	const rawHistory = `{"spec": "queue", "operations": [{"id": "RAW", "process": "RAW", "f": "enq", "arg": "RAW", "call": 0, "return": 1}, {"process": 1, "f": "deq", "result": "RAWz", "call": 2, "return": 3}]}`
	dir := t.TempDir()
	file := filepath.Join(dir, "h"+evil+".json")
	certificate := filepath.Join(dir, "c"+evil)
	star := filepath.Join(dir, "s.star")
	write := func(text string) {
		require.NoError(t, os.WriteFile(star, []byte(text), 0o600))
		require.NoError(t, os.WriteFile(file, []byte(strings.NewReplacer("EVIL", asJSON, "RAW", asRaw).Replace(text)),
			0o600))
	}
	for _, c := range []struct {
		name, text string
		args       []string
		code       int
	}{
		{"specification", `{"spec": "EVIL", "operations": []}`, []string{"solve", file}, cli.Usage},
		{"operation", `{"spec": "queue", "operations": [{"process": "EVIL", "f": "EVIL", "call": 0, "return": 1}]}`,
			[]string{"solve", file}, cli.Usage},
		{"argument",
			`{"spec": "counter", "operations": [{"process": 0, "f": "inc", "arg": "EVIL", "call": 0, "return": 1}]}`,
			[]string{"solve", file}, cli.Usage},
		{"process",
			`{"spec": "queue", "operations": [{"process": "EVIL", "f": "enq", "arg": 1, "call": 0}, {"process": "EVIL", "f": "enq", "arg": 2, "call": 1}]}`, []string{"solve", file}, cli.Usage},
		{"id", `{"spec": "queue", "operations": [{"id": "EVIL", "process": 0, "f": "enq", "arg": 1, "call": 5, "return": 1}]}`, []string{"solve", file}, cli.Usage},
		{"name of a file", `{"spec": "queue", "operations": []}`, []string{"solve", file + "s"}, cli.Usage},
		{"flag", `{"spec": "queue", "operations": []}`, []string{"solve", "--engine", evil, file}, cli.Usage},
		{"initial state", `{"spec": "queue", "operations": []}`, []string{"solve", "--initial", evil, file}, cli.Usage},
		{"command", "", []string{evil}, cli.Usage},
		{"certificate",
			`{"spec": "queue", "operations": [{"process": "EVIL", "f": "enq", "arg": 1, "call": 0, "return": 1}]}`,
			[]string{"solve", "--certificate", certificate, file}, cli.Linearizable},
		{"valid",
			`{"spec": "queue", "operations": [{"process": "EVIL", "f": "enq", "arg": 1, "call": 0, "return": 1}]}`,
			[]string{"certify", file, certificate}, cli.Linearizable},
		{"nothing to shrink",
			`{"spec": "queue", "operations": [{"process": "EVIL", "f": "enq", "arg": 1, "call": 0, "return": 1}]}`,
			[]string{"shrink", file}, cli.Violation},
		{"a specification that prints",
			"def init():\n  return 0\ndef step(state, op):\n  print(\"x\\x1b[2J\")\n  return [(None, " +
				"state)]\nprint(\"y\\x1b[2J\")\n", []string{"specs", "check", star}, cli.Usage},
		{"row", `{"version": 1, "file": "EVIL", "verdict": "error", "answer": "error", "cause": "EVIL"}` + "\n",
			[]string{"merge", file}, cli.Usage},
		{"question of rows", `{"version": 1, "rows": {"asked": {"spec": "EVIL"}}}` + "\n" +
			`{"version": 1, "rows": {"asked": {}}}` + "\n", []string{"merge", file}, cli.Usage},
		{"answers as JSON", rawHistory, []string{"solve", "--format", "json", file}, cli.Violation},
		{"answers as SARIF", rawHistory, []string{"solve", "--format", "sarif", file}, cli.Violation},
		{"answers for JUnit", rawHistory, []string{"solve", "--format", "junit", file}, cli.Violation},
		{"a history as JSON", rawHistory, []string{"convert", file}, cli.Linearizable},
		{"a history as JSON Lines", rawHistory, []string{"convert", "--to", "jsonl", file}, cli.Linearizable},
		{"a shrunk history", rawHistory, []string{"shrink", file}, cli.Linearizable},
		{"refused",
			`{"spec": "queue", "operations": [{"process": "EVIL", "f": "enq", "arg": 2, "call": 0, "return": 1}, {"id": "EVIL", "process": 0, "f": "deq", "result": 2, "call": 0, "return": 1}]}`, []string{"certify", file, certificate}, cli.Violation},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(c.text)
			var out, err bytes.Buffer
			assert.Equal(t, c.code, run(c.args, strings.NewReader(""), &out, &err), "%s%s", &out, &err)
			said := out.String() + err.String()
			assert.NotEmpty(t, said)
			for _, r := range strings.ReplaceAll(said, "\n", "") {
				if !assert.True(t, unicode.IsPrint(r), "%q in %q", r, said) {
					break
				}
			}
		})
	}
}

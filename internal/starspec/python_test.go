package starspec

import (
	"io"
	"testing"

	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
)

// TestPythonIsAnswered writes what Python has and Starlark does not: the error says the line, and
// what to write instead.
func TestPythonIsAnswered(t *testing.T) {
	for line, want := range map[string]string{
		"import json": "4:5: got import, want primary expression; Starlark is not all of " +
			"Python: there are no modules",
		"from math import floor": "4:5: got from, want primary expression; Starlark is not all of Python: " +
			"there are no modules",
		"class A:":                         "struct(name = value)",
		"try:":                             "there are no exceptions: look with if before",
		"raise ValueError(1)":              "return [] where",
		"assert op.arg":                    "return [] where",
		"with open('x') as f:":             "there are no files",
		"global x":                         "return the new state",
		"del state['x']":                   "make a new dict",
		"return (f'{op.arg}', state)":      "there are no f-strings",
		"if op.arg is None:":               "compare with ==",
		"yield 1":                          "return a list",
		"match op.f:":                      "write if, elif and else",
		"if (n := 3) > 1:":                 "on a line of its own",
		"n: int = 3":                       "there are no types",
		"return (None, {**state, 'x': 1})": "write state | {key: value}",
		"return (None, [*state, 1])":       "lists are added",
		"a, *b = op.arg":                   "lists are added",
		"return (2 ** 3, state)":           "multiply in a loop",
		"return ({1, 2}, state)":           "a set is set([a, b])",
		"if 0 < op.arg < 3:":               "write a < b and b < c",
		"return (sum([1]), state)":         "4:13: undefined: sum; Starlark is not all of Python: add in a loop",
		"return (isinstance(1, int), 1)":   "write type(x) == \"int\"",
		"return (true, state)":             "write True",
		"return (type(op.arg) == str, 1)":  "4:26: type returns a text: write type(x) == \"string\"",
	} {
		_, err := parse("p.star", []byte("init = {}\n\ndef step(state, op):\n    "+line+"\n"), io.Discard)
		if assert.Error(t, err, line) {
			assert.Contains(t, err.Error(), "p.star:4:", line)
			assert.Contains(t, err.Error(), want, line)
		}
	}
	for line, want := range map[string]string{
		"state['x'] = 1": "in step: cannot insert into frozen hash table; Starlark is not all of Python: a " +
			"state is never changed",
		"return step(state, op)": "write a loop",
		"for c in op.f: pass":    "go through s.elems()",
	} {
		f, err := parse("p.star", []byte("init = {}\n\ndef step(state, op):\n    "+line+"\n"), io.Discard)
		if assert.NoError(t, err, line) {
			err := foreign.Caught(func() { f.program.steps.Of(0, spec.Call{F: "x"}) })
			assert.ErrorContains(t, err, want, line)
		}
	}
}

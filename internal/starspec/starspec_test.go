package starspec

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.starlark.net/starlark"
)

const counter = `
def init(given):
    return given or 0

def step(n, op):
    if op.f == "add":
        return (n + op.arg, n + op.arg)
    if op.f == "read":
        return (n, n)
`

func read(t testing.TB, text string) *history.History {
	t.Helper()
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// check decides a history by a file's text.
func check(t testing.TB, source, text string, options ...linsat.Option) (linsat.Result, error) {
	t.Helper()
	f, err := parse("x.star", []byte(source), io.Discard)
	require.NoError(t, err)
	return linsat.Check(context.Background(), f.Spec, read(t, text), options...)
}

const add = `{"operations":[{"process":0,"f":"add","arg":2,"result":2,"call":0,"return":1}]}`

func TestWrongFilesAreRefusedWithTheirPlace(t *testing.T) {
	for source, want := range map[string]string{
		"init = 0\ndef step(s, op)\n  pass":                                                         "x.star:3:1: got newline, want ':'",
		"init = 0\ndef step(s, op): return [(s, stat)]":                                             "x.star:2:30: undefined: stat",
		"init = 1 // 0\ndef step(s, op): return []":                                                 "x.star:1:10: floored division by zero",
		"def step(s, op): return []":                                                                "it defines no init",
		"init = 0":                                                                                  "it defines no step",
		"init = 0\nstep = 1":                                                                        "step is a int, not a function",
		"init = 0\ndef step(s): return []":                                                          "step takes 1 parameters, not 2: def step(state, op)",
		"import math\ninit = 0\ndef step(s, op): return []":                                         "there are no modules",
		"class A:\n  pass":                                                                          "there are no classes",
		"init = 0\ndef step(s, op):\n  try:\n    return []":                                         "there are no exceptions",
		"init = 0\ndef step(s, op): return [(s, f\"a{s}\")]":                                        "there are no f-strings",
		"init = 0\ndef step(s, op):\n  if s is None: return []":                                     "compare with ==",
		"init = 0.5\ndef step(s, op): return []":                                                    "init: a state holds a value of type float",
		"init = 0\ndef Step(s, op): return []":                                                      "did you mean step?",
		"init = 0\nread_only = 1\ndef step(s, op): return []":                                       "it defines read_only: did you mean readonly?",
		"init = 0\nsummary = 1\ndef step(s, op): return []":                                         "summary is a int, not a string",
		"init = 0\noperations = 1\ndef step(s, op): return []":                                      "operations is a int",
		"init = 0\nclasses = {1: []}\ndef step(s, op): return []":                                   "classes: 1 has no list of names",
		"init = 0\nwhile True: pass\ndef step(s, op): return []":                                    "it did not end within 10000000 steps",
		"load('y.star', 'z')\ninit = 0\ndef step(s, op): return []":                                 "a specification is one file, without load",
		"init = 0\ndef key(op): return 1\ndef footprint(op): return []\ndef step(s, op): return []": "both key and footprint",
	} {
		_, err := parse("x.star", []byte(source), io.Discard)
		if assert.Error(t, err, source) {
			assert.Contains(t, err.Error(), want, source)
		}
	}
}

func TestFailuresNameFileOperationAndState(t *testing.T) {
	for source, want := range map[string]string{
		"init = 3\ndef step(s, op): return s[0]": "specification x fails on operation " +
			"0 (add 2 → 2) in state 3: x.star:2:26: in step: unhandled index operation int[int]",
		"init = 3\ndef step(s, op): return s": "x.star: step: it returned int 3; it " +
			"returns (result, next state)",
		"init = 3\ndef step(s, op): pass": "it returned nothing: return [] if " +
			"the operation cannot take effect",
		"init = 3\ndef step(s, op): return (s, s, s)": "it returned tuple (3, 3, 3)",
		"init = 3\ndef step(s, op): return (s, ANY)":  "ANY is a result, not a state",
		"init = 3\ndef step(s, op): return (1.5, s)": "a result of type float, which no " +
			"history holds",
		"init = 3\ndef step(s, op): return (1 << 70, s)": "is too large",
		"init = 3\ndef step(s, op): return (1, len)": "a state holds a value of type " +
			"builtin_function_or_method",
		"init = 3\ndef step(s, op):\n  while True: pass": "in step: it did not end within " +
			"10000000 steps",
		"init = []\ndef step(s, op):\n  s.append(1)\n  return []": "in step: append: cannot append to " +
			"frozen list",
		"init = 3\ndef f(n): return f(n)\ndef step(s, op): return f(1)": "called recursively",
		"init = 3\ndef key(op): return 7\ndef step(s, op): return []": "key returned 7, which is neither " +
			"op.key nor in op.arg",
		"init = 3\ndef footprint(op): return 7\ndef step(s, op): return []":    "footprint returned int 7",
		"init = 3\ndef step(s, op):\n  x = []\n  x.append(x)\n  return (1, x)": "a state is nested more than 64 deep",
	} {
		_, err := check(t, source, add)
		var fault *meta.Fault
		if assert.ErrorAs(t, err, &fault, source) {
			assert.Contains(t, err.Error(), want, source)
		}
	}
	_, err := check(t, "init = 0\ndef step(s, op): return []",
		`{"initial":1,"operations":[{"process":0,"f":"add","arg":2,"result":2,"call":0,"return":1}]}`)
	require.ErrorContains(t, err, "write def init(given)")
}

func TestVerdicts(t *testing.T) {
	r, err := check(t, counter,
		`{"initial":5,"operations":[{"process":0,"f":"add","arg":2,"result":7,"call":0,"return":1},{"process":1,"f":"read","call":0,"result":5,"return":1}]}`)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
	r, err = check(t, counter,
		`{"initial":5,"operations":[{"process":0,"f":"add","arg":2,"result":7,"call":0,"return":1},{"process":1,"f":"read","call":2,"result":5,"return":3}]}`)
	require.NoError(t, err)
	assert.Equal(t, linsat.NotLinearizable, r.Verdict)
	assert.True(t, r.Certified)
	_, err = check(t, "init = 0\noperations = {\"add\": [\"plus\"]}\ndef step(n, op): return (ANY, n)",
		`{"operations":[{"process":0,"f":"sub","call":0,"return":1}]}`)
	require.ErrorContains(t, err, `sub`)
	r, err = check(t, "init = 0\noperations = {\"add\": [\"plus\"]}\ndef step(n, op): return (op.f == 'add', n)",
		`{"operations":[{"process":0,"f":"Plus","result":true,"call":0,"return":1}]}`)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
}

// TestProcessesAreNumbersWhereTheirNamesAre: a step sees a process as an integer, if its name is
// one, whether the history writes it as a number or as a string, which are one process. 7~2 is 7
// after an operation of unknown outcome.
func TestProcessesAreNumbersWhereTheirNamesAre(t *testing.T) {
	const source = "init = 0\ndef step(s, op): return (type(op.process) + ' ' + str(op.process), s)"
	for process, want := range map[string]string{
		`7`: "int 7", `"7"`: "int 7", `0`: "int 0", `-3`: "int -3", `9223372036854775807`: "int 9223372036854775807",
		`"a"`: "string a", `"07"`: "string 07", `"+7"`: "string +7", `"-0"`: "string -0", `"7~2"`: "int 7",
		`""`: "string ", `"9223372036854775808"`: "string 9223372036854775808",
	} {
		r, err := check(t, source, `{"operations":[{"process":`+process+`,"f":"who","result":"`+want+
			`","call":0,"return":1}]}`)
		require.NoError(t, err, process)
		assert.Equal(t, linsat.Linearizable, r.Verdict, process)
	}
	r, err := check(t, "init = 0\ndef step(s, op): return (op.process == op.arg, s)",
		`[{:process 4, :type :invoke, :f :mine, :value 4} {:process 4, :type :ok, :f :mine, :value true}]`)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
}

// TestSamplesNameProcesses as strings or as integers, and nothing else.
func TestSamplesNameProcesses(t *testing.T) {
	const source = "init = 0\ndef step(s, op): return (op.process, s)\nsamples = [{'f': 'who', 'process': 7}, {'f': " +
		"'who', 'process': '7'}, {'f': 'who', 'process': 'a'}, {'f': 'who', 'process': None}, {'f': 'who'}]"
	f, err := parse("x.star", []byte(source), io.Discard)
	require.NoError(t, err)
	calls, err := f.Calls()
	require.NoError(t, err)
	assert.Equal(t, []spec.Call{{F: "who", Process: "7"}, {F: "who", Process: "7"}, {F: "who", Process: "a"},
		{F: "who"}, {F: "who"}}, calls)
	samples, err := f.Samples(calls[:1], 1)
	require.NoError(t, err)
	require.Len(t, samples, 1)
	assert.Equal(t, []any{int64(7)}, samples[0].Results)
	f, err = parse("x.star", []byte("init = 0\ndef step(s, op): return []\nsamples = [{'f': 'who', 'process': [7]}]"),
		io.Discard)
	require.NoError(t, err)
	_, err = f.Calls()
	require.ErrorContains(t, err, `samples is a list of ("put", 1)`)
}

// TestStepIsAskedOnce counts calls of the interpreter for a history with few different pairs of a
// state and a call, in many partitions.
func TestStepIsAskedOnce(t *testing.T) {
	f, err := parse("x.star",
		[]byte("init = 0\ndef footprint(op): return [op.key]\ndef step(s, op): return (s, (s + 1) % 3)"), io.Discard)
	require.NoError(t, err)
	b := history.NewBuilder()
	for i := range int64(3000) {
		_, err := b.Add(history.Record{Process: b.ProcessInt(0), F: b.Values.String("next"),
			Key: b.Values.Int(i / 100 % 3), Arg: history.Nil, Result: b.Values.Int(i % 100 % 3), Call: 2 * i,
			Return: 2*i + 1})
		require.NoError(t, err)
	}
	b.Process("p")
	h, err := b.Finish()
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), f.Spec, h)
	require.NoError(t, err)
	assert.LessOrEqual(t, f.program.steps.Asked(), int64(9))
}

func TestPrintsGoToTheWriter(t *testing.T) {
	var out bytes.Buffer
	_, err := parse("x.star", []byte("print('hello')\ninit = 0\ndef step(s, op): return []"), &out)
	require.NoError(t, err)
	assert.Equal(t, "x.star: hello\n", out.String())
}

// TestCanonicalTexts compares values of every type with each other: the text is equal exactly for
// equal values.
func TestCanonicalTexts(t *testing.T) {
	groups := [][]string{
		{"None"}, {"True"}, {"False"}, {"1"}, {"0"}, {"-1"}, {"11"}, {"1 << 80"}, {"''"}, {"'1'"}, {"b'1'"}, {"'1;'"},
		{"[]"}, {"()"}, {"{}"}, {"set()"}, {"struct()"}, {"[1]"}, {"(1,)"}, {"[1, 1]"}, {"[11]"}, {"[[1], 1]"},
		{"[[1, 1]]"}, {"['s1:']"},
		{"{1: 2, 3: 4}", "{3: 4, 1: 2}"}, {"{1: 3, 2: 4}"}, {"{1: [2, 3]}"}, {"set([1, 2])", "set([2, 1, 2])"},
		{"set([1])"}, {"[{1, 2}]", "[set([2, 1])]"},
		{"struct(a = 1, b = 2)", "struct(b = 2, a = 1)"}, {"{'a': 1, 'b': 2}"}, {"[True]"}, {"[None, False]"},
		{"{(1, 2): {3: {}}}"},
	}
	seen := map[string]int{}
	for g, group := range groups {
		for _, source := range group {
			f, err := parse("x.star", []byte("init = "+strings.ReplaceAll(source, "{1, 2}", "set([1, 2])")+
				"\ndef step(s, op): return []"), io.Discard)
			require.NoError(t, err, source)
			v, text, err := canonical(f.program.globals["init"], maxDepth)
			require.NoError(t, err)
			if other, ok := seen[string(text)]; ok {
				assert.Equal(t, g, other, source)
			}
			seen[string(text)] = g
			same, err := starlark.Equal(v, f.program.globals["init"])
			if _, isStruct := v.(starlark.HasAttrs); !isStruct || err == nil {
				assert.True(t, same, source)
			}
		}
	}
	assert.Len(t, seen, len(groups))
}

// BenchmarkRepeatedStep is a step whose answer is known: as searches ask, and as the verifier does.
func BenchmarkRepeatedStep(b *testing.B) {
	f, err := parse("x.star", []byte(counter), io.Discard)
	require.NoError(b, err)
	p, err := model.Full(f.Spec).Bind(model.Whole(read(b, add)))
	require.NoError(b, err)
	b.Run("search", func(b *testing.B) {
		t := transition.New(p.NewMachine(), p.EquivID)
		for b.Loop() {
			if t.Lookup(0, 0) == 0 {
				b.Fatal("the step is refused")
			}
		}
	})
	b.Run("machine", func(b *testing.B) {
		m := p.NewMachine()
		var next []model.State
		for b.Loop() {
			if next = m.Step(m.Init(), 0, next[:0]); len(next) != 1 {
				b.Fatal("the step is refused")
			}
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			f.program.steps.Forget()
			if len(f.program.steps.Of(0, spec.Call{F: "add", Arg: int64(2)})) != 1 {
				b.Fatal("the step is refused")
			}
		}
	})
}

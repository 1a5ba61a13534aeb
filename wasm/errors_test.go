package wasm

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cbor"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/wasmspec"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stored writes a module to a file x.wasm.
func stored(t testing.TB, module []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.wasm")
	require.NoError(t, os.WriteFile(path, module, 0o644))
	return path
}

func parse(t testing.TB, text string) *history.History {
	t.Helper()
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

const add = `{"operations":[{"process":0,"f":"add","arg":2,"result":2,"call":0,"return":1}]}`

// outcome is the encoding of the only outcome of a step.
func outcome(result any, state string) string {
	return "\x81\x82" + string(cbor.Append(nil, result)) + string(rune(0x40+len(state))) + state
}

// TestAnswersThatAreNone: what a step may return wrongly, each with one line that names operation
// and state.
func TestAnswersThatAreNone(t *testing.T) {
	for data, want := range map[string]string{
		"": "step returned no bytes, which is no value: the value ends too early; step " +
			"returns a list of outcomes",
		"\x01": "step returned 0x01; step returns a list of outcomes, each a list of a result " +
			"and the bytes of the next state",
		"\x81\x01":                 "step returned 0x8101; step returns",
		"\x81\x81\x01":             "step returned 0x818101; step returns",
		"\x81\x82\x01\x02":         "step returned a state that is not a string of bytes: 0x81820102",
		"\x81\x82\x41\x01\x40":     "a result has bytes, or undefined, in it, which no history holds",
		"\x81\x82\x81\xf7\x40":     "a result has bytes, or undefined, in it, which no history holds",
		"\x81\x82\xfb":             "which is no value: a value starts with the byte 0xfb",
		"\x80\x00":                 "which is no value: 1 bytes follow the value",
		strings.Repeat("\x20", 60): "(60 bytes), which is no value",
	} {
		f := file(t, stored(t, answers(data).Bytes()))
		_, err := linsat.Check(context.Background(), f.Spec, parse(t, add))
		var fault *meta.Fault
		if assert.ErrorAs(t, err, &fault, "%x", data) {
			assert.Contains(t, err.Error(),
				"specification x fails on operation 0 (add 2 → 2) in state no bytes: x.wasm: step ", "%x", data)
			assert.Contains(t, err.Error(), want, "%x", data)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
	unknown := answers("")
	unknown.Funcs[2].Body = i64const(-1)
	_, err := linsat.Check(context.Background(), file(t, stored(t, unknown.Bytes())).Spec, parse(t, add))
	assert.ErrorContains(t, err,
		"specification x fails on operation 0 (add 2 → 2) in state no bytes: x.wasm: step knows no such operation")
	trap := answers("")
	trap.Funcs[1].Body = []byte{0x00}
	_, err = linsat.Check(context.Background(), file(t, stored(t, trap.Bytes())).Spec, parse(t, add))
	assert.ErrorContains(t, err, "x.wasm: init failed: unreachable")
}

// TestMissingResults: what a module returns must be stated, unless it is null. A result that is
// forgotten, or that never came, is not known.
func TestMissingResults(t *testing.T) {
	two, null := file(t, stored(t, answers(outcome(int64(2), "")).Bytes())),
		file(t, stored(t, answers(outcome(nil, "")).Bytes()))
	check := func(f *wasmspec.File, more string) (linsat.Result, error) {
		return linsat.Check(context.Background(), f.Spec,
			parse(t, `{"operations":[{"process":0,"f":"add","arg":3,"call":0`+more+`}]}`))
	}
	_, err := check(two, `,"return":1`)
	var bad *history.Error
	require.ErrorAs(t, err, &bad)
	assert.Contains(t, err.Error(), "add returned, but the history does not state its result, which may be 2 in x")
	for more, want := range map[string]linsat.Verdict{
		`,"return":1,"result":2`: linsat.Linearizable, `,"return":1,"forgotten":true`: linsat.Linearizable,
		``:                          linsat.Linearizable,
		`,"return":1,"result":null`: linsat.NotLinearizable,
	} {
		r, err := check(two, more)
		require.NoError(t, err, more)
		assert.Equal(t, want, r.Verdict, more)
	}
	forgotten := parse(t, `{"operations":[{"process":0,"f":"add","arg":3,"call":0,"return":1,"forgotten":true}]}`)
	assert.Equal(t, []string{"add"}, specs.NeverStated(model.Full(two.Spec), forgotten))
	assert.Empty(t, specs.NeverStated(model.Full(null.Spec), forgotten))
	r, err := check(null, `,"return":1`)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
}

// TestOtherFunctions: key, footprint, readonly, describe and about of hand-written modules.
func TestOtherFunctions(t *testing.T) {
	// the step returns its state, the number 2 with any result; data follows the outcome
	with := func(name, data string) *assembly.Module {
		step := "\x81\x82\xf7\x41\x02"
		m := answers(step + data)
		m.Funcs[2].Body = at(0, int64(len(step)))
		params := 2
		if name == "about" {
			params = 0
		}
		m.Funcs = append(m.Funcs, returns(name, params, at(int64(len(step)), int64(len(data)))))
		return m
	}
	encoded := func(v any) string { return string(cbor.Append(nil, v)) }
	verdict := func(m *assembly.Module, h string) (linsat.Result, error) {
		f := file(t, stored(t, m.Bytes()))
		return linsat.Check(context.Background(), f.Spec, parse(t, h))
	}
	for _, c := range []struct{ name, data, want string }{
		{"key", encoded(int64(7)), "x.wasm: key returned 7, which is neither the key of the operation nor"},
		{"key", encoded([]any{int64(2)}), "x.wasm: key returned [2], which is neither"},
		{"key", "\xf7", "x.wasm: key returned {}, which is neither"},
		{"key", "\x18", "x.wasm: key returned 0x18, which is no value"},
		{"footprint", encoded(int64(2)), "x.wasm: footprint returned 2: it returns a list of keys, or null"},
		{"footprint", encoded([]any{int64(3)}), "x.wasm: footprint returned 3, which is neither"},
	} {
		_, err := verdict(with(c.name, c.data), add)
		if assert.Error(t, err, c.want) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
	for _, c := range []struct {
		name, data string
	}{{"key", encoded(int64(2))}, {"footprint", encoded([]any{int64(2)})}, {"footprint", encoded(nil)},
		{"describe", encoded("two")}} {
		r, err := verdict(with(c.name, c.data), add)
		require.NoError(t, err, c.name)
		assert.Equal(t, linsat.Linearizable, r.Verdict, c.name)
	}
	for _, c := range []struct {
		about any
		want  string
	}{
		{int64(1), "about returned 0x01, which is not a map"},
		{map[string]any{"summary": int64(1)}, "about: summary is 1: it is a text"},
		{map[string]any{"processes": "yes"}, "about: processes is yes: it is true or false"},
		{map[string]any{"operations": []any{"a", int64(1)}},
			`about: operations is ["a",1]: it is a list of names, or a map`},
		{map[string]any{"operations": []any{"a", "A"}}, `specification x calls both a and A "A"`},
		{map[string]any{"classes": map[string]any{"c": []any{"a"}}}, "class c of specification x has no operation"},
		{map[string]any{"classes": []any{}}, "about: classes is []: it is a map"},
		{map[string]any{"samples": "put"}, "about: samples is put: it is a list of"},
		{map[string]any{"samples": []any{[]any{"put", int64(1), int64(2)}}},
			`about: samples has ["put",1,2]: it is a list of`},
		{map[string]any{"sample": []any{}},
			`about: it has "sample"; it may have summary, operations, classes, samples and processes`},
	} {
		_, err := wasmspec.Load(stored(t, with("about", encoded(c.about)).Bytes()), io.Discard)
		if assert.Error(t, err, c.want) {
			assert.Contains(t, err.Error(), "x.wasm: "+c.want)
		}
	}
	// names of operations, and who calls
	m := with("about", encoded(map[string]any{"operations": map[string]any{"add": []any{"plus"}}, "processes": true,
		"summary": "adds", "samples": []any{[]any{"add", int64(1)}, map[string]any{"f": "add", "process": "p",
			"key": "k"}}}))
	f := file(t, stored(t, m.Bytes()))
	_, err := linsat.Check(context.Background(), f.Spec, parse(t, strings.ReplaceAll(add, "add", "Plus")))
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), f.Spec, parse(t, strings.ReplaceAll(add, "add", "sub")))
	require.ErrorContains(t, err, "sub")
	calls, err := f.Calls()
	require.NoError(t, err)
	assert.Equal(t, []spec.Call{{F: "add", Arg: int64(1)}, {F: "add", Process: "p", Key: "k"}}, calls)
	samples, err := f.Samples(calls, 2)
	require.NoError(t, err)
	assert.Len(t, samples, 2)
}

// TestStatesAreShown: as values if they are, else as bytes.
func TestStatesAreShown(t *testing.T) {
	for state, want := range map[string]string{"\x02": "2", "\x61a": `"a"`, "\x02\x03": "0x0203", "": "no bytes",
		"\x41\x01": "0x4101"} {
		m := answers(outcome(int64(9), "") + state)
		m.Funcs[1].Body = at(int64(len(outcome(int64(9), ""))), int64(len(state)))
		m.Funcs[2].Body = i64const(-1)
		_, err := linsat.Check(context.Background(), file(t, stored(t, m.Bytes())).Spec, parse(t, add))
		assert.ErrorContains(t, err, "in state "+want+": ")
	}
}

// TestStatesThatCannotBeDescribed are shown as bytes, with the reason.
func TestStatesThatCannotBeDescribed(t *testing.T) {
	m := answers("\x02\x03")
	m.Funcs[1].Body, m.Funcs[2].Body = at(0, 2), i64const(-1)
	m.Funcs = append(m.Funcs, returns("describe", 2, []byte{0x00}))
	_, err := linsat.Check(context.Background(), file(t, stored(t, m.Bytes())).Spec, parse(t, add))
	assert.ErrorContains(t, err,
		"in state 0x0203 (x.wasm: describe failed: unreachable in function 3): x.wasm: step knows no such operation")
}

// TestInitialStates are those of the history; a module may refuse them.
func TestInitialStates(t *testing.T) {
	m := answers(outcome(int64(2), ""))
	m.Funcs[1].Body = i64const(-1)
	_, err := linsat.Check(context.Background(), file(t, stored(t, m.Bytes())).Spec,
		parse(t, `{"initial":[1,"a"],`+add[1:]))
	assert.ErrorContains(t, err, `init of x.wasm does not take [1,"a"]`)
	f := file(t, compile(t, examples+"queue.c"))
	r, err := linsat.Check(context.Background(), f.Spec,
		parse(t,
			`{"initial":[7,"a"],"operations":[{"process":0,"f":"deq","result":7,"call":0,"return":1},{"process":0,"f":"deq","result":"a","call":2,"return":3}]}`))
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
}

// TestPrintedTextsGoToTheWriter, with control characters escaped.
func TestPrintedTextsGoToTheWriter(t *testing.T) {
	m := answers("\x80hi\x1b[1m\n")
	prints(m, 7)
	m.Funcs[2].Body = cat(i32const(1), i32const(7), []byte{0x10, 0}, at(0, 1))
	var out bytes.Buffer
	f, err := wasmspec.Load(stored(t, m.Bytes()), &out)
	require.NoError(t, err)
	defer f.Close()
	_, err = linsat.Check(context.Background(), f.Spec, parse(t, add))
	require.NoError(t, err)
	assert.Equal(t, "x.wasm: hi\\x1b[1m\n", out.String())
}

// TestStepIsAskedOnce: repeated pairs of a state and an operation cost no call.
func TestStepIsAskedOnce(t *testing.T) {
	m := answers("\x81\x82\xf7\x41\x02")
	m.Imports = []assembly.Import{{From: "linsat", Name: "print", Params: []byte{tI32, tI32}}}
	m.Funcs[2].Body = cat(i32const(0), i32const(0), []byte{0x10, 0}, at(0, 5))
	var out bytes.Buffer
	f, err := wasmspec.Load(stored(t, m.Bytes()), &out)
	require.NoError(t, err)
	defer f.Close()
	b := history.NewBuilder()
	for i := range int64(3000) {
		_, err := b.Add(history.Record{Process: b.ProcessInt(0), F: b.Values.String("set"), Key: history.NoKey,
			Arg: b.Values.Int(i % 3), Result: history.Nil, Call: 2 * i, Return: 2*i + 1})
		require.NoError(t, err)
	}
	b.Process("p")
	h, err := b.Finish()
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), f.Spec, h)
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(out.String(), "x.wasm: \n"), 6, "two states, three operations")
}

// TestProgramsThatDoNotRunModules: none, another program, one that ends.
func TestProgramsThatDoNotRunModules(t *testing.T) {
	path := stored(t, answers("\x80").Bytes())
	named := os.Getenv("LINSAT_WASM")
	hint := func(err error) string {
		var wrong *history.Error
		require.ErrorAs(t, err, &wrong)
		return wrong.Hint
	}
	t.Setenv("LINSAT_WASM", "")
	t.Setenv("PATH", "")
	_, err := wasmspec.Load(path, io.Discard)
	require.ErrorContains(t, err, "x.wasm: the program linsat-wasm, which runs it, is not installed")
	assert.Contains(t, hint(err), "go install github.com/linsat/linsat/wasm/cmd/linsat-wasm@latest")
	t.Setenv("LINSAT_WASM", filepath.Join(t.TempDir(), "missing"))
	_, err = wasmspec.Load(path, io.Discard)
	require.ErrorContains(t, err, "missing, which runs it, does not start: ")
	t.Setenv("LINSAT_WASM", "/bin/echo")
	_, err = wasmspec.Load(path, io.Discard)
	require.ErrorContains(t, err, "/bin/echo is not a linsat-wasm that fits this linsat")
	t.Setenv("LINSAT_WASM", named)
	t.Setenv(dies, "1")
	f, err := wasmspec.Load(path, io.Discard)
	require.NoError(t, err)
	for range 2 { // and does not hang when it is asked again
		_, err = linsat.Check(context.Background(), f.Spec, parse(t, add))
		require.ErrorContains(t, err,
			"x.wasm: linsat-wasm, which runs it, ended during init: exit status 3: fatal error: out of memory")
	}
	require.NoError(t, f.Close())
	t.Setenv(dies, "")
	f, err = wasmspec.Load(path, io.Discard)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = linsat.Check(context.Background(), f.Spec, parse(t, add))
	require.ErrorContains(t, err, "it is closed")
	_, err = wasmspec.Load(filepath.Join(t.TempDir(), "missing.wasm"), io.Discard)
	require.ErrorIs(t, err, os.ErrNotExist)
}

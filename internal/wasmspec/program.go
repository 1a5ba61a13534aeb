package wasmspec

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cbor"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/wasmspec/wire"
	"github.com/linsat/linsat/spec"
)

// File is a specification read from a file.
type File struct {
	Spec   spec.Spec
	module *module
}

// module is a module that runs.
type module struct {
	*runner
	has   []string // functions
	about about
	steps *foreign.Steps

	mu     sync.RWMutex
	ids    map[string]foreign.State // by bytes
	states []string
}

// Load reads the module at path, and starts a program that runs it. What the module prints goes to
// out. The error, a *history.Error, says what is wrong with it.
func Load(path string, out io.Writer) (*File, error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file := filepath.Base(path)
	if len(binary) > wire.MostBytes {
		return nil, &history.Error{File: file, What: fmt.Sprintf("it has more than %d MiB", wire.MostBytes>>20)}
	}
	m := &module{ids: map[string]foreign.State{}}
	m.runner, m.has, err = start(file, binary, func(text string) {
		escape.Fprintf(out, "%s: %s\n", file, strings.TrimSuffix(text, "\n"))
	})
	if err != nil {
		return nil, err
	}
	s, err := m.define(strings.TrimSuffix(file, filepath.Ext(file)))
	if err != nil {
		_ = m.close()
		return nil, err
	}
	return &File{s, m}, nil
}

// Close ends the program that runs the module. It also ends by itself when this process does.
func (f *File) Close() error { return f.module.close() }

// Forget drops what is known of steps, so that the module is asked again.
func (f *File) Forget() { f.module.steps.Forget() }

func (m *module) define(name string) (spec.Spec, error) {
	if err := m.readAbout(); err != nil {
		return nil, err
	}
	d := spec.Definition[foreign.State]{Name: name, Summary: m.about.summary, Operations: m.about.operations,
		Classes: m.about.classes, ByProcess: m.about.processes, KeyIsPiece: true, Initial: "any"}
	m.steps = foreign.NewSteps(m.step)
	d.Step = func(s foreign.State, c spec.Call) []spec.Outcome[foreign.State] {
		return foreign.Defined(m.steps.Of(s, c))
	}
	d.Init = m.init
	d.Weigh = func(s foreign.State) int64 { return int64(len(m.known(s))) }
	d.Describe = m.describe
	if m.exports("readonly") {
		d.ReadOnly = m.readonly()
	}
	switch {
	case m.exports("key"):
		of := foreign.Once(m.key)
		foreign.ByKey(&d, m.steps, of)
		d.Pieces = func(c spec.Call) []any { return []any{of(c)} }
	case m.exports("footprint"):
		d.Pieces = foreign.Once(m.footprint)
	default: // the state is one, whichever keys operations have
		d.Pieces = func(spec.Call) []any { return nil }
	}
	s, err := spec.Define(d)
	if err != nil {
		return nil, m.wrong("%v", err)
	}
	return s, nil
}

func (m *module) exports(function string) bool { return slices.Contains(m.has, function) }

// wrong returns an error about the whole file.
func (m *module) wrong(format string, args ...any) error {
	return &history.Error{File: m.file, What: fmt.Sprintf(format, args...),
		Hint: "docs/own-specification.md says what a specification exports"}
}

// fail panics with what a function did wrong.
func (m *module) fail(function, format string, args ...any) {
	panic(foreign.Failed(fmt.Errorf("%s: %s %s", m.file, function, fmt.Sprintf(format, args...))))
}

// must calls a function of the module, and panics with a foreign.Failure if that fails.
func (m *module) must(function string, args ...[]byte) (answer []byte, none bool) {
	answer, none, err := m.call(function, args...)
	if err != nil {
		panic(foreign.Failed(err))
	}
	return answer, none
}

// value calls a function that returns a value, which has to return one.
func (m *module) value(function string, args ...[]byte) any {
	answer, none := m.must(function, args...)
	if none {
		m.fail(function, "returned no value")
	}
	v, err := cbor.Decode(answer)
	if err != nil {
		m.fail(function, "returned %s, which is no value: %v", brief(answer), err)
	}
	return v
}

// op returns a call as the module sees it.
func (m *module) op(c spec.Call) []byte {
	var process any
	if m.about.processes {
		process = c.Process
	}
	return cbor.Append(nil, []any{c.F, c.Arg, c.Key, process})
}

// intern returns the number of a state, a new one if it has none.
func (m *module) intern(bytes []byte) foreign.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.ids[string(bytes)]; ok {
		return s
	}
	s, text := foreign.State(len(m.states)), string(bytes)
	m.ids[text] = s
	m.states = append(m.states, text)
	return s
}

func (m *module) known(s foreign.State) []byte {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return []byte(m.states[s])
}

func (m *module) init(initial any) (foreign.State, error) {
	state, none := m.must("init", cbor.Append(nil, initial))
	if none {
		return 0, fmt.Errorf("init of %s does not take %s", m.file, text(initial))
	}
	return m.intern(state), nil
}

const wanted = "step returns a list of outcomes, each a list of a result and the bytes of the next state, and none " +
	"if the operation cannot take effect"

// step calls step of the module.
func (m *module) step(s foreign.State, c spec.Call) []foreign.Outcome {
	answer, none := m.must("step", m.known(s), m.op(c))
	if none {
		m.fail("step", "knows no such operation")
	}
	v, err := cbor.Decode(answer)
	if err != nil {
		m.fail("step", "returned %s, which is no value: %v; %s", brief(answer), err, wanted)
	}
	list, ok := v.([]any)
	if !ok {
		m.fail("step", "returned %s; %s", brief(answer), wanted)
	}
	outcomes := make([]foreign.Outcome, len(list))
	for i, e := range list {
		pair, _ := e.([]any)
		if len(pair) != 2 {
			m.fail("step", "returned %s; %s", brief(answer), wanted)
		}
		next, ok := pair[1].(cbor.Bytes)
		if !ok {
			m.fail("step", "returned a state that is not a string of bytes: %s; %s", brief(answer), wanted)
		}
		o := foreign.Outcome{Next: m.intern(next)}
		if _, o.Any = pair[0].(cbor.Undefined); !o.Any {
			if !plain(pair[0]) {
				m.fail("step", "returned %s: a result has bytes, or undefined, in it, which no history holds",
					brief(answer))
			}
			o.Result = pair[0]
		}
		outcomes[i] = o
	}
	return outcomes
}

// plain reports whether a history can hold a value.
func plain(v any) bool {
	switch v := v.(type) {
	case cbor.Bytes, cbor.Undefined:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !plain(e) })
	case map[string]any:
		for _, e := range v {
			if !plain(e) {
				return false
			}
		}
	}
	return true
}

func (m *module) readonly() func(c spec.Call, _ spec.Result) bool {
	once := foreign.Once(func(c spec.Call) bool {
		answer, _ := m.must("readonly", m.op(c))
		return len(answer) == 1 && answer[0] == 1
	})
	return func(c spec.Call, _ spec.Result) bool { return once(c) }
}

func (m *module) key(c spec.Call) any { return m.piece("key", m.value("key", m.op(c)), c) }

// footprint returns the keys that a call touches, none for all of them.
func (m *module) footprint(c spec.Call) []any {
	v := m.value("footprint", m.op(c))
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		m.fail("footprint", "returned %s: it returns a list of keys, or null for all of the state", shown(v))
	}
	for i := range list {
		list[i] = m.piece("footprint", list[i], c)
	}
	return list
}

// piece returns the name of a piece, which has to be one of the values that the operation has.
func (m *module) piece(function string, v any, c spec.Call) any {
	switch v.(type) {
	case bool, int64, string:
		if foreign.Names(c, v) {
			return v
		}
	}
	m.fail(function,
		"returned %s, which is neither the key of the operation nor a boolean, number or text in its argument",
		shown(v))
	return nil
}

// describe writes a state: as describe of the module has it, as a value if it is one, or its bytes.
func (m *module) describe(s foreign.State) string {
	state := m.known(s)
	if m.exports("describe") {
		var described any
		if err := foreign.Caught(func() { described = m.value("describe", state) }); err != nil {
			return fmt.Sprintf("%s (%v)", brief(state), err)
		}
		return shown(described)
	}
	if v, err := cbor.Decode(state); err == nil && plain(v) {
		return text(v)
	}
	return brief(state)
}

// shown writes a value, a text without quotes.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if !plain(v) {
		return fmt.Sprint(v)
	}
	return text(v)
}

// text writes a value of a history as JSON.
func text(v any) string {
	out, err := json.Marshal(v)
	if err != nil { // there are only values that JSON has
		panic(err)
	}
	return string(out)
}

// brief writes bytes for a message.
func brief(b []byte) string {
	if len(b) == 0 {
		return "no bytes"
	}
	if len(b) > shownBytes {
		return fmt.Sprintf("0x%s… (%d bytes)", hex.EncodeToString(b[:shownBytes]), len(b))
	}
	return "0x" + hex.EncodeToString(b)
}

package starspec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// anyResult is what ANY stands for: the result carries no information.
type anyResult struct{ starlark.NoneType }

func (anyResult) String() string { return "ANY" }
func (anyResult) Type() string   { return "ANY" }

// names are the global names of a file that mean something.
var names = []string{"init", "step", "key", "footprint", "describe", "readonly", "operations", "classes",
	"summary", "samples"}

// predeclared are the names that files have besides those of the language.
var predeclared = starlark.StringDict{"ANY": anyResult{}, "struct": starlark.NewBuiltin("struct", starlarkstruct.Make)}

// program is a file that was executed. Its values are frozen, so any number of threads may use
// them.
type program struct {
	file    string // as errors name it
	source  string
	tree    *syntax.File
	globals starlark.StringDict
	print   func(text string)

	mu     sync.RWMutex
	ids    map[string]foreign.State // by canonical text
	states []known

	steps     *foreign.Steps
	processes bool // the file looks at op.process
}

type known struct {
	value starlark.Value
	bytes int64
}

// File is a specification read from a file.
type File struct {
	Spec    spec.Spec
	program *program
}

// Load reads and executes the file at path. What the file prints, and its functions whenever they
// are called, goes to out. The error, a *history.Error, says where the file is wrong.
func Load(path string, out io.Writer) (*File, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(filepath.Base(path), source, out)
}

// parse executes the text of a file of that name.
func parse(file string, source []byte, out io.Writer) (*File, error) {
	var printing sync.Mutex
	p := &program{
		file: file, source: string(source), ids: map[string]foreign.State{}, processes: bytes.Contains(source,
			[]byte("process")),
		print: func(text string) {
			printing.Lock()
			defer printing.Unlock()
			escape.Fprintf(out, "%s: %s\n", file, text)
		},
	}
	options := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}
	tree, err := options.Parse(file, source, 0)
	if err != nil {
		return nil, p.located(err)
	}
	code, err := starlark.FileProgram(tree, predeclared.Has)
	if err != nil {
		return nil, p.located(err)
	}
	globals, err := code.Init(p.thread(), predeclared)
	if err != nil {
		return nil, p.located(err)
	}
	p.tree = tree
	if err := p.comparedTypes(); err != nil {
		return nil, err
	}
	globals.Freeze()
	p.globals = globals
	d, err := p.definition()
	if err != nil {
		return nil, err
	}
	s, err := spec.Define(*d)
	if err != nil {
		return nil, p.wrong("%v", err)
	}
	return &File{s, p}, nil
}

// thread returns a thread of the interpreter, bounded in steps.
func (p *program) thread() *starlark.Thread {
	t := &starlark.Thread{Name: p.file, Print: func(_ *starlark.Thread, text string) { p.print(text) }}
	t.Load = func(*starlark.Thread, string) (starlark.StringDict, error) {
		return nil, errors.New("a specification is one file, without load")
	}
	t.SetMaxExecutionSteps(maxSteps)
	t.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(fmt.Sprintf("it did not end within %d steps", maxSteps)) }
	return t
}

// wrong returns an error about the whole file.
func (p *program) wrong(format string, args ...any) error {
	return &history.Error{File: p.file, What: fmt.Sprintf(format, args...),
		Hint: "docs/own-specification.md says what a specification defines"}
}

// located returns an error of the interpreter with the place in the file.
func (p *program) located(err error) error {
	var eval *starlark.EvalError
	var syntaxError syntax.Error
	var names resolve.ErrorList
	switch {
	case errors.As(err, &eval):
		where, in := p.file, ""
		for i := range eval.CallStack {
			if f := eval.CallStack.At(i); f.Pos.Filename() == p.file {
				where, in = f.Pos.String(), f.Name
				break
			}
		}
		what := strings.TrimPrefix(eval.Msg, "Starlark computation cancelled: ")
		if in != "" && in != "<toplevel>" {
			what = "in " + in + ": " + what
		}
		return fmt.Errorf("%s: %s", where, failedAsPython(what))
	case errors.As(err, &syntaxError):
		return fmt.Errorf("%s: %s", syntaxError.Pos, inPython(syntaxError.Msg, p.line(syntaxError.Pos)))
	case errors.As(err, &names):
		return fmt.Errorf("%s: %s", names[0].Pos, inPython(names[0].Msg, p.line(names[0].Pos)))
	}
	return err
}

// line returns a line of the file.
func (p *program) line(at syntax.Position) string {
	lines := strings.Split(p.source, "\n")
	if at.Line < 1 || int(at.Line) > len(lines) {
		return ""
	}
	return lines[at.Line-1]
}

// function returns the global function of that name, nil if there is none.
func (p *program) function(name string, params int) (*starlark.Function, error) {
	v, ok := p.globals[name]
	if !ok {
		return nil, nil
	}
	f, ok := v.(*starlark.Function)
	if !ok {
		return nil, p.wrong("%s is a %s, not a function", name, v.Type())
	}
	if f.NumParams() != params {
		return nil, p.wrong("%s takes %d parameters, not %d: %s", name, f.NumParams(), params, signatures[name])
	}
	return f, nil
}

var signatures = map[string]string{
	"init": "init = STATE, or def init(given)", "step": "def step(state, op)", "key": "def key(op)",
	"footprint": "def footprint(op)",
	"describe":  "def describe(state)", "readonly": "def readonly(op)",
}

// definition returns what the file defines.
func (p *program) definition() (*spec.Definition[foreign.State], error) {
	if err := p.misspelt(); err != nil {
		return nil, err
	}
	d := &spec.Definition[foreign.State]{Name: strings.TrimSuffix(p.file, filepath.Ext(p.file)), KeyIsPiece: true,
		ByProcess: p.processes, Initial: "any"}
	step, err := p.function("step", 2)
	if err != nil {
		return nil, err
	}
	if step == nil {
		return nil, p.wrong("it defines no step: def step(state, op) returns what an operation may do")
	}
	p.steps = foreign.NewSteps(p.ask(step))
	d.Step = func(s foreign.State, c spec.Call) []spec.Outcome[foreign.State] {
		return foreign.Defined(p.steps.Of(s, c))
	}
	if d.Init, err = p.init(); err != nil {
		return nil, err
	}
	d.Weigh = func(s foreign.State) int64 { return p.known(s).bytes }
	describe, err := p.function("describe", 1)
	if err != nil {
		return nil, err
	}
	d.Describe = func(s foreign.State) string {
		v := p.known(s).value
		if describe != nil {
			v = p.call(describe, v)
		}
		if text, ok := starlark.AsString(v); ok && describe != nil {
			return text
		}
		return v.String()
	}
	if err := p.pieces(d); err != nil {
		return nil, err
	}
	seen := newLooks(p, step)
	of := foreign.Once(seen.of)
	d.ReadOnly = func(c spec.Call, _ spec.Result) bool { return of(c).readOnly }
	if p.globals["key"] == nil && p.globals["footprint"] == nil && seen.dict {
		d.Pieces = func(c spec.Call) []any { return of(c).pieces() }
	}
	if f, err := p.function("readonly", 1); err != nil {
		return nil, err
	} else if f != nil {
		d.ReadOnly = func(c spec.Call, _ spec.Result) bool { return bool(p.call(f, p.op(c)).Truth()) }
	}
	if d.Summary, err = p.text("summary"); err != nil {
		return nil, err
	}
	if d.Operations, err = p.operations(); err != nil {
		return nil, err
	}
	d.Classes, err = p.classes()
	return d, err
}

// misspelt refuses a file with a global name that is nearly one that means something.
func (p *program) misspelt() error {
	for _, name := range slices.Sorted(maps.Keys(p.globals)) {
		for _, meant := range names {
			if name != meant && p.globals[meant] == nil && strings.EqualFold(strings.ReplaceAll(name, "_", ""), meant) {
				return p.wrong("it defines %s: did you mean %s?", name, meant)
			}
		}
	}
	return nil
}

// init returns how the initial state is made: by a function of the one that the history states, or
// a value for histories that state none.
func (p *program) init() (func(initial any) (foreign.State, error), error) {
	v, ok := p.globals["init"]
	if !ok {
		return nil, p.wrong("it defines no init: the initial state, or def init(given)")
	}
	if _, is := v.(*starlark.Function); is {
		f, err := p.function("init", 1)
		return func(initial any) (foreign.State, error) { return p.intern(p.call(f, toStarlark(initial))) }, err
	}
	first, err := p.intern(v)
	if err != nil {
		return nil, p.wrong("init: %v", err)
	}
	return func(initial any) (foreign.State, error) {
		if initial != nil {
			return 0, fmt.Errorf("%s has an init that takes none: write def init(given)", p.file)
		}
		return first, nil
	}, nil
}

// pieces sets what key or footprint says of an operation.
func (p *program) pieces(d *spec.Definition[foreign.State]) error {
	key, err := p.function("key", 1)
	if err != nil {
		return err
	}
	footprint, err := p.function("footprint", 1)
	switch {
	case err != nil:
		return err
	case key != nil && footprint != nil:
		return p.wrong(
			"it defines both key and footprint: key is for operations on one object each, footprint for several")
	case key != nil:
		of := foreign.Once(func(c spec.Call) any { return p.piece("key", p.call(key, p.op(c)), c) })
		foreign.ByKey(d, p.steps, of)
		d.Pieces = func(c spec.Call) []any { return []any{of(c)} }
		return nil
	case footprint == nil: // the state is one, whichever keys operations have
		d.Pieces = func(spec.Call) []any { return nil }
		return nil
	}
	d.Pieces = func(c spec.Call) []any {
		v := p.call(footprint, p.op(c))
		if v == starlark.None {
			return nil
		}
		list, ok := v.(starlark.Indexable)
		if _, isText := v.(starlark.String); !ok || isText {
			panic(foreign.Failed(
				fmt.Errorf("%s: footprint returned %s: it returns a list of keys, or None for all of the state",
					p.file, brief(v))))
		}
		var pieces []any
		for i := range list.Len() {
			pieces = append(pieces, p.piece("footprint", list.Index(i), c))
		}
		return pieces
	}
	return nil
}

// piece returns the name of a piece. It panics if that is none of the values that the operation
// has: the history would not know it.
func (p *program) piece(function string, v starlark.Value, c spec.Call) any {
	piece, err := fromStarlark(v, 1)
	if err == nil && foreign.Names(c, piece) {
		return piece
	}
	panic(foreign.Failed(fmt.Errorf("%s: %s returned %s, which is neither op.key nor in op.arg", p.file, function, v)))
}

func (p *program) text(name string) (string, error) {
	v, ok := p.globals[name]
	if !ok {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return "", p.wrong("%s is a %s, not a string", name, v.Type())
	}
	return text, nil
}

// operations returns the operations that the file lists: names, or a dict from names to lists of
// other names.
func (p *program) operations() ([]model.Operation, error) {
	lists, err := p.lists("operations", true)
	var out []model.Operation
	for _, l := range lists {
		out = append(out, model.Operation{Name: l.name, Aliases: l.members})
	}
	return out, err
}

// classes returns the classes for quasi-linearizability: a dict from names to lists of operations.
func (p *program) classes() ([]model.Class, error) {
	lists, err := p.lists("classes", false)
	var out []model.Class
	for _, l := range lists {
		out = append(out, model.Class{Name: l.name, Operations: l.members, Relaxable: true})
	}
	return out, err
}

type named struct {
	name    string
	members []string
}

// lists reads a global dict from strings to lists of strings, or, if bare, a list of strings.
func (p *program) lists(global string, bare bool) ([]named, error) {
	v, ok := p.globals[global]
	if !ok {
		return nil, nil
	}
	decoded, err := fromStarlark(v, maxDepth)
	if err != nil {
		return nil, p.wrong("%s: %v", global, err)
	}
	texts := func(v any) (out []string, ok bool) {
		list, ok := v.([]any)
		for _, e := range list {
			text, is := e.(string)
			out, ok = append(out, text), ok && is
		}
		return out, ok
	}
	if plain, ok := texts(decoded); ok && bare {
		var out []named
		for _, name := range plain {
			out = append(out, named{name: name})
		}
		return out, nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, p.wrong("%s is a %s, not a dict from names to lists of names", global, v.Type())
	}
	var out []named
	for _, item := range d.Items() {
		name, isText := starlark.AsString(item[0])
		members, areTexts := texts(decoded.(map[string]any)[name])
		if !isText || !areTexts {
			return nil, p.wrong("%s: %s has no list of names", global, item[0])
		}
		out = append(out, named{name, members})
	}
	return out, nil
}

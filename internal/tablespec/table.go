package tablespec

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/similar"
	"github.com/linsat/linsat/spec"
)

// File is a specification read from a file.
type File struct {
	Spec  spec.Spec
	table *table
}

// Sample is an operation of the table, with the results that it may give in some state.
type Sample struct {
	Call    spec.Call
	Results []any
	More    bool // any other result is allowed as well, in some state
}

// table is what a file says.
type table struct {
	name, summary string
	states        []string
	number        map[string]state
	initial       state
	operations    []operation
	byCall        map[string]map[any]int // f, and the argument → its operation
}

// state is the place of a state in the file.
type state int32

// operation is a row: what a call may do in each state, nothing where it is not allowed.
type operation struct {
	f   string
	arg any
	in  [][]outcome
}

type outcome struct {
	result any
	any    bool // whatever the result
	next   state
}

// Load reads the table in a file. The error, a *history.Error, says where the file is wrong.
func Load(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(filepath.Base(path), text)
}

const form = `{"states": ["off", "on"], "operations": [{"f": "press", "in": {"off": "on", "on": "off"}}]}`

func parse(file string, text []byte) (*File, error) {
	root, err := read(file, text)
	if err != nil {
		return nil, err
	}
	t := &table{name: strings.TrimSuffix(file, filepath.Ext(file)), number: map[string]state{},
		byCall: map[string]map[any]int{}}
	if err := t.fill(root); err != nil {
		return nil, err
	}
	s, err := spec.Define(t.definition())
	if err != nil {
		return nil, &history.Error{File: file, What: err.Error()}
	}
	return &File{s, t}, nil
}

// entries returns the fields of an object by name, and refuses names that mean nothing.
func entries(n *node, what string, names ...string) (map[string]*node, error) {
	fields, ok := n.value.([]field)
	if !ok {
		return nil, n.wrong(form, "%s is not an object", what)
	}
	all := map[string]*node{}
	for _, f := range fields {
		if !slices.Contains(names, f.name) {
			hint := "it may have " + strings.Join(names, ", ")
			if near := similar.Nearest(f.name, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return nil, n.source.wrong(f.line, hint, "%s has no field %q", what, f.name)
		}
		all[f.name] = f.value
	}
	return all, nil
}

func (n *node) asText(what string) (string, error) {
	if s, ok := n.value.(string); ok && s != "" {
		return s, nil
	}
	return "", n.wrong("", "%s is not a text", what)
}

func (t *table) fill(root *node) error {
	all, err := entries(root, "a table", "name", "summary", "states", "initial", "operations")
	if err != nil {
		return err
	}
	for _, field := range []struct {
		name string
		to   *string
	}{{"name", &t.name}, {"summary", &t.summary}} {
		if n := all[field.name]; n != nil {
			if *field.to, err = n.asText(`"` + field.name + `"`); err != nil {
				return err
			}
		}
	}
	if err := t.fillStates(root, all["states"]); err != nil {
		return err
	}
	if n := all["initial"]; n != nil {
		if t.initial, err = t.stateOf(n, `"initial"`); err != nil {
			return err
		}
	}
	n := all["operations"]
	if n == nil {
		return root.wrong(form, `a table without "operations"`)
	}
	rows, ok := n.value.([]*node)
	if !ok || len(rows) == 0 {
		return n.wrong(form, `"operations" is not a list of operations`)
	}
	for _, row := range rows {
		if err := t.fillOperation(row); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) fillStates(root, n *node) error {
	if n == nil {
		return root.wrong(form, `a table without "states"`)
	}
	list, ok := n.value.([]*node)
	if !ok || len(list) == 0 {
		return n.wrong(form, `"states" is not a list of names`)
	}
	for _, e := range list {
		name, err := e.asText("a state")
		if err != nil {
			return err
		}
		if _, twice := t.number[name]; twice {
			return e.wrong("", "the state %q stands here twice", name)
		}
		t.number[name] = state(len(t.states))
		t.states = append(t.states, name)
	}
	return nil
}

// stateOf is the state that a value names.
func (t *table) stateOf(n *node, what string) (state, error) {
	name, err := n.asText(what)
	if err != nil {
		return 0, err
	}
	return t.named(n.source, n.line, name)
}

func (t *table) named(r *reader, line int, name string) (state, error) {
	if s, ok := t.number[name]; ok {
		return s, nil
	}
	hint := "the states are " + listed(t.states)
	if near := similar.Nearest(name, t.states); near != "" {
		hint = "did you mean " + near + "?"
	}
	return 0, r.wrong(line, hint, "there is no state %q", name)
}

// listed names some of many.
func listed(names []string) string {
	if len(names) > mostListed {
		return strings.Join(names[:mostListed], ", ") + fmt.Sprintf(" and %d more", len(names)-mostListed)
	}
	return strings.Join(names, ", ")
}

func (t *table) fillOperation(row *node) error {
	all, err := entries(row, "an operation", "f", "arg", "in")
	if err != nil {
		return err
	}
	var o operation
	if all["f"] == nil || all["in"] == nil {
		return row.wrong(form, `an operation without "f" or "in"`)
	}
	if o.f, err = all["f"].asText(`"f"`); err != nil {
		return err
	}
	if n := all["arg"]; n != nil {
		o.arg = n.plain()
	}
	if t.byCall[o.f] == nil {
		t.byCall[o.f] = map[any]int{}
	}
	if _, twice := t.byCall[o.f][comparableOf(o.arg)]; twice {
		return row.wrong("one row says what it does in all states", "the operation %s %s stands here twice",
			o.f, text(o.arg))
	}
	t.byCall[o.f][comparableOf(o.arg)] = len(t.operations)
	cells, ok := all["in"].value.([]field)
	if !ok {
		return all["in"].wrong(`"in": {"off": "on"}: a press in state off leaves on`,
			`"in" is not an object with states as names`)
	}
	o.in = make([][]outcome, len(t.states))
	for _, cell := range cells {
		s, err := t.named(row.source, cell.line, cell.name)
		if err != nil {
			return err
		}
		if o.in[s], err = t.cell(cell.value, s); err != nil {
			return err
		}
	}
	t.operations = append(t.operations, o)
	return nil
}

// cell reads what an operation may do in state s: one outcome, or a list of them.
func (t *table) cell(n *node, s state) ([]outcome, error) {
	list, ok := n.value.([]*node)
	if !ok {
		list = []*node{n}
	}
	var all []outcome
	for _, e := range list {
		o := outcome{any: true, next: s}
		switch e.value.(type) {
		case string:
			next, err := t.stateOf(e, "a state")
			if err != nil {
				return nil, err
			}
			o.next = next
		case []field:
			parts, err := entries(e, "an outcome", "result", "next")
			if err != nil {
				return nil, err
			}
			if r := parts["result"]; r != nil {
				o.result, o.any = r.plain(), false
			}
			if n := parts["next"]; n != nil {
				if o.next, err = t.stateOf(n, `"next"`); err != nil {
					return nil, err
				}
			}
		default:
			return nil, e.wrong(`an outcome is the next state, or {"result": 5, "next": "on"}; several are a list`,
				"%s is not an outcome", text(e.plain()))
		}
		all = append(all, o)
	}
	return all, nil
}

// definition is the table as steps between numbers.
func (t *table) definition() spec.Definition[state] {
	d := spec.Definition[state]{Name: t.name, Summary: t.summary, Initial: "one of " + listed(t.states)}
	for _, o := range t.operations {
		if !slices.ContainsFunc(d.Operations, func(x model.Operation) bool { return x.Name == o.f }) {
			d.Operations = append(d.Operations, model.Operation{Name: o.f})
		}
	}
	d.Init = func(initial any) (state, error) {
		if initial == nil {
			return t.initial, nil
		}
		name, is := initial.(string)
		if !is {
			name = text(initial)
		}
		if s, ok := t.number[name]; ok {
			return s, nil
		}
		return 0, fmt.Errorf("there is no state %s: the states are %s", name, listed(t.states))
	}
	d.Check = func(c spec.Call, _ spec.Result) error {
		if t.find(c) == nil {
			return fmt.Errorf("the table has no %s with the argument %s", c.F, text(c.Arg))
		}
		return nil
	}
	d.Step = func(s state, c spec.Call) []spec.Outcome[state] {
		o := t.find(c)
		out := make([]spec.Outcome[state], len(o.in[s]))
		for i, x := range o.in[s] {
			if out[i].Next, out[i].AnyOutput = x.next, x.any; !x.any {
				out[i].Output = x.result
			}
		}
		return out
	}
	d.ReadOnly = func(c spec.Call, r spec.Result) bool {
		_, known := r.Known()
		for s, cell := range t.find(c).in {
			for _, x := range cell {
				if x.next != state(s) && (x.any || !known || r.Is(x.result)) {
					return false
				}
			}
		}
		return true
	}
	d.Describe = func(s state) string { return t.states[s] }
	return d
}

// find returns the row of a call, nil if there is none.
func (t *table) find(c spec.Call) *operation {
	if i, ok := t.byCall[c.F][comparableOf(c.Arg)]; ok {
		return &t.operations[i]
	}
	return nil
}

// Samples are the operations of the table.
func (f *File) Samples() []Sample {
	samples := make([]Sample, len(f.table.operations))
	for i, o := range f.table.operations {
		samples[i].Call = spec.Call{F: o.f, Arg: o.arg}
		seen := map[any]bool{}
		for _, x := range slices.Concat(o.in...) {
			switch {
			case x.any:
				samples[i].More = true
			case !seen[comparableOf(x.result)]:
				seen[comparableOf(x.result)] = true
				samples[i].Results = append(samples[i].Results, x.result)
			}
		}
	}
	return samples
}

// Initials are the states, each of which a history may start from.
func (f *File) Initials() []any {
	all := make([]any, min(len(f.table.states), sampledInitials))
	for i := range all {
		all[i] = f.table.states[i]
	}
	return all
}

package wasmspec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/linsat/linsat/internal/cbor"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec"
)

// about is what a module says of itself.
type about struct {
	summary    string
	operations []model.Operation
	classes    []model.Class
	samples    []spec.Call
	processes  bool // it looks at the process of an operation
}

// readAbout asks the module, if it exports about.
func (m *module) readAbout() error {
	if !m.exports("about") {
		return nil
	}
	answer, none, err := m.call("about")
	if err != nil {
		return m.wrong("%v", err)
	}
	v, err := cbor.Decode(answer)
	all, ok := v.(map[string]any)
	if none || err != nil || !ok {
		return m.wrong("about returned %s, which is not a map", brief(answer))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := m.about.set(name, all[name]); err != nil {
			return m.wrong("about: %v", err)
		}
	}
	return nil
}

// set reads an entry of about.
func (a *about) set(name string, v any) (err error) {
	ok := true
	switch name {
	case "summary":
		a.summary, ok = v.(string)
	case "processes":
		a.processes, ok = v.(bool)
	case "operations":
		if plain, is := texts(v); is {
			for _, f := range plain {
				a.operations = append(a.operations, model.Operation{Name: f})
			}
			return nil
		}
		ok = lists(v, func(f string, others []string) {
			a.operations = append(a.operations, model.Operation{Name: f, Aliases: others})
		})
	case "classes":
		ok = lists(v, func(class string, operations []string) {
			a.classes = append(a.classes, model.Class{Name: class, Operations: operations, Relaxable: true})
		})
	case "samples":
		a.samples, err = calls(v)
	default:
		return fmt.Errorf("it has %q; it may have summary, operations, classes, samples and processes", name)
	}
	if !ok {
		return fmt.Errorf("%s is %s: %s", name, shown(v), forms[name])
	}
	return err
}

var forms = map[string]string{
	"summary": "it is a text", "processes": "it is true or false",
	"classes":    "it is a map from names to lists of operations",
	"operations": "it is a list of names, or a map from names to lists of other names",
	"samples":    `it is a list of ["put", 1], ["take"] or {"f": "get", "key": "x", "process": "a"}`,
}

func texts(v any) (out []string, ok bool) {
	list, ok := v.([]any)
	for _, e := range list {
		s, is := e.(string)
		out, ok = append(out, s), ok && is
	}
	return out, ok
}

// lists reads a map from names to lists of names, in the order of the names.
func lists(v any, add func(name string, members []string)) bool {
	m, ok := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		members, is := texts(m[name])
		add(name, members)
		ok = ok && is
	}
	return ok
}

// calls reads samples.
func calls(v any) ([]spec.Call, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("samples is %s: %s", shown(v), forms["samples"])
	}
	var all []spec.Call
	for _, e := range list {
		var c spec.Call
		named, process := false, true
		switch e := e.(type) {
		case []any:
			if len(e) == 1 || len(e) == 2 {
				c.F, named = e[0].(string)
				c.Arg = append(e, nil)[1]
			}
		case map[string]any:
			c.F, named = e["f"].(string)
			c.Key, c.Arg = e["key"], e["arg"]
			c.Process, process = foreign.Process(e["process"])
		}
		if !named || !process || !plain(c.Arg) || !plain(c.Key) {
			return nil, fmt.Errorf("samples has %s: %s", shown(e), forms["samples"])
		}
		all = append(all, c)
	}
	return all, nil
}

// Calls returns the calls that the module gives as samples.
func (f *File) Calls() ([]spec.Call, error) { return f.module.about.samples, nil }

// ByProcess reports whether the module looks at who calls.
func (f *File) ByProcess() bool { return f.module.about.processes }

// Samples returns the calls with their results in the states that at most so many of them lead to.
// The error is that of a function of the module that fails.
func (f *File) Samples(calls []spec.Call, depth int) ([]foreign.Sample, error) {
	var first foreign.State
	var wrong error
	if err := foreign.Caught(func() { first, wrong = f.module.init(nil) }); err != nil {
		return nil, err
	}
	if wrong != nil {
		return nil, wrong
	}
	return foreign.Samples(calls, f.module.steps, first, depth)
}

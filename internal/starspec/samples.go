package starspec

import (
	"errors"

	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/spec"
	"go.starlark.net/starlark"
)

// Calls returns the calls that the file gives as samples: a list of ("f", arg), ("f",) or dicts
// with f, key, arg and process, which is a string or an integer.
func (f *File) Calls() ([]spec.Call, error) {
	p := f.program
	v, ok := p.globals["samples"]
	if !ok {
		return nil, nil
	}
	const form = `samples is a list of ("put", 1), ("take",) or {"f": "get", "key": "x", "process": "a"}`
	list, ok := v.(*starlark.List)
	if !ok {
		return nil, p.wrong("%s", form)
	}
	var calls []spec.Call
	for i := range list.Len() {
		decoded, err := fromStarlark(list.Index(i), maxDepth)
		if err != nil {
			return nil, p.wrong("samples: %v", err)
		}
		var c spec.Call
		named, process := false, true
		switch d := decoded.(type) {
		case []any:
			if len(d) == 1 || len(d) == 2 {
				c.F, named = d[0].(string)
				c.Arg = append(d, nil)[1]
			}
		case map[string]any:
			c.F, named = d["f"].(string)
			c.Key, c.Arg = d["key"], d["arg"]
			c.Process, process = foreign.Process(d["process"])
		}
		if !named || !process {
			return nil, p.wrong("samples: %s: %s", brief(list.Index(i)), form)
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// Samples returns the calls with their results in the states that at most so many of them lead to.
// The error is that of a function of the file that fails.
func (f *File) Samples(calls []spec.Call, depth int) ([]foreign.Sample, error) {
	init, err := f.program.init()
	if err != nil {
		return nil, err
	}
	var first foreign.State
	var wrong error
	if err := foreign.Caught(func() { first, wrong = init(nil) }); err != nil || wrong != nil {
		return nil, errors.Join(err, wrong)
	}
	return foreign.Samples(calls, f.program.steps, first, depth)
}

// ByProcess reports whether the file looks at who calls.
func (f *File) ByProcess() bool { return f.program.processes }

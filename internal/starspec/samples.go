package starspec

import (
	"slices"

	"github.com/linsat/linsat/spec"
	"go.starlark.net/starlark"
)

// Sample is a call with the results that it gives in the states that some calls lead to.
type Sample struct {
	Call    spec.Call
	Results []any // nil where ANY is allowed
	More    bool  // there may be further results
}

// Calls returns the calls that the file gives as samples: a list of ("f", arg), ("f",) or dicts
// with f, key, arg and process.
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
		named := false
		switch d := decoded.(type) {
		case []any:
			if len(d) == 1 || len(d) == 2 {
				c.F, named = d[0].(string)
				c.Arg = append(d, nil)[1]
			}
		case map[string]any:
			c.F, named = d["f"].(string)
			c.Key, c.Arg = d["key"], d["arg"]
			c.Process, _ = d["process"].(string)
		}
		if !named {
			return nil, p.wrong("samples: %s: %s", brief(list.Index(i)), form)
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// Samples returns the calls with their results in the states that at most so many of them lead to.
// The error is that of a function of the file that fails.
func (f *File) Samples(calls []spec.Call, depth int) (_ []Sample, err error) {
	defer func() {
		if v := recover(); v != nil {
			failed, ok := v.(failure)
			if !ok {
				panic(v)
			}
			err = failed.error
		}
	}()
	p := f.program
	init, err := p.init()
	if err != nil {
		return nil, err
	}
	function, err := p.function("step", 2)
	if err != nil {
		return nil, err
	}
	step := p.stepper(function)
	first, err := init(nil)
	if err != nil {
		return nil, err
	}
	samples := make([]Sample, len(calls))
	seen := map[state]bool{first: true}
	frontier := []state{first}
	for range depth {
		var next []state
		for _, s := range frontier {
			for i, c := range calls {
				samples[i].Call = c
				for _, o := range step(s, c) {
					if samples[i].add(o.result); !seen[o.next] && len(seen) < sampledStates {
						seen[o.next] = true
						next = append(next, o.next)
					}
				}
			}
		}
		frontier = next
	}
	return samples, nil
}

// add notes a result.
func (s *Sample) add(result any) {
	same := func(r any) bool { return sameResult(r, result) }
	switch {
	case slices.ContainsFunc(s.Results, same):
	case len(s.Results) < sampledResults:
		s.Results = append(s.Results, result)
	}
	s.More = true
}

func sameResult(a, b any) bool {
	_, x, errA := canonical(toStarlark(a), maxDepth)
	_, y, errB := canonical(toStarlark(b), maxDepth)
	return errA == nil && errB == nil && string(x) == string(y)
}

package starspec

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// method is an attribute of a value that is not all known.
type method struct {
	of   any
	name string
}

// changing are the methods that change what they are called on.
var changing = map[string]bool{"append": true, "extend": true, "insert": true, "pop": true, "remove": true,
	"clear": true, "update": true,
	"setdefault": true, "popitem": true, "add": true, "discard": true}

// calculating are the functions whose result depends on the arguments alone.
var calculating = map[string]bool{"len": true, "sorted": true, "min": true, "max": true, "any": true, "all": true,
	"list": true, "tuple": true, "dict": true,
	"set": true, "reversed": true, "enumerate": true, "zip": true, "range": true, "str": true, "repr": true,
	"int": true, "bool": true, "abs": true, "hash": true,
	"type": true, "float": true, "ord": true, "chr": true, "struct": true, "bytes": true}

func (r *run) attribute(x any, name string) any {
	if v, ok := x.(starlark.HasAttrs); ok {
		switch v.(type) {
		case *starlark.List, *starlark.Dict, *starlark.Set:
			return &method{v, name}
		}
		a, err := v.Attr(name)
		if err != nil || a == nil {
			panic(failed{})
		}
		return a
	}
	switch x := x.(type) {
	case starlark.Value:
		panic(failed{})
	case *state:
		if x.dict {
			return &method{x, name}
		}
		r.read.all = true
		return &method{unknown{}, name}
	}
	return &method{x, name}
}

func (r *run) call(x *syntax.CallExpr, local *scope) any {
	f := r.eval(x.Fn, local)
	var args []any
	var names []string
	var named []any
	for _, a := range x.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			names, named = append(names, b.X.(*syntax.Ident).Name), append(named, r.eval(b.Y, local))
			continue
		}
		if u, ok := a.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			panic(gaveUp{})
		}
		args = append(args, r.eval(a, local))
	}
	switch f := f.(type) {
	case *starlark.Function:
		if r.definition(f) != nil && len(named) == 0 {
			return r.function(f, args)
		}
		panic(gaveUp{})
	case *lambda:
		if len(named) == 0 {
			return r.applied(f, args)
		}
		panic(gaveUp{})
	case *method:
		return r.onMethod(f, args, named)
	case *starlark.Builtin:
		return r.builtin(f, args, names, named)
	case unknown:
		panic(gaveUp{}) // of the state or the operation, which hold no functions
	}
	panic(gaveUp{})
}

// applied calls a function without a name.
func (r *run) applied(l *lambda, args []any) any {
	if r.nested++; len(args) != len(l.params) || r.nested > maxDepth {
		panic(gaveUp{})
	}
	defer func() { r.nested-- }()
	s := &scope{of: map[string]any{}, outer: l.in}
	for i, name := range l.params {
		s.of[name] = args[i]
	}
	return l.body(s)
}

// builtin calls a function of the language, or a method of a value that cannot change.
func (r *run) builtin(f *starlark.Builtin, args []any, names []string, named []any) any {
	if f.Name() == "print" && f.Receiver() == nil {
		for _, a := range args {
			r.absorb(a)
		}
		return starlark.None
	}
	if f.Name() == "dict" && f.Receiver() == nil && len(args) == 1 {
		if s, ok := args[0].(*state); ok && s.dict {
			out := r.copied(s, nil)
			for i, name := range names {
				r.put(out, starlark.String(name), named[i], false)
			}
			return out
		}
		if d, ok := args[0].(*entries); ok && len(named) == 0 {
			return r.binary(syntax.PIPE, d, &entries{})
		}
	}
	if f.Name() == "list" && f.Receiver() == nil && len(args) == 1 {
		elems, known := r.elements(args[0])
		return &sequence{elems: elems, vague: !known, born: r.vague}
	}
	plain, ok := make(starlark.Tuple, len(args)), true
	for i, a := range args {
		if plain[i], ok = r.known(a); !ok {
			break
		}
	}
	var keywords []starlark.Tuple
	for i, a := range named {
		v, known := r.known(a)
		if _, isFunction := v.(*starlark.Function); !known || isFunction {
			ok = false
			break
		}
		keywords = append(keywords, starlark.Tuple{starlark.String(names[i]), v})
	}
	if ok {
		return exact(starlark.Call(r.p.thread(), f, plain, keywords))
	}
	if f.Receiver() == nil && !calculating[f.Name()] {
		panic(gaveUp{})
	}
	r.guess(args...)
	r.guess(named...)
	switch f.Name() {
	case "sorted", "reversed", "enumerate", "zip":
		return &sequence{vague: true, born: r.vague}
	}
	return unknown{}
}

// onMethod calls a method.
func (r *run) onMethod(m *method, args, named []any) any {
	if len(named) > 0 {
		panic(gaveUp{})
	}
	switch x := m.of.(type) {
	case *state:
		return r.onState(x, m.name, args)
	case *entries:
		return r.onEntries(x, m.name, args)
	case *sequence:
		if m.name == "append" && len(args) == 1 && !x.tuple {
			r.change(x.born, x.vague)
			if x.vague {
				r.absorb(args[0])
			} else {
				x.elems = append(x.elems, args[0])
			}
			return starlark.None
		}
		if changing[m.name] {
			r.change(x.born, x.vague)
			r.guess(args...)
			r.blur(x)
			return unknown{}
		}
		return r.guess(append(args, m.of)...)
	case starlark.HasAttrs: // a list, a dict or a set
		if changing[m.name] && r.vague > 0 {
			panic(gaveUp{})
		}
		plain := make(starlark.Tuple, len(args))
		for i, a := range args {
			var ok bool
			if plain[i], ok = r.known(a); !ok && changing[m.name] {
				panic(gaveUp{})
			} else if !ok {
				return r.guess(append(args, m.of)...)
			}
		}
		a, err := x.Attr(m.name)
		if err != nil || a == nil {
			panic(failed{})
		}
		return exact(starlark.Call(r.p.thread(), a, plain, nil))
	case unknown:
		if changing[m.name] && r.hidden {
			panic(gaveUp{})
		}
		return r.guess(args...)
	}
	panic(gaveUp{})
}

// onState calls a method of a state that is a dict.
func (r *run) onState(s *state, name string, args []any) any {
	switch {
	case name == "get" && (len(args) == 1 || len(args) == 2):
		args = append(args, starlark.None)
		v, there, known := r.entry(s, args[0])
		switch {
		case known && there:
			return v
		case known:
			return args[1]
		}
		return r.guess(keyOnly(args[0]), args[1])
	case name == "pop" && (len(args) == 1 || len(args) == 2):
		r.owned(s)
		v, there, known := r.entry(s, args[0])
		r.put(s, args[0], nil, true)
		switch {
		case known && !there && len(args) == 1:
			panic(failed{})
		case known && there:
			return v
		case known:
			return args[1]
		}
		return r.guess(args...)
	case name == "update" && len(args) == 1:
		r.owned(s)
		r.update(s, args[0])
		return starlark.None
	case changing[name]:
		panic(gaveUp{})
	}
	r.absorb(s)
	return r.guess(args...)
}

// onEntries calls a method of a dict that was made in the run.
func (r *run) onEntries(d *entries, name string, args []any) any {
	k, ok := starlark.Value(nil), false
	if len(args) > 0 {
		k, ok = r.known(args[0])
	}
	switch {
	case name == "get" && ok && !d.vague && len(args) <= 2:
		if v, had := d.of[r.text(k)]; had {
			return v
		}
		return append(args, starlark.None)[1]
	case changing[name]:
		r.change(d.born, d.vague)
		r.guess(args...)
		r.blur(d)
		return unknown{}
	}
	return r.guess(append(args, any(d))...)
}

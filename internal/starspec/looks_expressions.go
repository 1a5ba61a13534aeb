package starspec

import (
	"math/big"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// eval computes an expression.
func (r *run) eval(x syntax.Expr, local *scope) any {
	if r.left--; r.left < 0 {
		panic(gaveUp{})
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return r.eval(x.X, local)
	case *syntax.Literal:
		return literal(x)
	case *syntax.Ident:
		return r.variable(x.Name, local)
	case *syntax.ListExpr:
		return &sequence{elems: r.all(x.List, local), born: r.vague}
	case *syntax.TupleExpr:
		return &sequence{tuple: true, elems: r.all(x.List, local), born: r.vague}
	case *syntax.DictExpr:
		d := &entries{of: map[string]any{}, born: r.vague}
		for _, e := range x.List {
			e := e.(*syntax.DictEntry)
			r.set(d, r.eval(e.Key, local), r.eval(e.Value, local))
		}
		return d
	case *syntax.CondExpr:
		if r.decided(r.eval(x.Cond, local)) {
			return r.eval(x.True, local)
		}
		return r.eval(x.False, local)
	case *syntax.UnaryExpr:
		return r.unary(x.Op, r.eval(x.X, local))
	case *syntax.BinaryExpr:
		left := r.eval(x.X, local)
		if x.Op == syntax.AND || x.Op == syntax.OR {
			if r.decided(left) == (x.Op == syntax.OR) {
				return left
			}
			return r.eval(x.Y, local)
		}
		return r.binary(x.Op, left, r.eval(x.Y, local))
	case *syntax.IndexExpr:
		return r.index(r.eval(x.X, local), r.eval(x.Y, local))
	case *syntax.SliceExpr:
		return r.slice(x, local)
	case *syntax.DotExpr:
		return r.attribute(r.eval(x.X, local), x.Name.Name)
	case *syntax.CallExpr:
		return r.call(x, local)
	case *syntax.Comprehension:
		return r.comprehension(x, local)
	case *syntax.LambdaExpr:
		l := &lambda{in: local, body: func(s *scope) any { return r.eval(x.Body, s) }}
		for _, param := range x.Params {
			name, ok := param.(*syntax.Ident)
			if !ok {
				panic(gaveUp{})
			}
			l.params = append(l.params, name.Name)
		}
		return l
	}
	panic(gaveUp{})
}

func literal(x *syntax.Literal) starlark.Value {
	switch v := x.Value.(type) {
	case int64:
		return starlark.MakeInt64(v)
	case *big.Int:
		return starlark.MakeBigInt(v)
	case float64:
		return starlark.Float(v)
	case string:
		if x.Token == syntax.BYTES {
			return starlark.Bytes(v)
		}
		return starlark.String(v)
	}
	panic(gaveUp{})
}

// variable returns what a name stands for.
func (r *run) variable(name string, local *scope) any {
	if v, ok := local.find(name); ok {
		return v
	}
	for _, names := range []starlark.StringDict{r.p.globals, predeclared, starlark.Universe} {
		if v, ok := names[name]; ok {
			return v
		}
	}
	panic(failed{}) // not assigned yet
}

func (r *run) all(list []syntax.Expr, local *scope) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = r.eval(x, local)
	}
	return out
}

// guess is something unknown that depends on all of these.
func (r *run) guess(on ...any) any {
	for _, v := range on {
		r.absorb(v)
	}
	return unknown{}
}

// exact is what the interpreter returned.
func exact(v starlark.Value, err error) any {
	if err != nil {
		panic(failed{})
	}
	return v
}

func (r *run) unary(op syntax.Token, v any) any {
	if op == syntax.NOT {
		if truth, known := r.truth(v); known {
			return starlark.Bool(!truth)
		}
		return unknown{}
	}
	if k, ok := r.known(v); ok {
		return exact(starlark.Unary(op, k))
	}
	return r.guess(v)
}

func (r *run) binary(op syntax.Token, x, y any) any {
	if s, ok := y.(*state); ok && (op == syntax.IN || op == syntax.NOT_IN) && s.dict {
		_, there, known := r.entry(s, x)
		if !known {
			return r.guess(x)
		}
		return starlark.Bool(there == (op == syntax.IN))
	}
	if op == syntax.PIPE {
		switch s := x.(type) {
		case *state:
			if s.dict {
				return r.copied(s, y)
			}
		case *entries:
			if more, ok := y.(*entries); ok {
				out := &entries{of: map[string]any{}, born: r.vague, vague: s.vague || more.vague}
				for _, d := range []*entries{s, more} {
					for _, k := range d.keys {
						r.set(out, k, d.of[r.text(k)])
					}
				}
				return out
			}
		}
	}
	a, aSequence := x.(*sequence)
	b, bSequence := y.(*sequence)
	if op == syntax.PLUS && aSequence && bSequence && a.tuple == b.tuple && !a.vague && !b.vague {
		return &sequence{tuple: a.tuple, elems: slices.Concat(a.elems, b.elems), born: r.vague}
	}
	left, okLeft := r.known(x)
	right, okRight := r.known(y)
	if !okLeft || !okRight {
		return r.guess(x, y)
	}
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		is, err := starlark.Compare(op, left, right)
		return exact(starlark.Bool(is), err)
	}
	return exact(starlark.Binary(op, left, right))
}

// augmented is x op= y, which changes lists and dicts in place.
func (r *run) augmented(op syntax.Token, x, y any) any {
	op = op - syntax.PLUS_EQ + syntax.PLUS
	switch v := x.(type) {
	case *sequence:
		if op == syntax.PLUS && !v.tuple {
			r.change(v.born, v.vague)
			elems, known := r.elements(y)
			v.elems, v.vague = append(v.elems, elems...), v.vague || !known
			return v
		}
	case *entries, *starlark.List, *starlark.Dict, *starlark.Set:
		panic(gaveUp{})
	case *state:
		if op == syntax.PIPE && v.dict {
			r.owned(v)
			r.update(v, y)
			return v
		}
	case unknown:
		if r.hidden {
			panic(gaveUp{}) // it may be a list that is known
		}
	}
	return r.binary(op, x, y)
}

// change is asked before a list or dict is changed.
func (r *run) change(born int, vague bool) {
	if born < r.vague && !vague {
		panic(gaveUp{})
	}
}

// owned is asked before a state is changed: step may change copies alone.
func (r *run) owned(s *state) {
	if !s.own {
		panic(failed{})
	}
	r.change(s.born, s.vague)
}

// set sets an entry of a dict.
func (r *run) set(d *entries, key, value any) {
	r.change(d.born, d.vague)
	k, ok := r.known(key)
	if !ok || d.vague {
		r.absorb(key)
		r.absorb(value)
		d.vague = true
		return
	}
	text := r.text(k)
	if _, had := d.of[text]; !had {
		d.keys = append(d.keys, k)
	}
	d.of[text] = value
}

func (r *run) setIndex(x, key, value any) {
	switch x := x.(type) {
	case *state:
		if !x.dict {
			panic(gaveUp{})
		}
		r.owned(x)
		r.put(x, key, value, false)
	case *entries:
		r.set(x, key, value)
	case *sequence:
		if x.tuple {
			panic(failed{})
		}
		r.change(x.born, x.vague)
		if k, ok := r.known(key); ok && !x.vague {
			x.elems[place(k, len(x.elems))] = value
			return
		}
		r.absorb(key)
		r.absorb(value)
		x.vague = true
	case unknown:
		if r.hidden {
			panic(gaveUp{})
		}
		r.guess(key, value)
	default:
		panic(gaveUp{})
	}
}

func (r *run) index(x, key any) any {
	switch x := x.(type) {
	case *state:
		if x.dict {
			v, there, known := r.entry(x, key)
			if known && !there {
				panic(failed{})
			}
			r.absorb(keyOnly(key))
			return v
		}
	case *entries:
		if k, ok := r.known(key); ok && !x.vague {
			v, had := x.of[r.text(k)]
			if !had {
				panic(failed{})
			}
			return v
		}
	case *sequence:
		if k, ok := r.known(key); ok && !x.vague {
			return x.elems[place(k, len(x.elems))]
		}
	case starlark.Value:
		if k, ok := r.known(key); ok {
			return indexed(x, k)
		}
	}
	return r.guess(x, key)
}

// keyOnly is a key of which the contents matter if they are not known.
func keyOnly(key any) any {
	if _, known := key.(starlark.Value); known {
		return nil
	}
	return key
}

func indexed(x, key starlark.Value) any {
	switch x := x.(type) {
	case starlark.Mapping:
		v, found, err := x.Get(key)
		if err != nil || !found {
			panic(failed{})
		}
		return v
	case starlark.Indexable:
		return x.Index(place(key, x.Len()))
	}
	panic(failed{})
}

// place is where an index is among n elements, counted from their end if it is negative.
func place(key starlark.Value, n int) int {
	i, err := starlark.AsInt32(key)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		panic(failed{})
	}
	return i
}

func (r *run) slice(x *syntax.SliceExpr, local *scope) any {
	v := r.eval(x.X, local)
	var bounds []any
	for _, b := range []syntax.Expr{x.Lo, x.Hi, x.Step} {
		if b != nil {
			bounds = append(bounds, r.eval(b, local))
		}
	}
	if s, ok := v.(*sequence); ok && !s.vague && x.Step == nil {
		from, to := 0, len(s.elems)
		for _, b := range []struct {
			of syntax.Expr
			at *int
		}{{x.Lo, &from}, {x.Hi, &to}} {
			if b.of == nil {
				continue
			}
			k, ok := bounds[0].(starlark.Int)
			bounds = bounds[1:]
			i, err := starlark.AsInt32(k)
			if !ok || err != nil {
				return r.guess(v)
			}
			if i < 0 {
				i = max(0, i+len(s.elems))
			}
			*b.at = min(i, len(s.elems))
		}
		return &sequence{tuple: s.tuple, elems: slices.Clone(s.elems[from:max(from, to)]), born: r.vague}
	}
	return r.guess(append(bounds, v)...)
}

// comprehension computes a list, dict or set.
func (r *run) comprehension(x *syntax.Comprehension, local *scope) any {
	inner := &scope{of: map[string]any{}, outer: local}
	entry, isDict := x.Body.(*syntax.DictEntry)
	d, list := &entries{of: map[string]any{}, born: r.vague}, &sequence{born: r.vague}
	vague := false
	var clause func(k int)
	clause = func(k int) {
		if k == len(x.Clauses) {
			if isDict {
				key, value := r.eval(entry.Key, inner), r.eval(entry.Value, inner)
				if vague {
					r.guess(key, value)
				} else {
					r.set(d, key, value)
				}
			} else if v := r.eval(x.Body, inner); vague {
				r.absorb(v)
			} else {
				list.elems = append(list.elems, v)
			}
			return
		}
		once := func() {
			vague = true
			r.vague++
			clause(k + 1)
			r.vague--
		}
		switch c := x.Clauses[k].(type) {
		case *syntax.IfClause:
			truth, known := r.truth(r.eval(c.Cond, inner))
			if !known {
				once()
			} else if truth {
				clause(k + 1)
			}
		case *syntax.ForClause:
			elems, known := r.elements(r.eval(c.X, inner))
			if !known {
				for _, name := range targets(c.Vars) {
					inner.of[name] = unknown{}
				}
				once()
				return
			}
			for _, e := range elems {
				r.assign(c.Vars, e, inner)
				clause(k + 1)
			}
		}
	}
	clause(0)
	if isDict {
		d.vague = d.vague || vague
		return d
	}
	if list.vague = vague; x.Curly {
		return r.guess(list)
	}
	return list
}

// targets are the variables of a target.
func targets(x syntax.Expr) []string {
	switch x := unparen(x).(type) {
	case *syntax.Ident:
		return []string{x.Name}
	case *syntax.TupleExpr:
		var all []string
		for _, e := range x.List {
			all = append(all, targets(e)...)
		}
		return all
	case *syntax.ListExpr:
		var all []string
		for _, e := range x.List {
			all = append(all, targets(e)...)
		}
		return all
	}
	panic(gaveUp{})
}

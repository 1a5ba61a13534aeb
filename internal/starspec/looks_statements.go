package starspec

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// scope holds the local variables of a function or a comprehension.
type scope struct {
	of    map[string]any
	outer *scope
}

func (s *scope) find(name string) (any, bool) {
	for ; s != nil; s = s.outer {
		if v, ok := s.of[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// flow is how a statement ended.
type flow uint8

const (
	onward flow = iota
	broken
	continued
	returned
)

// definition returns the text of a function of the file, nil for others.
func (r *run) definition(f *starlark.Function) *syntax.DefStmt {
	return r.functions[f.Position().String()]
}

// function executes a function of the file.
func (r *run) function(f *starlark.Function, args []any) any {
	d := r.definition(f)
	if r.nested++; d == nil || r.nested > maxDepth {
		panic(gaveUp{})
	}
	defer func() { r.nested-- }()
	local := &scope{of: map[string]any{}}
	for i, param := range d.Params {
		name, ok := param.(*syntax.Ident)
		if b, isDefault := param.(*syntax.BinaryExpr); isDefault {
			name, ok = b.X.(*syntax.Ident)
			if ok && i >= len(args) {
				local.of[name.Name] = f.ParamDefault(i)
				continue
			}
		}
		if !ok || i >= len(args) {
			panic(gaveUp{})
		}
		local.of[name.Name] = args[i]
	}
	if len(args) > len(d.Params) {
		panic(gaveUp{})
	}
	if how, v := r.block(d.Body, local); how == returned {
		return v
	}
	return starlark.None
}

func (r *run) block(list []syntax.Stmt, local *scope) (flow, any) {
	for _, s := range list {
		if how, v := r.statement(s, local); how != onward {
			return how, v
		}
	}
	return onward, nil
}

func (r *run) statement(s syntax.Stmt, local *scope) (flow, any) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		r.eval(s.X, local)
	case *syntax.BranchStmt:
		switch s.Token {
		case syntax.BREAK:
			return broken, nil
		case syntax.CONTINUE:
			return continued, nil
		}
	case *syntax.ReturnStmt:
		if s.Result == nil {
			return returned, starlark.None
		}
		return returned, r.eval(s.Result, local)
	case *syntax.IfStmt:
		if r.decided(r.eval(s.Cond, local)) {
			return r.block(s.True, local)
		}
		return r.block(s.False, local)
	case *syntax.AssignStmt:
		v := r.eval(s.RHS, local)
		if s.Op != syntax.EQ {
			v = r.augmented(s.Op, r.eval(s.LHS, local), v)
		}
		r.assign(s.LHS, v, local)
	case *syntax.ForStmt:
		return r.forLoop(s, local)
	case *syntax.WhileStmt:
		for {
			truth, known := r.truth(r.eval(s.Cond, local))
			if !known {
				r.anyTurns(s.Body, nil, local)
				r.absorb(r.eval(s.Cond, local))
				return r.someTurn(s.Body, local)
			}
			if !truth {
				return onward, nil
			}
			if how, v := r.block(s.Body, local); how == returned {
				return how, v
			} else if how == broken {
				return onward, nil
			}
		}
	default:
		panic(gaveUp{})
	}
	return onward, nil
}

func (r *run) forLoop(s *syntax.ForStmt, local *scope) (flow, any) {
	over := r.eval(s.X, local)
	elems, known := r.elements(over)
	if !known {
		r.anyTurns(s.Body, s.Vars, local)
		return r.someTurn(s.Body, local)
	}
	for _, e := range elems {
		r.assign(s.Vars, e, local)
		if how, v := r.block(s.Body, local); how == returned {
			return how, v
		} else if how == broken {
			break
		}
	}
	return onward, nil
}

// someTurn executes the body of a loop once for all of its turns, of which nothing is known: the
// last one may return.
func (r *run) someTurn(body []syntax.Stmt, local *scope) (flow, any) {
	if !r.either() {
		return onward, nil
	}
	r.vague++
	how, v := r.block(body, local)
	r.vague--
	if how == returned {
		return how, v
	}
	r.anyTurns(body, nil, local)
	return onward, nil
}

// anyTurns forgets what a loop may change.
func (r *run) anyTurns(body []syntax.Stmt, vars syntax.Expr, local *scope) {
	var forget func(target syntax.Expr)
	forget = func(target syntax.Expr) {
		switch target := unparen(target).(type) {
		case *syntax.Ident:
			switch v := local.of[target.Name].(type) {
			case *sequence:
				r.blur(v) // others may hold it, and += changes it
			case *entries:
				r.blur(v)
			case *state:
				r.blur(v)
			case *starlark.List, *starlark.Dict, *starlark.Set:
				panic(gaveUp{})
			}
			local.of[target.Name] = unknown{}
		case *syntax.TupleExpr:
			for _, e := range target.List {
				forget(e)
			}
		case *syntax.ListExpr:
			for _, e := range target.List {
				forget(e)
			}
		case *syntax.IndexExpr:
			r.blurNamed(target.X, local)
		default:
			panic(gaveUp{})
		}
	}
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.AssignStmt:
				forget(n.LHS)
			case *syntax.ForStmt:
				forget(n.Vars)
			case *syntax.CallExpr:
				if dot, ok := n.Fn.(*syntax.DotExpr); ok && changing[dot.Name.Name] {
					r.blurNamed(dot.X, local)
				}
			}
			return true
		})
	}
	if vars != nil {
		forget(vars)
	}
}

// blurNamed forgets what is in the list or dict of a variable.
func (r *run) blurNamed(x syntax.Expr, local *scope) {
	id, ok := unparen(x).(*syntax.Ident)
	if !ok {
		panic(gaveUp{})
	}
	switch v := local.of[id.Name].(type) {
	case *sequence, *entries, *state:
		r.blur(v)
	case unknown, nil:
	default:
		panic(gaveUp{})
	}
}

func (r *run) blur(v any) {
	r.absorb(v)
	switch v := v.(type) {
	case *sequence:
		v.vague = true
	case *entries:
		v.vague = true
	case *state:
		v.vague = v.vague || v.own
	}
}

// assign sets a variable, several, or an element.
func (r *run) assign(target syntax.Expr, v any, local *scope) {
	switch target := unparen(target).(type) {
	case *syntax.Ident:
		local.of[target.Name] = v
	case *syntax.TupleExpr:
		r.assignAll(target.List, v, local)
	case *syntax.ListExpr:
		r.assignAll(target.List, v, local)
	case *syntax.IndexExpr:
		r.setIndex(r.eval(target.X, local), r.eval(target.Y, local), v)
	default:
		panic(gaveUp{})
	}
}

func (r *run) assignAll(targets []syntax.Expr, v any, local *scope) {
	elems, known := r.elements(v)
	if known && len(elems) != len(targets) {
		panic(failed{})
	}
	for i, t := range targets {
		if known {
			r.assign(t, elems[i], local)
		} else {
			r.assign(t, unknown{}, local)
		}
	}
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = p.X
	}
}

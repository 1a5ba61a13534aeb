package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Which rounds of a loop change nothing.
//
// What: each statement of the loop only reads, locks or unlocks, or sets variables of the round, or
// the rest of its block ends the loop. It may call functions of the package that do no more.
//
// Source: the analysis of purity for lock-free procedures (Flanagan, Freund and Qadeer, ISSTA
// 2004): a loop whose rounds have no effect but for the last. We look at syntax, one package.
//
// Invariant: a round in which a variable of a longer life is set, or a function is called that may
// set one, is none, unless it is the last one, or what happens before is an access that explore
// sees as a write: a case of a select, or a compare-and-swap that succeeds.

// round is a round of a loop, or a function that is called in one.
type round struct {
	f        *file
	scope    ast.Node // where what it may set is declared
	function bool
	inner    int             // statements around in it that break and continue belong to
	syncs    int             // calls that synchronise
	yields   []ast.Stmt      // calls of runtime.Gosched
	naps     []*ast.CallExpr // of time.Sleep
}

// list reports whether statements change nothing, or end the loop before the next round.
func (r *round) list(list []ast.Stmt) bool {
	for i, s := range list {
		if !r.quiet(s) {
			return endsIn(list[i:], !r.function, r.inner == 0 && !r.function)
		}
	}
	return true
}

// within is list in a statement that break belongs to.
func (r *round) within(list []ast.Stmt) bool {
	r.inner++
	defer func() { r.inner-- }()
	return r.list(list)
}

// quiet reports whether a statement changes nothing.
func (r *round) quiet(s ast.Stmt) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return true
	case *ast.ExprStmt:
		call, name := r.f.calling(s.X)
		switch {
		case r.function:
		case name == "runtime.Gosched":
			r.yields = append(r.yields, s)
			return true
		case name == "time.Sleep" && r.inner == 0:
			r.naps = append(r.naps, call)
			return r.all(call.Args)
		}
		return r.reads(s.X)
	case *ast.AssignStmt:
		return r.all(s.Rhs) && r.own(s.Lhs...)
	case *ast.IncDecStmt:
		return r.own(s.X)
	case *ast.DeclStmt:
		return r.reads(s)
	case *ast.BlockStmt:
		return r.list(s.List)
	case *ast.IfStmt:
		return r.quiet(s.Init) && r.reads(s.Cond) && r.list(s.Body.List) && r.quiet(s.Else)
	case *ast.SwitchStmt:
		return r.quiet(s.Init) && (s.Tag == nil || r.reads(s.Tag)) && r.clauses(s.Body)
	case *ast.SelectStmt:
		return r.polls(s)
	case *ast.RangeStmt:
		switch r.f.typeOf(s.X).(type) {
		case *types.Slice, *types.Array, *types.Basic:
		default:
			return false
		}
		return r.reads(s.X) && r.own(s.Key, s.Value) && r.within(s.Body.List)
	case *ast.ForStmt:
		return s.Init != nil && s.Cond != nil && r.quiet(s.Init) && r.reads(s.Cond) && r.quiet(s.Post) &&
			r.within(s.Body.List)
	case *ast.BranchStmt:
		return s.Label == nil && (s.Tok == token.CONTINUE || s.Tok == token.BREAK && r.inner > 0)
	case *ast.ReturnStmt:
		return r.function && r.all(s.Results)
	case *ast.DeferStmt:
		return r.function && r.reads(s.Call)
	}
	return false
}

func (r *round) clauses(b *ast.BlockStmt) bool {
	for _, c := range b.List {
		if clause := c.(*ast.CaseClause); !r.all(clause.List) || !r.within(clause.Body) {
			return false
		}
	}
	return true
}

// polls reports whether a select has a default that changes nothing, and what the others need does
// not either.
func (r *round) polls(s *ast.SelectStmt) bool {
	fallsThrough := false
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		switch comm := clause.Comm.(type) {
		case nil:
			fallsThrough = true
			if !r.within(clause.Body) {
				return false
			}
		case *ast.SendStmt:
			if !r.reads(comm.Chan) || !r.reads(comm.Value) {
				return false
			}
		default:
			if x := reception(comm); x == nil || !r.reads(x.X) {
				return false
			}
		}
	}
	r.syncs++
	return fallsThrough
}

// own reports whether variables are of the round.
func (r *round) own(all ...ast.Expr) bool {
	for _, x := range all {
		if x == nil {
			continue
		}
		id, ok := x.(*ast.Ident)
		if !ok {
			return false
		}
		v := r.f.info.ObjectOf(id)
		if id.Name != "_" && (v == nil || v.Pos() < r.scope.Pos() || v.Pos() >= r.scope.End()) {
			return false
		}
	}
	return true
}

func (r *round) all(list []ast.Expr) bool {
	for _, x := range list {
		if !r.reads(x) {
			return false
		}
	}
	return true
}

// reads reports whether an expression, or a declaration of variables, changes nothing.
func (r *round) reads(x ast.Node) bool {
	changes := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			changes = true
		case *ast.UnaryExpr:
			changes = changes || n.Op == token.ARROW
		case *ast.CallExpr:
			changes = changes || !r.call(n)
		}
		return !changes
	})
	return !changes
}

// call reports whether a function changes nothing.
func (r *round) call(c *ast.CallExpr) bool {
	if r.f.info.Types[c.Fun].IsType() {
		return true
	}
	switch r.f.builtin(c) {
	case "":
	case "len", "cap", "min", "max", "new", "make":
		return true
	default:
		return false
	}
	fn := r.f.function(c.Fun)
	if looks(fn) {
		r.syncs++
		return true
	}
	if fn == nil {
		return false
	}
	syncs, ok := r.f.looking(fn.Origin())
	r.syncs += syncs
	return ok
}

// looks reports whether a function reads something that is for synchronisation, or changes it and
// explore sees whether it did: a TryLock that fails is a read.
func looks(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Pkg().Path() == "sync" {
		switch fn.Name() {
		case "Lock", "Unlock", "TryLock", "RLock", "RUnlock", "TryRLock":
			recv := fn.Signature().Recv()
			return recv != nil && !types.IsInterface(recv.Type())
		}
		return false
	}
	return fn.FullName() == "(context.Context).Err" || fn.Pkg().Path() == "sync/atomic" &&
		(strings.HasPrefix(fn.Name(), "Load") || strings.HasPrefix(fn.Name(), "CompareAndSwap"))
}

// looking reports whether a function of the package changes nothing, and how often it synchronises.
func (f *file) looking(fn *types.Func) (syncs int, ok bool) {
	if known, seen := f.lookers[fn]; seen {
		return max(known, 0), known >= 0
	}
	f.lookers[fn] = -1 // also while it is being looked at
	decl := f.bodies[fn]
	if decl == nil || decl.Body == nil {
		return 0, false
	}
	r := &round{f: f, scope: decl, function: true}
	if !r.list(decl.Body.List) {
		return 0, false
	}
	f.lookers[fn] = r.syncs
	return r.syncs, true
}

// bodies returns the declarations of the functions of a package.
func bodies(p *pkg) map[*types.Func]*ast.FuncDecl {
	all := map[*types.Func]*ast.FuncDecl{}
	for _, syntax := range p.syntax {
		for _, d := range syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := p.info.Defs[d.Name].(*types.Func); ok {
					all[fn] = d
				}
			}
		}
	}
	return all
}

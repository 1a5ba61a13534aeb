package rewrite

import (
	"bytes"
	"go/ast"
	"go/token"
)

// What: a loop whose rounds change nothing before they begin again, `for !done.Load() {}`, gets a
// call of shim.Rounds in front and of shim.Spin at the end of each round, in place of the calls of
// runtime.Gosched in it. rounds.go has which loops these are. Where one of them sleeps, at one
// place, it does so by shim.Nap, and nothing else is changed.
//
// Source: Kokologiannakis, Raad and Vafeiadis, "Effective lock handling in stateless model
// checking", OOPSLA 2019, and GenMC's spin-assume: a loop whose rounds have no effect is a wait.
//
// Invariant: a round that reads, or fails to swap or to lock, or locks and unlocks, does the same
// again until another goroutine writes what it has read, or locks. One that swaps a variable and
// goes on is no wait: explore/rounds.go sees the write.

// waits returns the round of a loop that may wait, nil for another one.
func (f *file) waits(s *ast.ForStmt) *round {
	r := &round{f: f, scope: s.Body}
	if s.Init != nil || s.Post != nil || s.Cond != nil && !r.reads(s.Cond) || !r.list(s.Body.List) || r.syncs == 0 {
		return nil
	}
	return r
}

// forStmt rewrites a loop that may wait.
func (f *file) forStmt(s *ast.ForStmt) {
	r := f.waits(s)
	if r == nil || len(r.naps) > 0 {
		return
	}
	head := f.source[f.at(s.For):f.at(s.Body.Lbrace)]
	if bytes.IndexByte(head, ';') >= 0 {
		return
	}
	f.shim()
	for _, g := range r.yields {
		f.replace(f.at(g.Pos()), f.at(g.End()), "{}")
	}
	f.insertAfter(f.at(s.For)+len("for"), " "+local+".Rounds();")
	if s.Cond == nil {
		f.insertBefore(f.at(s.Body.Lbrace), "; "+local+".Spin() ")
	} else {
		f.insertAfter(f.at(s.Cond.End()), "; "+local+".Spin()")
	}
}

// calling returns the name of the function that an expression calls, "" for another expression.
func (f *file) calling(x ast.Expr) (c *ast.CallExpr, name string) {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	if fn := f.function(c.Fun); fn != nil {
		name = fn.FullName()
	}
	return c, name
}

// endsIn reports whether a list of statements leaves a loop at its end, and nowhere in it goes on
// with the next round; breaks says that a break leaves the loop.
func endsIn(list []ast.Stmt, returns, breaks bool) bool {
	goesOn := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.LabeledStmt:
				goesOn = true
			case *ast.BranchStmt:
				goesOn = goesOn || n.Label != nil || n.Tok == token.CONTINUE || n.Tok == token.GOTO
			}
			return !goesOn
		})
	}
	if goesOn || len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return returns
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && breaks
	case *ast.ExprStmt:
		if call, ok := last.X.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			return ok && id.Name == "panic"
		}
	}
	return false
}

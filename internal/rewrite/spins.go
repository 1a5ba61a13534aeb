package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What: a loop that waits for atomic variables and does nothing else, `for !done.Load() {}`, gets a
// call of shim.Spin at the end of each round, in place of runtime.Gosched if that is all it does.
//
// Source: Kokologiannakis, Raad and Vafeiadis, "Effective lock handling in stateless model
// checking", OOPSLA 2019, and GenMC's spin-assume: a loop whose rounds have no effect is a wait.
//
// Invariant: a round that reads atomic variables, or fails to swap one or to lock, changes nothing,
// so it does the same again until another goroutine writes one of them. One that swaps a variable
// and goes on is no wait: a write ends what explore/reread.go has counted.

// forStmt rewrites a loop that only waits.
func (f *file) forStmt(s *ast.ForStmt) {
	if s.Init != nil || s.Post != nil || s.Cond == nil || !f.onlyReads(s.Cond) {
		return
	}
	switch {
	case len(s.Body.List) == 0:
	case len(s.Body.List) == 1 && f.isGosched(s.Body.List[0]):
	default:
		return
	}
	f.shim()
	f.replace(f.at(s.Body.Lbrace), f.at(s.Body.End()), "{ "+local+".Spin() }")
}

// isGosched reports whether a statement is a call of runtime.Gosched.
func (f *file) isGosched(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := f.function(call.Fun)
	return fn != nil && fn.FullName() == "runtime.Gosched"
}

// onlyReads reports whether an expression has calls that load atomic variables, compare and swap
// them or try to lock, and no others.
func (f *file) onlyReads(x ast.Expr) bool {
	loads, other := 0, false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.ParenExpr, *ast.BinaryExpr, *ast.SelectorExpr, *ast.StarExpr,
			*ast.IndexExpr:
		case *ast.UnaryExpr:
			other = other || n.Op == token.ARROW
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; tv.IsType() {
				break
			}
			if !isLoad(f.function(n.Fun)) {
				other = true
				break
			}
			loads++
		default:
			other = true
		}
		return !other
	})
	return loads > 0 && !other
}

// isLoad reports whether a function reads something that is for synchronisation, or changes it and
// says so: a TryLock that fails is a read.
func isLoad(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Pkg().Path() == "sync" {
		return fn.Name() == "TryLock" || fn.Name() == "TryRLock"
	}
	return fn.Pkg().Path() == "sync/atomic" &&
		(strings.HasPrefix(fn.Name(), "Load") || strings.HasPrefix(fn.Name(), "CompareAndSwap"))
}

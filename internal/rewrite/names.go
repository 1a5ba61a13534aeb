package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Names.
// What: an atomic variable has the name in a trace that the code calls it by where it is accessed
// first: "head.next", and "d[0]" for an element, so that the elements of an array are known to be
// of one. The receiver of the method that the access is in is left out: p.d[0] is "d[0]".
// How: the variable, or the pointer to it, is passed through shim.Named or shim.Element. Only names
// without calls are, since the expression is evaluated no second time.

// receivers returns the receivers of the methods of a file.
func receivers(syntax *ast.File, info *types.Info) map[types.Object]bool {
	all := map[types.Object]bool{}
	for _, d := range syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			for _, field := range fn.Recv.List {
				for _, name := range field.Names {
					all[info.Defs[name]] = true
				}
			}
		}
	}
	return all
}

// named names the variable that a call of package sync/atomic accesses.
func (f *file) named(c *ast.CallExpr) {
	fn := f.function(c.Fun)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return
	}
	if fn.Signature().Recv() == nil {
		if address, ok := ast.Unparen(c.Args[0]).(*ast.UnaryExpr); ok && address.Op == token.AND {
			f.pass(c.Args[0], address.X, "")
		}
		return
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	selection := f.info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal || len(selection.Index()) != 1 {
		return
	}
	if _, isPointer := f.typeOf(sel.X).(*types.Pointer); isPointer {
		f.pass(sel.X, sel.X, "")
	} else {
		f.pass(sel.X, sel.X, "&")
	}
}

// pass passes an expression, after an operator, through the shim that names variable.
func (f *file) pass(whole, variable ast.Expr, operator string) {
	name, ok := f.spelt(variable)
	if !ok || name == "" {
		return
	}
	to, rest := ".Named(", strconv.Quote(name)
	if e, ok := ast.Unparen(variable).(*ast.IndexExpr); ok {
		array, _ := f.spelt(e.X)
		if whole == variable && operator == "" { // a pointer that is kept in an array, or a map
			rest = strconv.Quote("element of " + array)
		} else {
			to, rest = ".Element(", strconv.Quote(array)+", "+string(f.source[f.at(e.Index.Pos()):f.at(e.Index.End())])
		}
	}
	f.shim()
	f.insertBefore(f.at(whole.Pos()), local+to+operator)
	f.insertAfter(f.at(whole.End()), ", "+rest+")")
}

// spelt returns how the code spells a variable or a number, without the receiver in front, and
// whether that has no calls.
func (f *file) spelt(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.Ident:
		if f.receivers[f.info.Uses[x]] {
			return "", true
		}
		return x.Name, true
	case *ast.BasicLit:
		return x.Value, x.Kind == token.INT
	case *ast.ParenExpr:
		return f.spelt(x.X)
	case *ast.StarExpr:
		return f.spelt(x.X)
	case *ast.SelectorExpr:
		before, ok := f.spelt(x.X)
		return strings.TrimPrefix(before+"."+x.Sel.Name, "."), ok
	case *ast.IndexExpr:
		before, ok := f.spelt(x.X)
		index, pure := f.spelt(x.Index)
		return before + "[" + index + "]", ok && pure
	}
	return "", false
}

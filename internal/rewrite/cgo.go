package rewrite

import (
	"go/ast"
	"strconv"
)

// Functions that use C.
//
// What: each declared function that names something of C refuses it when it is called. What else
// its package has is explored.
//
// Invariant: what the go command makes of the file later, cgo's own functions, is not seen here:
// types are checked with what C has left open.

// usesC makes functions that use C refuse it.
func (f *file) usesC() {
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		var first ast.Node
		ast.Inspect(fn, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && first == nil {
				if id, ok := s.X.(*ast.Ident); ok && id.Name == "C" {
					first = s
				}
			}
			return first == nil
		})
		if first != nil {
			f.shim()
			what := Refusal{f.fset.Position(first.Pos()), "cgo", "code in C cannot be explored"}.String()
			f.insertAfter(f.at(fn.Body.Lbrace)+1, " _ = "+local+".Refused[any](nil, "+strconv.Quote(what)+");")
		}
	}
}

package rewrite

import (
	"go/ast"
	"go/types"
	"regexp"
	"runtime"
	"strings"
)

// Functions in assembly.
//
// What: a call of one is an access to what is not rewritten, and what it does is one step, if its
// arguments hold nothing that is modelled: so a hash or a compare-and-swap of two words is what it
// is. One without arguments, such as a pause, is nothing. A compare-and-swap of one or two words
// may get pointers in them. Other calls are refused. The words that an argument points to are
// accessed, too, since other code may access them by package sync/atomic.
//
// Invariant: a function in assembly waits for no other goroutine.

// stubs returns the functions of a package without a body: "" for one in assembly, and for one that
// is linked by name to what is not modelled the comment that says so.
func stubs(p *pkg) map[*types.Func]string {
	all, linked := map[*types.Func]string{}, map[string]string{}
	for _, syntax := range p.syntax {
		for _, group := range syntax.Comments {
			for _, c := range group.List {
				if words := strings.Fields(c.Text); len(words) > 1 && words[0] == "//go:linkname" {
					linked[words[1]] = c.Text
				}
			}
		}
	}
	for _, syntax := range p.syntax {
		for _, d := range syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body != nil {
				continue
			}
			comment := linked[fn.Name.Name]
			words := strings.Fields(comment)
			object, ok := p.info.Defs[fn.Name].(*types.Func)
			if ok && (len(words) < 3 || !modelled(words[2])) {
				all[object] = strings.TrimPrefix(comment, "//")
			}
		}
	}
	return all
}

// stub refuses a call of a function without a body.
func (f *file) stub(c *ast.CallExpr) {
	fn := f.function(c.Fun)
	link, is := f.stubs[fn]
	switch {
	case !is:
	case link != "":
		f.refuseAt(c.Fun, link, "what is linked by name cannot be explored")
	case !takes(fn):
		f.refuseAt(c.Fun, "assembly", "code in assembly that may get what is modelled cannot be explored")
	default:
		for i, a := range c.Args {
			if p := fn.Signature().Params(); i < p.Len() && few(p.At(i).Type()) && !f.info.Types[a].IsNil() {
				f.shim()
				f.insertBefore(f.at(a.Pos()), local+".Words(")
				f.insertAfter(f.at(a.End()), ")")
			}
		}
	}
}

// swaps are the names of functions that compare and swap words.
var swaps = regexp.MustCompile(`(^|[aA]tomic|_)[cC](as|AS)([^a-z]|$)|(?i:compare_?and_?swap|cmpxchg)`)

// takes reports whether a function in assembly may be called.
func takes(fn *types.Func) bool {
	p := fn.Signature().Params()
	return plainly(fn) || swaps.MatchString(fn.Name()) && p.Len() > 0 && few(p.At(0).Type())
}

// few reports whether a type is that of a pointer to one or two words that are no type of sync.
func few(t types.Type) bool {
	pointer, ok := t.(*types.Pointer)
	if !ok || synchronises(t, 0) != "" {
		return false
	}
	sizes := types.SizesFor("gc", runtime.GOARCH)
	size := sizes.Sizeof(pointer.Elem())
	return size > 0 && size <= 2*sizes.Sizeof(types.Typ[types.Uintptr])
}

// plainly reports whether the arguments of a function hold numbers and texts alone.
func plainly(fn *types.Func) bool {
	signature := fn.Signature()
	if signature.Recv() != nil && !plain(signature.Recv().Type(), 0) {
		return false
	}
	for v := range signature.Params().Variables() {
		if !plain(v.Type(), 0) {
			return false
		}
	}
	return true
}

// plain reports whether a type leads to numbers and texts alone.
func plain(t types.Type, depth int) bool {
	if depth > mostDeep {
		return false
	}
	if named, ok := t.(*types.Named); ok && synchronises(named, 0) != "" {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		return plain(t.Elem(), depth+1)
	case *types.Slice:
		return plain(t.Elem(), depth+1)
	case *types.Array:
		return plain(t.Elem(), depth+1)
	case *types.Struct:
		for v := range t.Fields() {
			if !plain(v.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

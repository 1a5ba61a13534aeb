package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"strings"
)

// functions are the functions and types that become those of package shim.
var functions = map[string]string{
	"runtime.Gosched": "Gosched",
	"time.Now":        "Now", "time.Since": "Since", "time.Until": "Until", "time.Sleep": "Sleep",
	"time.After":    "After",
	"time.NewTimer": "NewTimer", "time.AfterFunc": "AfterFunc", "time.Timer": "Timer",
	"time.NewTicker": "NewTicker", "time.Tick": "Tick", "time.Ticker": "Ticker",
	"math/rand.Intn": "Below[int]", "math/rand.Int31n": "Below[int32]", "math/rand.Int63n": "Below[int64]",
	"math/rand/v2.IntN": "Below[int]", "math/rand/v2.Int32N": "Below[int32]", "math/rand/v2.Int64N": "Below[int64]",
	"math/rand/v2.UintN": "Below[uint]", "math/rand/v2.Uint32N": "Below[uint32]", "math/rand/v2.Uint64N": "Below[uint64]",
	"math/rand/v2.N": "Below", "hash/maphash.MakeSeed": "MakeSeed",
	"os.Exit": "Exit", "log.Fatal": "Fatal", "log.Fatalf": "Fatalf", "log.Fatalln": "Fatalln",
}

// generators are the packages whose functions are methods of a generator, too.
var generators = map[string]string{"math/rand": "Rand", "math/rand/v2": "RandV2"}

// refused are functions and types that cannot be modelled yet.
var refused = map[string]string{
	"reflect.Select": "use a select statement", "os/signal.Notify": "signals cannot be explored",
}

// call rewrites calls of builtin functions on channels, and refuses what leaves the rewritten code.
func (f *file) call(c *ast.CallExpr) {
	switch name := f.builtin(c); {
	case name == "make" && f.isChannel(c):
		f.shim()
		f.insertBefore(f.at(c.Pos()), local+".Made(")
		f.insertAfter(f.at(c.End()), ")")
	case name == "close" || name == "len" && f.isChannel(c.Args[0]):
		f.shim()
		to := strings.ToUpper(name[:1]) + name[1:]
		if ch, ok := f.typeOf(c.Args[0]).(*types.Chan); ok && name == "len" && ch.Dir() == types.SendOnly {
			to = "LenTo"
		}
		f.replace(f.at(c.Fun.Pos()), f.at(c.Fun.End()), local+"."+to)
	case name == "":
		f.foreign(c)
		f.stub(c)
		f.named(c)
		f.fatal(c)
	}
}

// foreign refuses a call of a package that is not rewritten if it gives a channel, or takes what
// the package does not know rewritten.
func (f *file) foreign(c *ast.CallExpr) {
	fn := f.function(c.Fun)
	if fn == nil || fn.Pkg() == nil || f.rewritten(fn.Pkg().Path()) || exchanged[fn.Pkg().Path()] != "" ||
		functions[fn.FullName()] != "" {
		return
	}
	if f.isChannel(c) {
		f.refuseAt(c.Fun, fmt.Sprintf("%s returns a channel that code outside of what is rewritten has made", fn.FullName()),
			include(fn))
		return
	}
	signature := fn.Signature()
	for i := range signature.Params().Len() {
		if name := synchronises(signature.Params().At(i).Type(), 0); name != "" {
			f.refuseAt(c.Fun, fmt.Sprintf("%s takes a %s, and is not rewritten", fn.FullName(), name), include(fn))
			return
		}
	}
}

// fatal exchanges the logger of a call that ends the program.
func (f *file) fatal(c *ast.CallExpr) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, "Fatal") {
		return
	}
	fn := f.function(c.Fun)
	if fn == nil || !strings.HasPrefix(fn.FullName(), "(*log.Logger).") {
		return
	}
	operator := "&"
	if _, isPointer := f.typeOf(sel.X).(*types.Pointer); isPointer {
		operator = ""
	}
	if len(f.info.Selections[sel].Index()) == 1 { // not of a struct that embeds one
		f.shim()
		f.insertBefore(f.at(sel.X.Pos()), local+".Logger{"+operator)
		f.insertAfter(f.at(sel.X.End()), "}")
	}
}

func include(fn *types.Func) string {
	if standard(fn.Pkg().Path()) {
		return "the standard library is not rewritten"
	}
	return "--include " + fn.Pkg().Path()
}

// standard reports whether a package is of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// synchronises returns the name of a type of sync or sync/atomic that a type leads to, "" if there
// is none.
func synchronises(t types.Type, depth int) string {
	if depth > 3 {
		return ""
	}
	switch t := t.(type) {
	case *types.Pointer:
		return synchronises(t.Elem(), depth+1)
	case *types.Slice:
		return synchronises(t.Elem(), depth+1)
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && (p.Path() == "sync" && t.Obj().Name() != "Locker" ||
			p.Path() == "sync/atomic") {
			return p.Path() + "." + t.Obj().Name()
		}
	}
	return ""
}

// selector exchanges functions of the standard library.
func (f *file) selector(s *ast.SelectorExpr) {
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return
	}
	pkg, ok := f.info.Uses[id].(*types.PkgName)
	if !ok {
		return
	}
	path := pkg.Imported().Path()
	whole := path + "." + s.Sel.Name
	if hint, ok := refused[whole]; ok {
		f.refuseAt(s, whole, hint)
		return
	}
	to, ok := functions[whole]
	if !ok {
		generator := generators[path]
		if generator == "" || !f.draws(s) {
			return
		}
		to = generator + "()." + s.Sel.Name
	}
	if f.naps[s] {
		to = "Nap"
	}
	f.shim()
	if _, isType := f.info.Uses[s.Sel].(*types.TypeName); isType {
		f.kept[path] = "(*" + id.Name + "." + s.Sel.Name + ")(nil)"
	} else if generators[path] != "" { // some functions are generic
		f.kept[path] = "(*" + id.Name + ".Rand)(nil)"
	} else {
		f.kept[path] = id.Name + "." + s.Sel.Name
	}
	f.replace(f.at(s.Pos()), f.at(s.End()), local+"."+to)
}

// draws reports whether a function of math/rand is a method of a generator, too.
func (f *file) draws(s *ast.SelectorExpr) bool {
	fn, ok := f.info.Uses[s.Sel].(*types.Func)
	if !ok {
		return false
	}
	generator := fn.Pkg().Scope().Lookup("Rand")
	if generator == nil {
		return false
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(generator.Type()), true, fn.Pkg(), fn.Name())
	_, ok = method.(*types.Func)
	return ok
}

// length keeps the length of an array that is computed from the size of a type, as padding is: the
// types of the shims have other sizes.
func (f *file) length(a *ast.ArrayType) {
	value := f.info.Types[a.Len].Value
	if value == nil {
		return
	}
	sized := false
	constants := map[string]string{} // import → a use of it
	ast.Inspect(a.Len, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && f.info.Types[s].Value != nil {
				if pkg, ok := f.info.Uses[id].(*types.PkgName); ok {
					constants[pkg.Imported().Path()] = id.Name + "." + s.Sel.Name
				}
			}
			if b, ok := f.info.Uses[s.Sel].(*types.Builtin); ok {
				sized = sized || b.Name() == "Sizeof" || b.Name() == "Offsetof"
			}
		}
		return true
	})
	if sized {
		maps.Copy(f.kept, constants)
		f.kept["unsafe"] = "unsafe.Sizeof(0)"
		f.replace(f.at(a.Len.Pos()), f.at(a.Len.End()), value.ExactString())
	}
}

package rewrite

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// randoms are functions of the runtime that draw random numbers, and pure ones depend on their
// arguments alone. Clocks tell the time. Pins keep a goroutine on its processor.
var (
	randoms = regexp.MustCompile(
		`^runtime\.(fastrand|fastrand64|fastrandn|fastrandu|cheaprand|cheaprand64|cheaprandn|rand|rand32|randn)$`)
	pure = regexp.MustCompile(
		`^runtime\.(cmpstring|memequal|memhash|memhash32|memhash64|strhash|nilinterhash|efaceHash|memmove|memclrNoHeapPointers|mallocgc|growslice|noescape|typehash)$`)
	clocks = regexp.MustCompile(`^runtime\.nanotime1?$`)
	pins   = regexp.MustCompile(`(^runtime\.|runtime_)proc(Pin|Unpin)$`)
)

// modelled reports whether a function of that name may be linked to.
func modelled(target string) bool {
	return pure.MatchString(target) || randoms.MatchString(target) || clocks.MatchString(target) ||
		pins.MatchString(target)
}

// links gives a body to functions that are linked by name to ones of the runtime which can be
// modelled.
func (f *file) links() {
	bodiless := map[string]*ast.FuncDecl{}
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
			bodiless[fn.Name.Name] = fn
		}
	}
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) < 2 || words[0] != "//go:linkname" {
				continue
			}
			fn, target := bodiless[words[1]], ""
			if len(words) > 2 {
				target = words[2]
			}
			switch {
			case fn != nil && pure.MatchString(target):
			case fn != nil && randoms.MatchString(target):
				f.external(c, fn)
				f.draw(fn)
			case fn != nil && pins.MatchString(target):
				f.external(c, fn)
				f.insertAfter(f.at(fn.End()), pinned(fn))
			case fn != nil && clocks.MatchString(target):
				f.external(c, fn)
				f.shim()
				f.insertAfter(f.at(fn.End()), " { return "+local+".Now().UnixNano() }")
			} // a call of another one is refused, if it has no body here
		}
	}
}

// external removes what the compiler is told about a function that has a body now.
func (f *file) external(link *ast.Comment, fn *ast.FuncDecl) {
	f.replace(f.at(link.Pos()), f.at(link.End()), "// modelled")
	if fn.Doc == nil {
		return
	}
	for _, c := range fn.Doc.List {
		if c != link && strings.HasPrefix(c.Text, "//go:") {
			f.replace(f.at(c.Pos()), f.at(c.End()), "// modelled")
		}
	}
}

// draw makes a function draw from the shims' generator.
func (f *file) draw(fn *ast.FuncDecl) {
	signature := f.info.Defs[fn.Name].(*types.Func).Signature()
	if signature.Results().Len() != 1 {
		f.refuse(fn, "a random function without one result", "")
		return
	}
	f.shim()
	result := types.TypeString(signature.Results().At(0).Type(), nil)
	drawn := local + ".Rand().Uint64()"
	if p := signature.Params(); p.Len() == 1 {
		drawn += " % uint64(" + p.At(0).Name() + ")"
	}
	f.insertAfter(f.at(fn.End()), " { return "+result+"("+drawn+") }")
}

// pinned is the body of a function that keeps a goroutine on its processor.
func pinned(fn *ast.FuncDecl) string {
	if fn.Type.Results.NumFields() == 1 {
		return " { return 0 }"
	}
	return " {}"
}

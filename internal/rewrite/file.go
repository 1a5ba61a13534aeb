package rewrite

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// shims is where the shims are, and local the name of package shim in rewritten files.
const (
	shims = "github.com/linsat/linsat/explore/shim"
	local = "linsatshim"
)

// exchanged are the imports that become others.
var exchanged = map[string]string{"sync": shims + "/sync", "sync/atomic": shims + "/atomic",
	"context": shims + "/context"}

// Refusal is something that cannot be modelled.
type Refusal struct {
	At   token.Position
	What string
	Hint string
}

func (r Refusal) String() string {
	s := fmt.Sprintf("%s: %s", r.At, r.What)
	if r.Hint != "" {
		s += " (" + r.Hint + ")"
	}
	return s
}

// file is a file that is being rewritten.
type file struct {
	edits
	fset      *token.FileSet
	syntax    *ast.File
	info      *types.Info
	rewritten func(path string) bool // whether a package is rewritten, too
	outside   outside

	base     int // position of the file's first byte
	uses     bool
	numbers  int
	skip     map[ast.Node]bool // operations of select cases
	naps     map[ast.Node]bool // where time.Sleep is named in a loop that waits
	kept     map[string]string // import → a use of it that remains
	refusals []Refusal

	receivers map[types.Object]bool
	stubs     map[*types.Func]string
	bodies    map[*types.Func]*ast.FuncDecl
	lookers   map[*types.Func]int // how often these synchronise; -1: they may change something
}

// rewriteFile returns the new text of a file, and what it cannot rewrite.
func rewriteFile(p *pkg, syntax *ast.File, source []byte, rewritten func(path string) bool,
	out outside) ([]byte, []Refusal) {
	f := &file{edits: edits{source: source}, fset: p.fset, syntax: syntax, info: p.info,
		rewritten: rewritten, outside: out,
		base: p.fset.File(syntax.FileStart).Base(), skip: map[ast.Node]bool{}, naps: map[ast.Node]bool{},
		kept:      map[string]string{},
		receivers: receivers(syntax, p.info), stubs: stubs(p),
		bodies: bodies(p), lookers: map[*types.Func]int{}}
	f.imports()
	f.walk(syntax)
	f.links()
	if f.uses {
		f.insertAfter(f.at(syntax.Name.End()), "; import "+local+" "+strconv.Quote(shims))
	}
	end := ""
	for _, use := range f.kept {
		end += "\nvar _ = " + use
	}
	f.insertAfter(len(source), end+"\n")
	name := p.fset.Position(syntax.FileStart).Filename
	return []byte(f.language(p) + "//line " + name + ":1\n" + f.render(0, len(source))), f.refusals
}

// at returns the offset of a position.
func (f *file) at(p token.Pos) int { return int(p) - f.base }

func (f *file) refuse(n ast.Node, what, hint string) {
	f.refusals = append(f.refusals, Refusal{f.fset.Position(n.Pos()), what, hint})
}

// refuseAt refuses a function where it is reached, and one with type parameters before anything
// runs.
func (f *file) refuseAt(fn ast.Expr, what, hint string) {
	if named := f.function(fn); named != nil && named.Signature().TypeParams().Len() > 0 {
		f.refuse(fn, what, hint)
		return
	}
	f.shim()
	f.insertBefore(f.at(fn.Pos()), local+".Refused(")
	f.insertAfter(f.at(fn.End()), ", "+strconv.Quote(Refusal{f.fset.Position(fn.Pos()), what, hint}.String())+")")
}

// language returns a line that lets the file call generic functions, if its module is older;
// without a version it is of Go 1.16.
func (f *file) language(p *pkg) string {
	if p.Module == nil || p.Module.GoVersion != "" && !older(p.Module.GoVersion, 21) {
		return ""
	}
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < f.syntax.Package && constraint.IsGoBuild(c.Text) {
				f.replace(f.at(c.Pos()), f.at(c.End()), "//go:build ("+strings.TrimPrefix(c.Text, "//go:build ")+
					") && go1.21")
				return ""
			}
		}
	}
	return "//go:build go1.21\n\n"
}

// older reports whether a version of Go 1 is older than 1.minor.
func older(version string, minor int) bool {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return false
	}
	n, err := strconv.Atoi(parts[1])
	return err == nil && parts[0] == "1" && n < minor
}

// imports exchanges imports.
func (f *file) imports() {
	for _, spec := range f.syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		switch to, ok := exchanged[path]; {
		case path == "C":
			f.usesC()
		case ok:
			name := ""
			if spec.Name == nil {
				name = path[strings.LastIndexByte(path, '/')+1:] + " "
			}
			f.replace(f.at(spec.Path.Pos()), f.at(spec.Path.End()), name+strconv.Quote(to))
		}
	}
}

// walk rewrites a node: first what is in it, then itself.
func (f *file) walk(n ast.Node) {
	if s, ok := n.(*ast.SelectStmt); ok {
		f.skipCases(s)
	}
	if s, ok := n.(*ast.ForStmt); ok {
		if r := f.waits(s); r != nil && len(r.naps) == 1 {
			f.naps[r.naps[0].Fun] = true
		}
	}
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil || c == n {
			return c == n
		}
		f.walk(c)
		return false
	})
	if f.skip[n] {
		return
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		f.goStmt(n)
	case *ast.SendStmt:
		f.shim()
		f.insertBefore(f.at(n.Chan.Pos()), local+".To(")
		f.replace(f.at(n.Chan.End()), f.at(n.Value.Pos()), ").Send(")
		f.insertAfter(f.at(n.Value.End()), ")")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			f.receive(n, ".Receive()")
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == 2 && len(n.Rhs) == 1 {
			f.receive2(n.Rhs[0])
		}
	case *ast.ValueSpec:
		if len(n.Names) == 2 && len(n.Values) == 1 {
			f.receive2(n.Values[0])
		}
	case *ast.ForStmt:
		f.forStmt(n)
	case *ast.RangeStmt:
		f.rangeStmt(n)
	case *ast.SelectStmt:
		f.selectStmt(n)
	case *ast.CallExpr:
		f.call(n)
		f.body(n)
	case *ast.BlockStmt:
		f.marked(n.List)
	case *ast.CaseClause:
		f.marked(n.Body)
	case *ast.CommClause:
		f.marked(n.Body)
	case *ast.SelectorExpr:
		f.selector(n)
	case *ast.ArrayType:
		if n.Len != nil {
			f.length(n)
		}
	}
}

// shim notes that the file uses package shim.
func (f *file) shim() { f.uses = true }

// name returns a name that the file does not use.
func (f *file) name(what string) string {
	f.numbers++
	return fmt.Sprintf("linsat%s%d", what, f.numbers)
}

// typeOf returns the core type of an expression, nil if it is not known.
func (f *file) typeOf(x ast.Expr) types.Type {
	t := f.info.TypeOf(x)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (f *file) isChannel(x ast.Expr) bool {
	_, ok := f.typeOf(x).(*types.Chan)
	return ok
}

// builtin returns the name of the builtin function that a call calls, "" if it calls another one.
func (f *file) builtin(c *ast.CallExpr) string {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := f.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// function returns the declared function or method that an expression names, nil if it is none.
func (f *file) function(x ast.Expr) *types.Func {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		fn, _ := f.info.Uses[x].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := f.info.Uses[x.Sel].(*types.Func)
		return fn
	case *ast.IndexExpr:
		return f.function(x.X)
	case *ast.IndexListExpr:
		return f.function(x.X)
	}
	return nil
}

// free reports whether an expression names a function that is no method of a value, nor a variable.
func (f *file) free(x ast.Expr) bool {
	fn := f.function(x)
	return fn != nil && fn.Signature().Recv() == nil
}

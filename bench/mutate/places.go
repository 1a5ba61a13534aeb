package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// place is a place of a package where one thing can be broken.
type place struct {
	pkg, file, function, kind string
	line, from, to            int    // the text that is replaced
	old, broken               string // that text, and what stands there in the mutant
	// both is the text of a program in which the place is broken if mutantOn is %d.
	both string
}

// key names the place as long as its function stays as it is.
func (p *place) key() string {
	return fmt.Sprintf("%s/%s:%s:%s:%s", p.pkg, p.file, p.function, p.kind, oneLine(p.old))
}

// immaterial are words whose statements and conditions decide about cost, statistics or text alone.
var immaterial = regexp.MustCompile(`(?i)budget|account|effort|stats|spen[dt]|charge|bytes|memory|deadline|stop|cancel|` +
	`ctx|spare|reuse|limit|steps|patience|tooM|release|recycle|cap$|Clip|Grow$|tried|asked|^cost|progress|Alive|LeftOut|^work$`)

// finder lists the places of one file.
type finder struct {
	pkg      string
	fset     *token.FileSet
	info     *types.Info
	src      []byte
	qualify  types.Qualifier
	function string
	file     string
	found    []place
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) add(n ast.Node, kind, broken, both string) {
	f.found = append(f.found, place{pkg: f.pkg, file: f.file, function: f.function, kind: kind,
		line: f.fset.Position(n.Pos()).Line, from: f.offset(n.Pos()), to: f.offset(n.End()),
		old: f.text(n), broken: broken, both: both})
}

// matters reports whether all that n names may change an answer: no policy constant, no account.
func (f *finder) matters(n ast.Node) bool {
	yes := true
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return yes
		}
		if immaterial.MatchString(id.Name) {
			yes = false
		}
		if o := f.info.ObjectOf(id); o != nil && o.Pos().IsValid() &&
			filepath.Base(f.fset.Position(o.Pos()).Filename) == "policy.go" {
			yes = false
		}
		return yes
	})
	return yes
}

// walk lists the places below n.
func (f *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body == nil || immaterial.MatchString(n.Name.Name) || f.onlyText(n) {
				return false
			}
			f.function = n.Name.Name
			f.walk(n.Body)
			return false
		case *ast.GenDecl: // constants and types
			return n.Tok == token.VAR
		case *ast.CallExpr:
			return f.call(n)
		case *ast.IfStmt:
			f.condition(n)
		case *ast.BinaryExpr:
			if !f.matters(n) {
				return false
			}
			f.binary(n)
		case *ast.BasicLit:
			f.literal(n)
		case *ast.IndexExpr:
			f.walk(n.X)
			if _, ok := n.Index.(*ast.BasicLit); !ok { // a[0] out of range panics: that says little
				f.walk(n.Index)
			}
			return false
		case *ast.CaseClause:
			for _, s := range n.Body {
				f.walk(s)
			}
			f.statements(n.Body)
			return false
		case *ast.BlockStmt:
			f.statements(n.List)
		}
		return true
	})
}

// onlyText reports whether all that a function returns is text.
func (f *finder) onlyText(n *ast.FuncDecl) bool {
	if n.Type.Results == nil {
		return false
	}
	for _, r := range n.Type.Results.List {
		if t, ok := f.info.TypeOf(r.Type).Underlying().(*types.Basic); !ok || t.Kind() != types.String {
			return false
		}
	}
	return true
}

// call walks the arguments that may matter: not of messages, and not the sizes of what is made.
func (f *finder) call(n *ast.CallExpr) bool {
	name := f.text(n.Fun)
	switch {
	case strings.HasPrefix(name, "fmt."), strings.HasPrefix(name, "errors."), strings.HasPrefix(name, "strings."),
		strings.HasSuffix(name, "Faultf"), name == "panic",
		immaterial.MatchString(name[strings.LastIndexByte(name, '.')+1:]):
		return false
	case name == "make" && len(n.Args) == 3:
		f.walk(n.Args[1])
		return false
	case name == "make":
		if _, ok := f.info.TypeOf(n).Underlying().(*types.Map); ok {
			return false
		}
	}
	return true
}

// condition negates the condition of an if, and leaves out a return, continue or break that is all
// of it.
func (f *finder) condition(n *ast.IfStmt) {
	if !f.matters(n.Cond) || f.isError(n.Cond) {
		return
	}
	c := f.text(n.Cond)
	f.add(n.Cond, "negate", "!("+c+")", "(mutantOn == %[1]d) != ("+c+")")
	if n.Else == nil && len(n.Body.List) == 1 {
		switch n.Body.List[0].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			f.add(n.Cond, "no early return", "false && ("+c+")", "mutantOn != %[1]d && ("+c+")")
		}
	}
}

// isError reports whether a condition asks for an error, which only broken input can cause.
func (f *finder) isError(n ast.Expr) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && types.Identical(f.info.TypeOf(b.X), types.Universe.Lookup("error").Type())
}

var comparisons = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

func (f *finder) binary(n *ast.BinaryExpr) {
	tv := f.info.Types[n]
	if tv.Value != nil {
		return
	}
	x, y := f.text(n.X), f.text(n.Y)
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		broken := x + " " + comparisons[n.Op] + " " + y
		f.add(n, "boundary", broken, "(mutantOn == %[1]d && "+broken+" || mutantOn != %[1]d && "+f.text(n)+")")
	case token.LAND, token.LOR:
		other := "||"
		if n.Op == token.LOR {
			other = "&&"
		}
		broken := "(" + x + ") " + other + " (" + y + ")"
		f.add(n, "and/or", broken, "(mutantOn == %[1]d && ("+broken+") || mutantOn != %[1]d && ("+f.text(n)+"))")
	case token.ADD, token.SUB:
		if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 {
			return
		}
		if n.Op == token.ADD {
			f.add(n, "arithmetic", x+" - "+y, "mutantPlus(%[1]d, "+x+", "+y+")")
		} else {
			f.add(n, "arithmetic", x+" + "+y, "mutantMinus(%[1]d, "+x+", "+y+")")
		}
	}
}

// literal makes a number one larger.
func (f *finder) literal(n *ast.BasicLit) {
	tv := f.info.Types[n]
	if n.Kind != token.INT || tv.Value == nil {
		return
	}
	v, exact := constant.Int64Val(tv.Value)
	if !exact {
		return
	}
	f.add(n, "constant", fmt.Sprint(v+1),
		"mutantNext["+types.TypeString(types.Default(tv.Type), f.qualify)+"](%[1]d, "+n.Value+")")
}

// statements leaves out single statements.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); !ok || f.text(call.Fun) == "panic" {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
			if slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return f.text(e) == "_" }) {
				continue
			}
		case *ast.IncDecStmt:
		default:
			continue
		}
		if f.matters(s) {
			f.add(s, "no statement", "", "if mutantOn != %[1]d { "+f.text(s)+" }")
		}
	}
}

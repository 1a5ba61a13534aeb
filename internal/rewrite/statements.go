package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// goStmt makes `go f(x)` a call: f and x are evaluated first, as Go does.
func (f *file) goStmt(s *ast.GoStmt) {
	f.shim()
	call := s.Call
	if lit, ok := call.Fun.(*ast.FuncLit); ok && len(call.Args) == 0 {
		f.replace(f.at(s.Go), f.at(lit.Pos()), local+".Go(")
		f.replace(f.at(lit.End()), f.at(call.End()), ")")
		return
	}
	direct := f.builtin(call) != "" || f.free(call.Fun)
	var names, arguments []string
	at := f.at(s.Go)
	// What is evaluated first keeps its place in the source; the rest of it is replaced.
	head := func(upTo token.Pos, text string) {
		f.replace(at, f.at(upTo), text)
	}
	kept := []ast.Expr{}
	callee := ""
	if direct {
		callee = f.render(f.at(call.Fun.Pos()), f.at(call.Fun.End()))
	} else {
		callee = f.name("F")
		names, kept = append(names, callee), append(kept, call.Fun)
	}
	for _, a := range call.Args {
		if tv := f.info.Types[a]; tv.Value != nil || tv.IsNil() || tv.IsType() {
			arguments = append(arguments, f.render(f.at(a.Pos()), f.at(a.End())))
			continue
		}
		if t, ok := f.info.TypeOf(a).(*types.Tuple); ok && t.Len() != 1 {
			f.refuse(s, "a go statement that passes on several results of a call", "assign them to variables first")
			return
		}
		n := f.name("A")
		names, kept, arguments = append(names, n), append(kept, a), append(arguments, n)
	}
	for i, x := range kept {
		text := ", "
		if i == 0 {
			text = "{ " + strings.Join(names, ", ") + " := "
		}
		head(x.Pos(), text)
		at = f.at(x.End())
	}
	ellipsis := ""
	if call.Ellipsis.IsValid() {
		ellipsis = "..."
	}
	tail := local + ".Go(func() { " + callee + "(" + strings.Join(arguments, ", ") + ellipsis + ") })"
	if len(kept) > 0 {
		tail = "; " + tail + " }"
	}
	f.replace(at, f.at(call.End()), tail)
}

// receive makes a reception a call of a method of shim.Receiver.
func (f *file) receive(x *ast.UnaryExpr, method string) {
	f.shim()
	f.replace(f.at(x.OpPos), f.at(x.X.Pos()), local+".From(")
	f.insertAfter(f.at(x.X.End()), ")"+method)
}

// receive2 makes a reception that also tells whether a value was sent one with two results. It was
// made one with one result before.
func (f *file) receive2(x ast.Expr) {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW || f.skip[u] {
		return
	}
	for i := range f.all {
		if e := &f.all[i]; e.place == after && e.from == f.at(u.X.End()) && e.text == ").Receive()" {
			e.text = ").Receive2()"
		}
	}
}

// rangeStmt makes a range over a channel receive, and one over a map go through its keys in an
// order that is a choice.
func (f *file) rangeStmt(s *ast.RangeStmt) {
	channel, isMap := false, false
	switch f.typeOf(s.X).(type) {
	case *types.Chan:
		channel = true
	case *types.Map:
		isMap = true
	default:
		return
	}
	f.shim()
	n := f.name("R")
	assign := func(to ast.Expr, value string) string {
		if id, ok := to.(*ast.Ident); to == nil || ok && id.Name == "_" {
			return ""
		}
		return " " + f.render(f.at(to.Pos()), f.at(to.End())) + " " + s.Tok.String() + " " + value + ";"
	}
	from, body := f.at(s.For), f.at(s.Body.Lbrace)+1
	within := ""
	if s.Tok == token.DEFINE { // the body may define the same names again
		within = " {"
		f.insertBefore(f.at(s.Body.Rbrace), "}")
	}
	switch {
	case channel:
		f.replace(from, f.at(s.X.Pos()), "for "+n+" := "+local+".From(")
		f.replace(f.at(s.X.End()), body, "); "+n+".Next(); {"+assign(s.Key, n+".Value")+within)
	case isMap:
		f.replace(from, f.at(s.X.Pos()), "for _, "+n+" := range "+local+".Entries(")
		f.replace(f.at(s.X.End()), body, ") { if !"+n+".There() { continue };"+assign(s.Key, n+".Key")+
			assign(s.Value, n+".Value()")+within)
	}
}

// skipCases marks the channel operations of a select's cases: they are no operations by themselves.
func (f *file) skipCases(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		f.skip[comm] = true
		if x := reception(comm); x != nil {
			f.skip[x] = true
		}
	}
}

// reception returns what a case receives by, nil if it sends.
func reception(comm ast.Stmt) *ast.UnaryExpr {
	var x ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	u, _ := ast.Unparen(x).(*ast.UnaryExpr)
	return u
}

// selectStmt makes a select a switch over the number of the case that happened. Without a default,
// the last case is the switch's default, so that what ends a function still does.
func (f *file) selectStmt(s *ast.SelectStmt) {
	f.shim()
	if len(s.Body.List) == 0 {
		f.replace(f.at(s.Select), f.at(s.Body.End()), local+".Block()")
		return
	}
	hasDefault := false
	for _, c := range s.Body.List {
		hasDefault = hasDefault || c.(*ast.CommClause).Comm == nil
	}
	var names, operations []string
	for i, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm == nil {
			continue
		}
		n := f.name("C")
		head := "case " + strconv.Itoa(len(names)) + ":"
		if !hasDefault && i == len(s.Body.List)-1 {
			head = "default:"
		}
		names = append(names, n)
		text := func(x ast.Expr) string { return f.render(f.at(x.Pos()), f.at(x.End())) }
		if send, ok := clause.Comm.(*ast.SendStmt); ok {
			operations = append(operations, local+".To("+text(send.Chan)+").Of("+text(send.Value)+")")
		} else {
			operations = append(operations, local+".From("+text(reception(clause.Comm).X)+")")
		}
		if a, ok := clause.Comm.(*ast.AssignStmt); ok {
			values := []string{n + ".Value", n + ".OK"}[:len(a.Lhs)]
			var to []string
			for _, l := range a.Lhs {
				to = append(to, text(l))
			}
			tok := a.Tok.String()
			if a.Tok == token.DEFINE && strings.Trim(strings.Join(to, ""), "_") == "" {
				tok = "="
			}
			head += " " + strings.Join(to, ", ") + " " + tok + " " + strings.Join(values, ", ") + ";"
		}
		f.replace(f.at(clause.Case), f.at(clause.Colon)+1, head)
	}
	init := ""
	if len(names) > 0 {
		init = strings.Join(names, ", ") + " := " + strings.Join(operations, ", ") + "; "
	}
	f.replace(f.at(s.Select), f.at(s.Body.Lbrace), "switch "+init+local+".Select("+
		strings.Join(append([]string{strconv.FormatBool(hasDefault)}, names...), ", ")+") ")
}

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Calls of code that is not rewritten and keeps state of its own.
//
// What: a statement that may call such code is preceded by a call of shim.Outside, which is an
// access: the operation has begun before it, and the order of two of them is explored.
//
// Invariant: what a package does without sync, sync/atomic and the system is done with ordinary
// variables, as in rewritten code, and is not marked.
//
// Cost: an access for each statement; none where no such package is imported.

// stateless are packages of the standard library, with those below them, that keep nothing which
// two goroutines could share, or that are rewritten.
var stateless = []string{"archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "debug",
	"embed", "encoding", "errors", "flag", "fmt", "go", "hash",
	"html", "image", "index", "internal", "io", "iter", "log", "maps", "math", "mime", "path", "reflect", "regexp",
	"runtime", "slices", "sort", "strconv", "strings", "structs",
	"sync", "testing", "text", "time", "unicode", "unique", "unsafe", "weak", "C"}

// asserting are packages that only tell a test what is wrong, beside the standard library.
var asserting = []string{"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require"}

// keepers finds the packages that keep state.
type keepers struct {
	all   map[string]*listed
	known map[string]bool
}

// keeps reports whether a package, or what it imports, may share state between goroutines in a way
// that only rewriting shows.
func (k *keepers) keeps(path string) bool {
	if standard(path) {
		first, _, _ := strings.Cut(path, "/")
		return !slices.Contains(stateless, first)
	}
	if keeps, ok := k.known[path]; ok || strings.HasPrefix(path+"/", ours+"/") || slices.Contains(asserting, path) {
		return keeps
	}
	k.known[path] = false
	if l := k.all[path]; l != nil {
		for _, to := range l.Imports {
			if to == "sync" || to == "sync/atomic" || k.keeps(to) {
				k.known[path] = true
				break
			}
		}
	}
	return k.known[path]
}

// marked precedes the statements of a list that may call code outside.
func (f *file) marked(list []ast.Stmt) {
	for _, s := range list {
		if _, ok := s.(*ast.CaseClause); ok {
			return // what these call is called before the switch
		}
		packages, any := f.calls(s)
		if !any {
			continue
		}
		f.shim()
		var quoted []string
		for _, p := range packages {
			quoted = append(quoted, strconv.Quote(p))
		}
		f.insertBefore(f.at(s.Pos()), local+".Outside("+strings.Join(quoted, ", ")+"); ")
	}
}

// calls returns the packages outside that a statement calls, apart from the statements in it, and
// whether it may call one at all.
func (f *file) calls(s ast.Stmt) (packages []string, any bool) {
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CommClause:
			return false
		case *ast.BlockStmt:
			for _, s := range n.List {
				if c, ok := s.(*ast.CaseClause); ok {
					for _, x := range c.List {
						ast.Inspect(x, look)
					}
				}
			}
			return false
		case *ast.CallExpr:
			path, may := f.leaves(n)
			any = any || may
			if path != "" && !slices.Contains(packages, path) {
				packages = append(packages, path)
			}
		}
		return true
	}
	ast.Inspect(s, look)
	return packages, any
}

// leaves reports whether a call may leave what is rewritten, and to which package, "" if that is
// not known.
func (f *file) leaves(c *ast.CallExpr) (path string, may bool) {
	if tv := f.info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
		return "", false
	}
	fn := f.function(c.Fun)
	if fn == nil {
		_, literal := ast.Unparen(c.Fun).(*ast.FuncLit)
		return "", f.outside.some && !literal
	}
	if fn.Pkg() == nil || functions[fn.FullName()] != "" {
		return "", false
	}
	path = fn.Pkg().Path()
	if link, is := f.stubs[fn]; is && link == "" {
		return "assembly of " + path, takes(fn) && fn.Signature().Params().Len() > 0
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && path != "testing" {
		return "", f.outside.some
	}
	if !f.rewritten(path) && (f.outside.keeps(path) || strings.HasPrefix(fn.FullName(), "(*io.Pipe")) {
		return path, true
	}
	return "", false
}

// body marks the body of an operation that is a function of unknown origin.
func (f *file) body(c *ast.CallExpr) {
	fn := f.function(c.Fun)
	if !f.outside.some || fn == nil || len(c.Args) == 0 || fn.FullName() != "(*"+ours+"/linsattest.Process).Do" &&
		fn.FullName() != "(*"+ours+"/linsattest.Process).DoKey" {
		return
	}
	last := c.Args[len(c.Args)-1]
	if _, literal := ast.Unparen(last).(*ast.FuncLit); !literal {
		f.shim()
		f.insertBefore(f.at(last.Pos()), local+".Body(")
		f.insertAfter(f.at(last.End()), ")")
	}
}

// outside says what is called without being rewritten.
type outside struct {
	keeps func(path string) bool
	some  bool // a package that is rewritten imports one that keeps state
}

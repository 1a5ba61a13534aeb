package rewrite

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnlyReads: which conditions of a loop change nothing.
func TestOnlyReads(t *testing.T) {
	const head = `package p
import ("sync"; "sync/atomic")
type lock struct { mu sync.RWMutex; now, next atomic.Int64; held atomic.Bool; old int32 }
func pure() bool { return true }
func f(l *lock, n int64, c chan int, all []atomic.Bool) { for `
	for cond, want := range map[string]bool{
		"l.now.Load() != n":                              true,
		"!l.held.CompareAndSwap(false, true)":            true,
		"atomic.LoadInt32(&l.old) == 1 || l.held.Load()": true,
		"int(l.now.Load()) < len(all)":                   false, // len is a call that is not known
		"!all[n].Load()":                                 true,
		"int(l.now.Load()) == 3":                         true,
		"!l.mu.TryLock()":                                true,
		"!l.mu.TryRLock() || l.held.Load()":              true,
		"l.now.Add(1) != n":                              false,
		"l.held.Swap(true)":                              false,
		"l.now.Load() != n && pure()":                    false,
		"l.now.Load() != int64(<-c)":                     false,
		"n > 0":                                          false, // nothing is read
		"func() bool { return l.held.Load() }()":         false,
	} {
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, "p.go", head+cond+" {} }", 0)
		require.NoError(t, err, cond)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}
		config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
		_, err = config.Check("p", fset, []*ast.File{syntax}, info)
		require.NoError(t, err, cond)
		f := &file{fset: fset, syntax: syntax, info: info}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.ForStmt); ok {
				assert.Equal(t, want, f.onlyReads(s.Cond), cond)
			}
			return true
		})
	}
}

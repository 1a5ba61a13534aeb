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

// TestLoopsThatWait: of which loops the rounds that go on change nothing.
func TestLoopsThatWait(t *testing.T) {
	const head = `package p
import ("context"; "runtime"; "sync"; "sync/atomic"; "time")
type lock struct { mu sync.RWMutex; now, next atomic.Int64; held atomic.Bool; old int32; done bool; items []int }
var count int
var _, _ = runtime.GC, time.Now
func pure() bool { return true }
func (l *lock) isDone() bool { l.mu.RLock(); defer l.mu.RUnlock(); return l.done }
func (l *lock) size() (n int) { l.mu.Lock(); n = len(l.items); l.mu.Unlock(); return n }
func (l *lock) pop() bool { l.mu.Lock(); defer l.mu.Unlock(); if len(l.items) == 0 { return false }
	l.items = l.items[1:]; return true }
func (l *lock) deep() bool { return !l.isDone() || l.deep() }
func f(l *lock, n int64, c chan int, all []atomic.Bool, i sync.Locker, ctx context.Context) { `
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	for loop, want := range map[string]bool{
		"for l.now.Load() != n {}":                                                                   true,
		"for !l.held.CompareAndSwap(false, true) {}":                                                 true,
		"for atomic.LoadInt32(&l.old) == 1 || l.held.Load() { runtime.Gosched() }":                   true,
		"for int(l.now.Load()) < len(all) {}":                                                        true,
		"for !all[n].Load() {}":                                                                      true,
		"for !l.mu.TryRLock() || l.held.Load() {}":                                                   true,
		"for l.now.Load() != n && pure() {}":                                                         true,
		"for ctx.Err() == nil {}":                                                                    true,
		"for !l.isDone() {}":                                                                         true,
		"for l.size() == 0 { runtime.Gosched() }":                                                    true,
		"for { if l.isDone() { count++; return } }":                                                  true,
		"for { l.mu.Lock(); if l.done { count++; break }; l.mu.Unlock() }":                           true,
		"for { l.mu.Lock(); d := l.done; l.mu.Unlock(); if d { return } }":                           true,
		"for { if l.mu.TryLock() { if l.done { return }; l.mu.Unlock() } }":                          true,
		"for { if !l.held.Load() { continue }; count++; return }":                                    true,
		"for { any := false; for i := range all { any = any || all[i].Load() }; if any { return } }": true,
		"for { select { case <-c: return; default: runtime.Gosched() } }":                            true,
		"for { switch l.now.Load() { case 1: return; default: } }":                                   true,

		"for !l.held.Load() { time.Sleep(1) }":                                false,
		"for l.now.Add(1) != n {}":                                            false,
		"for l.held.Swap(true) {}":                                            false,
		"for l.now.Load() != int64(<-c) {}":                                   false,
		"for n > 0 {}":                                                        false,
		"for func() bool { return l.held.Load() }() {}":                       false,
		"for !l.held.Load() { count++ }":                                      false,
		"for !l.held.Load() { n++ }":                                          false,
		"for !l.pop() {}":                                                     false,
		"for l.deep() {}":                                                     false,
		"for { i.Lock(); if l.done { return }; i.Unlock() }":                  false,
		"for { l.mu.Lock(); l.done = true; l.mu.Unlock() }":                   false,
		"for { l.mu.Lock(); if l.done { count++; continue }; l.mu.Unlock() }": false,
		"for { l.mu.Lock(); if l.done { if n > 1 { n++; continue }; return }; l.mu.Unlock() }": false,
		"for { switch l.now.Load() { case 1: count++; break } }":                               false,
		"for ; !l.held.Load(); {}":                                          false,
		"for { if l.held.Load() { return }; *(&n) = 1 }":                    false,
		"for { if l.held.Load() { return }; l.items[0] = 1 }":               false,
		"for { if l.held.Load() { return }; l.items = append(l.items, 1) }": false,
		"for { select { case <-c: return; case c <- 1: } }":                 false,
	} {
		source := head + loop + " }"
		syntax, err := parser.ParseFile(fset, "p.go", source, 0)
		require.NoError(t, err, loop)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
		config := types.Config{Importer: imports}
		_, err = config.Check("p", fset, []*ast.File{syntax}, info)
		require.NoError(t, err, loop)
		f := &file{fset: fset, syntax: syntax, info: info, edits: edits{source: []byte(source)},
			base: fset.File(syntax.FileStart).Base(), lookers: map[*types.Func]int{},
			bodies: bodies(&pkg{syntax: []*ast.File{syntax}, info: info})}
		ast.Inspect(syntax.Decls[len(syntax.Decls)-1], func(n ast.Node) bool {
			if s, ok := n.(*ast.ForStmt); ok {
				f.forStmt(s)
				return false
			}
			return true
		})
		assert.Equal(t, want, len(f.all) > 0, loop)
		_, err = parser.ParseFile(fset, "q.go", f.render(0, len(source)), 0)
		require.NoError(t, err, loop)
	}
}

// TestLoopsThatSleep: in which loops a round that goes on changes nothing and sleeps at one place.
func TestLoopsThatSleep(t *testing.T) {
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	for loop, want := range map[string]string{
		"for !done.Load() { time.Sleep(d) }":                                       "Nap",
		"for { mu.Lock(); s := set; mu.Unlock(); if s { return }; time.Sleep(d) }": "Nap",
		"for { if done.Load() { return }; if d > 1 { continue }; time.Sleep(d) }":  "Nap",
		"for !done.Load() { time.Sleep(d); d *= 2 }":                               "Sleep",
		"for !done.Load() { time.Sleep(wait()) }":                                  "Sleep",
		"for done.Swap(true) { time.Sleep(d) }":                                    "Sleep",
		"for !done.Load() && time.Now().Before(end) { time.Sleep(d) }":             "Sleep",
		"for !done.Load() { for i := 0; i < 3; i++ { time.Sleep(d) } }":            "Sleep",
		"for !done.Load() { time.Sleep(d); if set { time.Sleep(d) } }":             "Sleep",
		"for i := 0; i < 9 && !done.Load(); i++ { time.Sleep(d) }":                 "Sleep",
		"for { time.Sleep(d) }":                                                    "Sleep",
	} {
		source := `package p; import ("sync"; "sync/atomic"; "time")
			var done atomic.Bool; var mu sync.Mutex; var set bool; var end time.Time; var sum time.Duration
			func wait() time.Duration { sum++; return sum }
			func f(d time.Duration) { ` + loop + ` }`
		text := rewrittenText(t, fset, imports, source)
		assert.Contains(t, text, local+"."+want+"(", loop)
		if want == "Sleep" {
			assert.NotContains(t, text, ".Nap(", loop)
		}
	}
}

// TestCasesThatCall: what the cases of a switch call is noted in front of it.
func TestCasesThatCall(t *testing.T) {
	fset := token.NewFileSet()
	text := rewrittenText(t, fset, importer.ForCompiler(fset, "source", nil), `package p
		import "os"
		func f(a bool) {
			switch { case a && os.Getenv("A") == "": os.Exit(1); default: }
			switch any(a).(type) { case bool: os.Clearenv() }
		}`)
	assert.Contains(t, text, local+`.Outside("os"); switch { case a`)
	assert.Contains(t, text, `case bool: `+local+`.Outside("os"); os.Clearenv()`)
}

// rewrittenText returns what a file becomes in a package whose imports are left as they are.
func rewrittenText(t *testing.T, fset *token.FileSet, imports types.Importer, source string) string {
	syntax, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err, source)
	p := &pkg{listed: &listed{}, fset: fset, syntax: []*ast.File{syntax}, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	config := types.Config{Importer: imports}
	_, err = config.Check("p", fset, p.syntax, p.info)
	require.NoError(t, err, source)
	text, _ := rewriteFile(p, syntax, []byte(source), func(string) bool { return false }, outside{
		keeps: func(path string) bool { return path == "os" }})
	_, err = parser.ParseFile(fset, "q.go", text, 0)
	require.NoError(t, err, string(text))
	return string(text)
}

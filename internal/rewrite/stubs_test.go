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

const stubsSource = `package p

import (
	"os/signal"
	"reflect"
	"sync"
	_ "unsafe"
)

type pair struct{ low, high uint64 }
type node struct { next *sync.Mutex; tag uint64 }

func swap(at *pair, from, to pair) bool
func hash(text string, key [4]byte) uint64
func wait(mu *sync.Mutex)
func pause()
func casNode(at *node, from, to node) bool
func find(in *node) bool

//go:linkname park runtime.gopark
func park()

//go:linkname now runtime.nanotime
func now() int64

func called(at *pair, mu *sync.Mutex) {
	pause()
	swap(at, pair{}, pair{1, 2})
	_ = hash("x", [4]byte{})
	_ = now()
	wait(mu)
	park()
	reflect.Select(nil)
	signal.Notify(nil)
	casNode(&node{}, node{}, node{})
	find(nil)
}
`

// TestRefusedWhereReached: what cannot be modelled is refused where it is reached. Assembly that
// gets numbers is one step.
func TestRefusedWhereReached(t *testing.T) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "p.go", stubsSource, parser.ParseComments)
	require.NoError(t, err)
	p := &pkg{listed: &listed{Module: &module{Path: "example.com/p", GoVersion: "1.26"}},
		fset: fset, syntax: []*ast.File{syntax}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits:  map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	_, err = config.Check("example.com/p", fset, p.syntax, p.info)
	require.NoError(t, err)
	text, refusals := rewriteFile(p, syntax, []byte(stubsSource), func(path string) bool { return path == "example.com/p" },
		outside{keeps: func(string) bool { return false }})
	assert.Empty(t, refusals)
	said := string(text)
	for _, want := range []string{`linsatshim.Refused(wait, "p.go:31:2: assembly`,
		`linsatshim.Refused(park, "p.go:32:2: go:linkname park runtime.gopark`,
		`linsatshim.Refused(reflect.Select, "p.go:33:2: reflect.Select`,
		`linsatshim.Refused(signal.Notify, "`,
		`func now() int64 { return linsatshim.Now().UnixNano() }`,
		`linsatshim.Outside("assembly of example.com/p"); swap(linsatshim.Words(at), pair{}`,
		`; casNode(linsatshim.Words(&node{}), node{}`, `linsatshim.Refused(find, "p.go:36:2: assembly`,
		`linsatshim.Outside("assembly of example.com/p"); _ = hash(`, "\n\tpause()\n"} {
		assert.Contains(t, said, want)
	}
	_, err = parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	require.NoError(t, err)
}

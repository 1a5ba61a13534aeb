package conformance

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoFileRefersBackUp puts the files of each package of the search in an order in which every
// file refers only to earlier ones.
func TestNoFileRefersBackUp(t *testing.T) {
	for _, name := range []string{"wgl", "pending", "collections", "search"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			below := references(t, filepath.Join("..", name))
			assert.Greater(t, len(below), 3)
			var order []string
			for len(order) < len(below) {
				before := len(order)
				for file, needs := range below {
					if !slices.Contains(order, file) && !slices.ContainsFunc(needs, func(f string) bool {
						return !slices.Contains(order, f)
					}) {
						order = append(order, file)
					}
				}
				if len(order) > before {
					continue
				}
				var left []string
				for file, needs := range below {
					if !slices.Contains(order, file) {
						left = append(left, fmt.Sprintf("%s → %v", file, slices.DeleteFunc(needs, func(f string) bool {
							return slices.Contains(order, f)
						})))
					}
				}
				slices.Sort(left)
				t.Fatalf("these files refer to each other in a circle:\n%s", strings.Join(left, "\n"))
			}
		})
	}
}

// references lists, for every file of a package besides its tests, the other ones that declare what
// it uses: package members, fields and methods.
func references(t *testing.T, dir string) map[string][]string {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles", ".")
	list.Dir = dir
	out, err := list.Output()
	require.NoError(t, err)
	exports, last := map[string]string{}, struct {
		ImportPath, Export, Dir string
		GoFiles                 []string
	}{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		require.NoError(t, d.Decode(&last)) // the package itself comes last
		exports[last.ImportPath] = last.Export
	}
	fset := token.NewFileSet()
	var files []*ast.File
	below := map[string][]string{}
	for _, name := range last.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(last.Dir, name), nil, 0)
		require.NoError(t, err)
		files = append(files, f)
		below[name] = nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	pkg, err := config.Check(last.ImportPath, fset, files, info)
	require.NoError(t, err)
	for id, o := range info.Uses {
		switch x := o.(type) {
		case *types.Var:
			o = x.Origin()
		case *types.Func:
			o = x.Origin()
		}
		if o.Pkg() != pkg {
			continue
		}
		from, to := filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(o.Pos()).Filename)
		if from != to && !slices.Contains(below[from], to) {
			below[from] = append(below[from], to)
		}
	}
	return below
}

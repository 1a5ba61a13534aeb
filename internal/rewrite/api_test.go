package rewrite

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/shimrun/order"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The shims have the whole API of the packages that they stand for: every exported name, and the
// same methods with the same signatures.
func TestShimsHaveTheWholeAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("lists packages")
	}
	paths := slices.Sorted(maps.Keys(exchanged))
	for path, shim := range exchanged {
		_ = path
		paths = append(paths, shim)
	}
	all, _, err := list(&order.Rewrite{}, false, paths)
	require.NoError(t, err)
	api := func(path string) map[string]string {
		p, err := check(all[path], all)
		require.NoError(t, err)
		// One name for the types of the package and of the one that it stands for.
		qualifier := func(of *types.Package) string {
			if of == nil || exchanged[of.Path()] == path || of.Path() == path || exchanged[path] == of.Path() {
				return ""
			}
			return of.Name()
		}
		names := map[string]string{}
		for _, file := range p.syntax {
			for _, d := range file.Decls {
				for _, name := range declared(d) {
					if !ast.IsExported(name.Name) {
						continue
					}
					o := p.info.Defs[name]
					switch o := o.(type) {
					case *types.TypeName:
						names[o.Name()] = "type"
						if _, isAlias := o.Type().(*types.Alias); isAlias {
							continue
						}
						methods := types.NewMethodSet(types.NewPointer(o.Type()))
						for i := range methods.Len() {
							if m := methods.At(i).Obj(); m.Exported() {
								names[o.Name()+"."+m.Name()] = signature(m, qualifier)
							}
						}
					case *types.Func:
						names[o.Name()] = signature(o, qualifier)
					default:
						names[name.Name] = "variable"
					}
				}
			}
		}
		return names
	}
	for path, shim := range exchanged {
		want, got := api(path), api(shim)
		require.Greater(t, len(want), 10, path)
		for name, is := range want {
			if of, _, isMethod := strings.Cut(name, "."); isMethod && got[of] == "type" && got[name] == "" &&
				path == "context" {
				continue // of an alias
			}
			assert.Equal(t, is, got[name], "%s.%s", path, name)
		}
	}
}

// declared returns the names that a declaration of a package declares, methods apart.
func declared(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

// signature writes a function without the names of what it takes and gives.
func signature(o types.Object, qualifier types.Qualifier) string {
	s := o.Type().(*types.Signature)
	var b strings.Builder
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		b.WriteString("(")
		for i := range tuple.Len() {
			b.WriteString(types.TypeString(tuple.At(i).Type(), qualifier) + ",")
		}
		b.WriteString(")")
	}
	return b.String()
}

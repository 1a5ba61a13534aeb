package rewrite

// Packages with their syntax and types, from go list. golang.org/x/tools/go/packages does the same
// and more; but what rewrites is built in the module of the tests, which has the checksums of
// linsat's modules only as far as the tests import them. So only the standard library is used here.

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"runtime"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/shimrun/order"
)

// listed is a package as go list writes it.
type listed struct {
	ImportPath      string
	ForTest         string
	Dir             string
	Export          string
	DepOnly         bool
	Standard        bool
	CgoFiles        []string
	GoFiles         []string
	CompiledGoFiles []string
	SFiles          []string
	Imports         []string
	ImportMap       map[string]string
	Module          *module
	Error           *struct{ Pos, Err string }
}

// module is the module of a package.
type module struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
	Replace                       *module
}

// path returns the import path, without what distinguishes a package that was built for a test.
func (l *listed) path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// list returns the packages of patterns and all that they depend on, by import path as go list has
// it, and the paths of those that the patterns name.
func list(r *order.Rewrite, tests bool, patterns []string) (all map[string]*listed, named []string, err error) {
	args := []string{"list", "-e",
		"-json=ImportPath,ForTest,Dir,Export,DepOnly,Standard,CgoFiles,GoFiles,CompiledGoFiles,SFiles,Imports,ImportMap,Module,Error", "-compiled", "-export", "-deps"}
	args = append(append(args, r.Flags...), r.Build...)
	if tests {
		args = append(args, "-test")
	}
	c := exec.Command("go", append(append(args, "--"), patterns...)...)
	c.Dir = r.Dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(errs.String()))
	}
	all = map[string]*listed{}
	var wrong []error
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := &listed{}
		if err := d.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, err
		}
		all[l.ImportPath] = l
		if l.Error != nil {
			wrong = append(wrong, errors.New(strings.TrimPrefix(l.Error.Pos+": "+strings.TrimSpace(l.Error.Err), ": ")))
		}
		if !l.DepOnly && !strings.HasSuffix(l.path(), ".test") {
			named = append(named, l.ImportPath)
		}
	}
	return all, named, errors.Join(wrong...)
}

// pkg is a package with syntax and types.
type pkg struct {
	*listed
	fset   *token.FileSet
	files  []string
	syntax []*ast.File
	info   *types.Info
}

// check parses a package and finds the types of its expressions.
func check(l *listed, all map[string]*listed) (*pkg, error) {
	p := &pkg{listed: l, fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}}
	files := l.CompiledGoFiles
	if len(l.CgoFiles) > 0 { // these are compiled as what cgo makes of them
		files = slices.Concat(l.GoFiles, l.CgoFiles)
	}
	for _, name := range files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(l.Dir, name)
		}
		file, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files, p.syntax = append(p.files, name), append(p.syntax, file)
	}
	imports := importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		of := all[path]
		if of == nil || of.Export == "" {
			return nil, fmt.Errorf("package %s was not built", path)
		}
		return os.Open(of.Export)
	})
	var wrong []error
	config := types.Config{
		Importer:    mapped{l.ImportMap, imports},
		FakeImportC: true,
		Sizes:       types.SizesFor("gc", runtime.GOARCH),
		Error:       func(err error) { wrong = append(wrong, err) },
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		config.GoVersion = "go" + l.Module.GoVersion
	}
	// The errors are collected by config.
	_, _ = config.Check(l.path(), p.fset, p.syntax, p.info)
	return p, errors.Join(wrong[:min(len(wrong), mostErrors)]...)
}

// mapped imports by the paths that a package's imports stand for.
type mapped struct {
	paths map[string]string
	types.Importer
}

func (m mapped) Import(path string) (*types.Package, error) {
	if to, ok := m.paths[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return m.Importer.Import(path)
}

//go:build unix

package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// internals returns the unexported names that a package declares outside its tests.
func internals(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						names[t.Name.Name] = true
					}
				}
			}
		}
	}
	for name := range names {
		if ast.IsExported(name) {
			delete(names, name)
		}
	}
	return names, nil
}

// pageData is what the page of Porcupine begins the data of an operation with.
const pageData = `"Original`

// leaveOut removes the tests of a file that look at internals, at the unexported fields of a
// LinearizationInfo or into the data of the page, and returns their names. Imports that are no
// longer used go with them.
func leaveOut(file string, internals map[string]bool) ([]string, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var kept []ast.Decl
	var left []string
	var gone []*ast.FuncDecl
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") && looksInside(fn, internals) {
			left, gone = append(left, fn.Name.Name), append(gone, fn)
			continue
		}
		kept = append(kept, d)
	}
	if len(left) == 0 {
		return nil, nil
	}
	f.Decls = kept
	f.Comments = slices.DeleteFunc(f.Comments, func(c *ast.CommentGroup) bool {
		return slices.ContainsFunc(gone, func(fn *ast.FuncDecl) bool {
			from := fn.Pos()
			if fn.Doc != nil {
				from = fn.Doc.Pos()
			}
			return from <= c.Pos() && c.Pos() < fn.End()
		})
	})
	dropImports(f)
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := format.Node(out, files, f); err != nil {
		return nil, err
	}
	return left, out.Close()
}

func looksInside(fn *ast.FuncDecl, internals map[string]bool) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // info.history
			x, ok := n.X.(*ast.Ident)
			found = found || ok && x.Name == "info" && !n.Sel.IsExported()
		case *ast.Ident:
			found = found || internals[n.Name]
		case *ast.BasicLit:
			found = found || strings.Contains(n.Value, pageData)
		}
		return !found
	})
	return found
}

// dropImports removes the imports whose package is no longer named.
func dropImports(f *ast.File) {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			path := strings.Trim(s.(*ast.ImportSpec).Path.Value, `"`)
			return !used[path[strings.LastIndex(path, "/")+1:]]
		})
	}
}

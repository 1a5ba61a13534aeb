// Command types checks the types of the module's packages, of their tests, and of what they import,
// as they are on other systems:
//
//	go run ./scripts/types windows/amd64 wasip1/wasm linux/386
//
// It reads sources and compiles nothing, which takes minutes with an empty cache. A number that 32
// bits do not hold is an error of types, as is a name that a system does not have.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as go list prints it. A test is a package with brackets in its path.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

func main() {
	for _, system := range os.Args[1:] {
		n, err := check(system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			os.Exit(1)
		}
		fmt.Printf("%s: the types of %d packages and tests are right\n", system, n)
	}
}

// check returns how many packages of the module there are.
func check(system string) (ours int, err error) {
	goos, goarch, _ := strings.Cut(system, "/")
	c := exec.Command("go", "list", "-deps", "-test",
		"-json=Dir,ImportPath,Standard,GoFiles,ImportMap,Module,Error", "./...")
	c.Env, c.Stderr = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"), os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := c.Start(); err != nil {
		return 0, err
	}
	known := imported{"unsafe": types.Unsafe}
	fset, sizes := token.NewFileSet(), types.SizesFor("gc", goarch)
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return ours, c.Wait()
		} else if err != nil {
			return 0, err
		}
		if p.Error != nil {
			return 0, errors.New(p.Error.Err)
		}
		// go test makes those that end in .test.
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		main := p.Module != nil && p.Module.Main
		if main {
			ours++
		}
		if err := known.add(&p, fset, sizes, !main); err != nil {
			return 0, err
		}
	}
}

// imported are packages by path.
type imported map[string]*types.Package

// add checks a package after those that it imports. The functions of others are taken as they are.
func (known imported) add(p *listed, fset *token.FileSet, sizes types.Sizes, foreign bool) error {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	var all []error
	config := types.Config{Sizes: sizes, IgnoreFuncBodies: foreign, Error: func(err error) { all = append(all, err) }}
	config.Importer = importer(func(path string) *types.Package {
		if instead, ok := p.ImportMap[path]; ok {
			path = instead
		}
		return known[path]
	})
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	known[p.ImportPath], _ = config.Check(path, fset, files, nil)
	return errors.Join(all...)
}

type importer func(path string) *types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i(path); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not there", path)
}

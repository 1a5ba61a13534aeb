package api

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// load type-checks the packages of a module that can be imported from outside: neither commands nor
// internal ones. It reads the compiler's export data by way of `go list -export`, run in dir, which
// compiles what is not in the build cache.
func load(dir, module string) ([]*types.Package, error) {
	listed, err := goList(dir, "-f", "{{.ImportPath}} {{.Name}}", "./...")
	if err != nil {
		return nil, err
	}
	var public []string
	for _, line := range listed {
		path, name, _ := strings.Cut(line, " ")
		if name != "main" && !internal(path) {
			public = append(public, path)
		}
	}
	listed, err = goList(dir, append([]string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, public...)...)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, line := range listed {
		path, file, _ := strings.Cut(line, " ")
		files[path] = file
	}
	reader := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("go list gives no export data of %s", path)
		}
		return os.Open(files[path])
	})
	packages := make([]*types.Package, len(public))
	for i, path := range public {
		if packages[i], err = reader.Import(path); err != nil {
			return nil, err
		}
	}
	return packages, nil
}

// internal reports whether a path can be imported from within the module only.
func internal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// goList runs go list and returns its lines.
func goList(dir string, args ...string) ([]string, error) {
	var out, errs bytes.Buffer
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, errs.Bytes())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), nil
}

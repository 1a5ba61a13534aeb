package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Request says what is rewritten.
type Request struct {
	Dir      string   // of the module, or below it; "" is the current one
	Patterns []string // the packages under test, as go test takes them
	Include  []string // further packages, as patterns
	Cache    string   // folder for rewritten files
}

// Rewritten is what go test needs to build the rewritten packages.
type Rewritten struct {
	Packages []string // the packages under test, by path
	Overlay  string   // file for -overlay
	ModFile  string   // file for -modfile, "" if none is needed
	Files    int      // how many were rewritten
}

// Refused is an error of all that cannot be modelled.
type Refused []Refusal

func (r Refused) Error() string {
	all := make([]string, len(r))
	for i := range r {
		all[i] = r[i].String()
	}
	return strings.Join(all, "\n")
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule

// Do rewrites the packages and writes what go test needs into the cache. The error is Refused if
// something cannot be modelled, or says why the packages cannot be loaded.
func Do(r Request) (*Rewritten, error) {
	under, err := load(r.Dir, true, r.Patterns)
	if err != nil {
		return nil, err
	}
	all := under
	include, err := r.included()
	if err != nil {
		return nil, err
	}
	if len(include) > 0 {
		more, err := load(r.Dir, false, include)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	w := &writer{cache: r.Cache, overlay: map[string]string{}, copies: map[string]*packages.Module{}, paths: map[string]bool{}}
	out := &Rewritten{}
	for _, p := range under {
		if path := strings.TrimSuffix(strings.TrimSuffix(p.PkgPath, ".test"), "_test"); !strings.HasSuffix(p.PkgPath, ".test") && !slices.Contains(out.Packages, path) {
			out.Packages = append(out.Packages, path)
		}
	}
	for _, p := range all {
		w.paths[p.PkgPath] = true
	}
	for _, p := range all {
		if err := w.pkg(p); err != nil {
			return nil, err
		}
	}
	if len(w.refusals) > 0 {
		return nil, w.refusals
	}
	out.Files = w.files
	return out, w.finish(r.Dir, out)
}

// ours is the module of the shims, of which only what is named is rewritten.
const ours = "github.com/linsat/linsat"

// included returns the paths of the packages that are rewritten besides those under test: those
// that were asked for, and what these and those under test import of their own modules.
func (r Request) included() ([]string, error) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule, Dir: r.Dir, Tests: true}
	under, err := packages.Load(config, r.Patterns...)
	if err != nil {
		return nil, err
	}
	config.Tests = false
	var more []*packages.Package
	if len(r.Include) > 0 {
		if more, err = packages.Load(config, r.Include...); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	var paths []string
	var follow func(p *packages.Package)
	follow = func(p *packages.Package) {
		for _, i := range p.Imports {
			if i.Module == nil || p.Module == nil || i.Module.Path != p.Module.Path || strings.HasPrefix(i.PkgPath+"/", ours+"/") || seen[i.PkgPath] || strings.HasSuffix(i.PkgPath, ".test") {
				continue
			}
			seen[i.PkgPath] = true
			paths = append(paths, i.PkgPath)
			follow(i)
		}
	}
	for _, p := range under {
		seen[p.PkgPath] = true
	}
	for _, p := range more {
		if !seen[p.PkgPath] {
			seen[p.PkgPath] = true
			paths = append(paths, p.PkgPath)
		}
	}
	for _, p := range append(under, more...) {
		follow(p)
	}
	slices.Sort(paths)
	return paths, nil
}

// load returns packages with syntax and types, tests of them included if asked for.
func load(dir string, tests bool, patterns []string) ([]*packages.Package, error) {
	all, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Tests: tests}, patterns...)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, p := range all {
		for _, e := range p.Errors {
			errs = append(errs, e)
		}
	}
	return all, errors.Join(errs...)
}

// writer writes rewritten files.
type writer struct {
	cache    string
	overlay  map[string]string           // file → its rewritten copy
	copies   map[string]*packages.Module // of modules of the module cache, by folder
	paths    map[string]bool             // of the packages that are rewritten
	done     map[string]bool
	files    int
	refusals Refused
}

// pkg rewrites the files of a package.
func (w *writer) pkg(p *packages.Package) error {
	if w.done == nil {
		w.done = map[string]bool{}
	}
	for _, f := range p.OtherFiles {
		if ext := filepath.Ext(f); (ext == ".s" || ext == ".S") && instructs(f) {
			w.refusals = append(w.refusals, Refusal{At: at(f), What: "assembly", Hint: "code in assembly cannot be explored"})
		}
	}
	for i, syntax := range p.Syntax {
		name := p.CompiledGoFiles[i]
		if w.done[name] || !strings.HasSuffix(name, ".go") || strings.HasSuffix(p.PkgPath, ".test") {
			continue
		}
		w.done[name] = true
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, refusals := rewriteFile(p, syntax, source, func(path string) bool {
			return w.paths[path] || strings.HasPrefix(path, "github.com/linsat/linsat/linsattest")
		})
		w.refusals = append(w.refusals, refusals...)
		if err := w.write(p, name, text); err != nil {
			return err
		}
	}
	return nil
}

// write keeps the rewritten text of a file: in the overlay, or in a copy of its module.
func (w *writer) write(p *packages.Package, name string, text []byte) error {
	w.files++
	if m := p.Module; m != nil && !m.Main && m.Replace == nil && m.Version != "" {
		rest, err := filepath.Rel(m.Dir, name)
		if err != nil {
			return err
		}
		folder := filepath.Join(w.cache, "modules", filepath.FromSlash(m.Path)+"@"+m.Version)
		if w.copies[folder] == nil {
			w.copies[folder] = m
			if err := copyModule(m, folder); err != nil {
				return err
			}
		}
		return writeIfChanged(filepath.Join(folder, rest), text)
	}
	to := filepath.Join(w.cache, "files", strings.ReplaceAll(filepath.ToSlash(name), "/", "%"))
	w.overlay[name] = to
	return writeIfChanged(to, text)
}

// copyModule copies a module of the module cache, so that its files can be changed.
func copyModule(m *packages.Module, folder string) error {
	marker := filepath.Join(folder, ".complete")
	if _, err := os.Stat(marker); err == nil {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.CopyFS(folder, os.DirFS(m.Dir)); err != nil {
		return err
	}
	// The module cache is read-only, and so are copies of its files.
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module "+m.Path+"\n"), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(marker, nil, 0o644)
}

// finish writes the overlay, and a go.mod with the copies of modules.
func (w *writer) finish(dir string, out *Rewritten) error {
	text, err := json.MarshalIndent(map[string]any{"Replace": w.overlay}, "", "\t")
	if err != nil {
		return err
	}
	out.Overlay = filepath.Join(w.cache, "overlay.json")
	if err := writeIfChanged(out.Overlay, text); err != nil {
		return err
	}
	if len(w.copies) == 0 {
		return nil
	}
	mod, err := goMod(dir)
	if err != nil {
		return err
	}
	text, err = os.ReadFile(mod)
	if err != nil {
		return err
	}
	folders := make([]string, 0, len(w.copies))
	for folder := range w.copies {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	// Relative replacements are relative to the file.
	text = bytes.ReplaceAll(text, []byte("=> ../"), []byte("=> "+filepath.ToSlash(filepath.Dir(filepath.Dir(mod)))+"/"))
	text = bytes.ReplaceAll(text, []byte("=> ./"), []byte("=> "+filepath.ToSlash(filepath.Dir(mod))+"/"))
	for _, folder := range folders {
		m := w.copies[folder]
		text = fmt.Appendf(text, "\nreplace %s %s => %s\n", m.Path, m.Version, filepath.ToSlash(folder))
	}
	out.ModFile = filepath.Join(w.cache, "go.mod")
	if err := writeIfChanged(out.ModFile, text); err != nil {
		return err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(mod, ".mod") + ".sum")
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return writeIfChanged(filepath.Join(w.cache, "go.sum"), sums)
}

// writeIfChanged writes a file unless it holds that already, so that builds of it stay good.
func writeIfChanged(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

package rewrite

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/shimrun/order"
)

// Refused is an error of all that cannot be modelled.
type Refused []Refusal

func (r Refused) Error() string {
	all := make([]string, len(r))
	for i := range r {
		all[i] = r[i].String()
	}
	return strings.Join(all, "\n")
}

// Do rewrites the packages and writes what go test needs into the cache. The error is Refused if
// something cannot be modelled, or says why the packages cannot be loaded.
func Do(r order.Rewrite) (*order.Rewritten, error) {
	all, named, err := list(&r, true, r.Patterns)
	if err != nil {
		return nil, err
	}
	include := slices.DeleteFunc(slices.Clone(r.Include), func(p string) bool { return p == mapPackage })
	if len(include) > 0 {
		more, included, err := list(&r, false, include)
		if err != nil {
			return nil, err
		}
		maps.Copy(more, all)
		all, named = more, append(named, included...)
	}
	as, err := left(&r, all)
	if err != nil {
		return nil, err
	}
	named = withOwn(all, named, as)
	known := keepers{all, map[string]bool{}}
	w := &writer{cache: r.Cache, overlay: map[string]string{}, copies: map[string]*module{}, paths: map[string]bool{},
		done: map[string]bool{}, outside: outside{keeps: known.keeps}}
	for _, path := range named {
		w.paths[all[path].path()] = true
	}
	for _, path := range named {
		w.outside.some = w.outside.some || own(all[path].Module) && slices.ContainsFunc(all[path].Imports,
			func(to string) bool {
				return (all[to] == nil || !w.paths[all[to].path()]) && known.keeps(to)
			})
	}
	for _, path := range named {
		if err := w.pkg(all[path], all); err != nil {
			return nil, err
		}
	}
	if len(include) < len(r.Include) {
		if err := w.installedMap(&r); err != nil {
			return nil, err
		}
	}
	if len(w.refusals) > 0 {
		return nil, w.refusals
	}
	out := &order.Rewritten{Files: w.files}
	return out, w.finish(r.Dir, out)
}

// ours is the module of the shims, of which only what is named is rewritten.
const ours = "github.com/linsat/linsat"

// own reports whether a module is the user's own code: not of the module cache.
func own(m *module) bool {
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// withOwn returns the named packages and what these import of their own modules, and of others of
// the user's: those of a go.work, and those that a folder replaces, but for those that are left as
// they are.
func withOwn(all map[string]*listed, named []string, left map[string]bool) []string {
	seen := maps.Clone(left)
	named = slices.DeleteFunc(named, func(path string) bool { return left[all[path].path()] })
	for _, path := range named {
		seen[path], seen[all[path].path()] = true, true
	}
	for i := 0; i < len(named); i++ {
		from := all[named[i]]
		for _, path := range from.Imports {
			to := all[path]
			if to == nil || to.Module == nil || from.Module == nil || to.Module.Path != from.Module.Path &&
				!own(to.Module) || strings.HasPrefix(to.path()+"/", ours+"/") || seen[path] {
				continue
			}
			seen[path] = true
			named = append(named, path)
		}
	}
	return named
}

// left returns the packages that stay as they are.
func left(r *order.Rewrite, all map[string]*listed) (map[string]bool, error) {
	paths := map[string]bool{}
	if len(r.Exclude) == 0 {
		return paths, nil
	}
	_, named, err := list(r, false, r.Exclude)
	if err != nil {
		return nil, err
	}
	for _, path := range named {
		paths[path] = true
	}
	for path, l := range all {
		if l.ForTest != "" && paths[l.path()] {
			return nil, fmt.Errorf("%s is under test, so it cannot be left as it is", l.path())
		}
		paths[path] = paths[l.path()]
	}
	return paths, nil
}

// writer writes rewritten files.
type writer struct {
	cache    string
	overlay  map[string]string  // file → its rewritten copy
	copies   map[string]*module // of modules of the module cache, by folder
	paths    map[string]bool    // of the packages that are rewritten
	done     map[string]bool
	outside  outside
	files    int
	refusals Refused
}

// pkg rewrites the files of a package.
func (w *writer) pkg(l *listed, all map[string]*listed) error {
	p, err := check(l, all)
	if err != nil {
		return err
	}
	for i, syntax := range p.syntax {
		name := p.files[i]
		if w.done[name] {
			continue
		}
		w.done[name] = true
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, refusals := rewriteFile(p, syntax, source, func(path string) bool {
			return w.paths[path] || strings.HasPrefix(path, "github.com/linsat/linsat/linsattest")
		}, w.outside)
		w.refusals = append(w.refusals, refusals...)
		if err := w.write(p, name, text); err != nil {
			return err
		}
	}
	return nil
}

// write keeps the rewritten text of a file: in the overlay, or in a copy of its module.
func (w *writer) write(p *pkg, name string, text []byte) error {
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
		return order.WriteIfChanged(filepath.Join(folder, rest), text)
	}
	to := filepath.Join(w.cache, "files", strings.ReplaceAll(filepath.ToSlash(name), "/", "%"))
	w.overlay[name] = to
	return order.WriteIfChanged(to, text)
}

// copyModule copies a module of the module cache, so that its files can be changed.
func copyModule(m *module, folder string) error {
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
func (w *writer) finish(dir string, out *order.Rewritten) error {
	text, err := json.MarshalIndent(map[string]any{"Replace": w.overlay}, "", "\t")
	if err != nil {
		return err
	}
	out.Overlay = filepath.Join(w.cache, "overlay.json")
	if err := order.WriteIfChanged(out.Overlay, text); err != nil {
		return err
	}
	if len(w.copies) == 0 {
		return nil
	}
	mod, err := goMod(dir)
	if err != nil {
		return err
	}
	var replaced []string
	for folder, m := range w.copies {
		replaced = append(replaced, fmt.Sprintf("replace %s %s => %s", m.Path, m.Version, filepath.ToSlash(folder)))
	}
	slices.Sort(replaced)
	out.ModFile, err = order.CopyMod(mod, w.cache, replaced...)
	return err
}

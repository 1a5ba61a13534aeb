package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// helper is a file that each broken package gets besides.
const helper = `package %s

import (
	"os"
	"strconv"
)

var mutantOn, _ = strconv.Atoi(os.Getenv("LINSAT_MUTANT"))

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float64
}

func mutantPlus[T mutantNumber](id int, a, b T) T {
	if mutantOn == id {
		return a - b
	}
	return a + b
}

func mutantMinus[T mutantNumber](id int, a, b T) T {
	if mutantOn == id {
		return a + b
	}
	return a - b
}

func mutantNext[T mutantNumber](id int, a T) T {
	if mutantOn == id {
		return a + 1
	}
	return a
}
`

// source is one package as it is.
type source struct {
	Name, ImportPath, Dir, Export string
	GoFiles                       []string
	parsed                        []*ast.File
	text                          map[string][]byte
	*compiled
}

// compiled holds what packages import, as it was compiled, read once.
type compiled struct {
	fset    *token.FileSet
	imports types.Importer
}

// load lists packages, and compiles those that they need.
func load(root string, paths []string) (sources []*source, err error) {
	c := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=Name,ImportPath,Dir,Export,GoFiles"},
		paths...)...)
	c.Dir, c.Stderr = root, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	files, all := map[string]string{}, &compiled{fset: token.NewFileSet()}
	all.imports = importer.ForCompiler(all.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		s := &source{text: map[string][]byte{}, compiled: all}
		if err := d.Decode(s); err == io.EOF {
			return sources, nil
		} else if err != nil {
			return nil, err
		}
		files[s.ImportPath] = s.Export
		if slices.Contains(paths, "./"+strings.TrimPrefix(s.ImportPath, module+"/")) {
			sources = append(sources, s)
		}
	}
}

// typed parses the files of a package, some of them replaced, and checks their types.
func (s *source) typed(instead map[string][]byte) (*types.Info, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}}
	s.parsed = nil
	files := map[string][]byte{"mutant_on.go": fmt.Appendf(nil, helper, s.Name)}
	for _, name := range s.GoFiles {
		if files[name] = instead[name]; instead[name] == nil {
			text, err := os.ReadFile(filepath.Join(s.Dir, name))
			if err != nil {
				return nil, err
			}
			files[name], s.text[name] = text, text
		}
	}
	for _, name := range append(slices.Clone(s.GoFiles), "mutant_on.go") {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.Dir, name), files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.parsed = append(s.parsed, f)
	}
	_, err := (&types.Config{Importer: s.imports}).Check(s.ImportPath, s.fset, s.parsed, info)
	return info, err
}

// find lists every place of a package.
func (s *source) find() ([]place, error) {
	info, err := s.typed(nil)
	if err != nil {
		return nil, err
	}
	var all []place
	for i, file := range s.parsed[:len(s.parsed)-1] {
		name := s.GoFiles[i]
		if name == "policy.go" {
			continue
		}
		f := finder{pkg: strings.TrimPrefix(s.ImportPath, module+"/"), file: name, fset: s.fset, info: info,
			src: s.text[name], qualify: func(p *types.Package) string {
				if p.Path() == s.ImportPath {
					return ""
				}
				return p.Name()
			}}
		f.walk(file)
		all = append(all, f.found...)
	}
	return all, nil
}

// choose draws n places of a package that do not overlap: a kind, then a place of it. What does not
// compile is left out, and what is known to change nothing.
func (s *source) choose(all []place, n int, rng *rand.Rand) (chosen []place) {
	for len(chosen) < n && len(all) > 0 {
		var kinds []string
		for _, p := range all {
			if !slices.Contains(kinds, p.kind) {
				kinds = append(kinds, p.kind)
			}
		}
		kind := kinds[rng.IntN(len(kinds))]
		var of []int
		for i, p := range all {
			if p.kind == kind {
				of = append(of, i)
			}
		}
		i := of[rng.IntN(len(of))]
		p := all[i]
		all = slices.Delete(all, i, i+1)
		if _, known := equivalent[p.key()]; known || slices.ContainsFunc(chosen, func(q place) bool {
			return q.file == p.file && (q.from < p.to && p.from < q.to || q.key() == p.key())
		}) {
			continue
		}
		instead := broken(s.text[p.file], map[int]place{1: p})
		if _, err := s.typed(map[string][]byte{p.file: instead}); err != nil {
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// broken is the text of a file with every place as it is and as it would be broken.
func broken(text []byte, places map[int]place) []byte {
	var ids []int
	for id := range places {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int) int { return places[b].from - places[a].from })
	out := slices.Clone(text)
	for _, id := range ids {
		p := places[id]
		format := strings.ReplaceAll(strings.ReplaceAll(p.both, "%", "%%"), "%%[1]d", "%[1]d")
		out = slices.Replace(out, p.from, p.to, fmt.Appendf(nil, format, id)...)
	}
	return out
}

// write writes the broken files into a folder, and the overlay that puts them in place.
func write(dir string, sources []*source, places map[int]place) (overlay string, err error) {
	replace := map[string]string{}
	put := func(at, name string, text []byte) error {
		replace[at] = filepath.Join(dir, name)
		return os.WriteFile(replace[at], text, 0o644)
	}
	for _, s := range sources {
		short := strings.TrimPrefix(s.ImportPath, module+"/")
		flat := strings.ReplaceAll(short, "/", "_") + "_"
		on := fmt.Appendf(nil, helper, s.Name)
		if err := put(filepath.Join(s.Dir, "mutant_on.go"), flat+"mutant_on.go", on); err != nil {
			return "", err
		}
		for _, name := range s.GoFiles {
			here := map[int]place{}
			for id, p := range places {
				if p.pkg == short && p.file == name {
					here[id] = p
				}
			}
			if len(here) == 0 {
				continue
			}
			if err := put(filepath.Join(s.Dir, name), flat+name, broken(s.text[name], here)); err != nil {
				return "", err
			}
		}
	}
	overlay = filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o644)
}

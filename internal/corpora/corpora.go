// Package corpora knows the public collections of recorded histories: which files of a clone are
// histories, and which verdicts are known of them. It fetches nothing.
package corpora

import (
	"encoding/csv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// Verdicts is the name of the file, in a folder of histories, that states what is known of them.
const Verdicts = "verdicts.csv"

// Collection is a repository that holds recorded histories.
type Collection struct {
	Name, Repository, Licence string
	// mark is a file or folder that only its clones have.
	mark string
	// history is an expression for the names of histories in a clone; its group is the name in the
	// layout.
	history string
	known   func(clone fs.FS) (func(name string) (linearizable, ok bool), error)
}

// Collections lists what Find recognises.
var Collections = []Collection{
	{Name: "porcupine", Repository: "github.com/anishathalye/porcupine", Licence: "MIT", mark: "test_data/jepsen",
		history: `^test_data/(jepsen/.*\.log|kv/.*\.txt)$`,
		known:   asserted},
	// Other models than these two begin in a state that their file does not say.
	{Name: "knossos", Repository: "github.com/jepsen-io/knossos", Licence: "EPL-1.0", mark: "data/cas-register",
		history: `^data/(.*\.edn)$`,
		known:   named(`^(cas-register|mutex)/good/`, `/bad/`)},
	{Name: "violin", Repository: "github.com/imdea-software/violin", Licence: "MIT",
		mark:    "data/histories/generated",
		history: `^data/histories/(?:generated/)?(.*\.log)$`,
		known:   named(`-safe-`, `-violation-`)},
	{Name: "fastlin", Repository: "github.com/solarrabbit99/fastlin", Licence: "MIT", mark: "testcases/priorityqueue",
		history: `^testcases/(.*\.log)$`,
		known:   named(`/lin_`, `/nonlin_`)},
	{Name: "limo", Repository: "github.com/grahnen/LiMo", Licence: "GPL-3.0", mark: "histories/simple/stack",
		history: `^histories/simple/(.*\.hist)$`,
		known:   named(`/safe/`, `/violation/`)},
	{Name: "lowe", Repository: "github.com/ahorn/linearizability-checker", Licence: "none stated", mark: "hashset",
		history: `^(hashset/.*\.log)$`,
		known:   named(`^$`, `^$`)},
}

// File is a history of a clone.
type File struct {
	Name         string // in the layout, with slashes
	Path         string // where it is
	Known        bool   // whether Linearizable is known
	Linearizable bool
}

// Find returns the collection of which dir is a clone, with its histories in the order of their
// names; nil if there is none.
func Find(dir string) (*Collection, []File, error) {
	clone := os.DirFS(dir)
	for i := range Collections {
		c := &Collections[i]
		if _, err := fs.Stat(clone, c.mark); err != nil {
			continue
		}
		files, err := c.files(dir, clone)
		return c, files, err
	}
	return nil, nil, nil
}

func (c *Collection) files(dir string, clone fs.FS) (files []File, err error) {
	known, err := c.known(clone)
	if err != nil {
		return nil, err
	}
	history := regexp.MustCompile(c.history)
	err = fs.WalkDir(clone, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 {
			return err // the file of a recording that failed
		}
		if m := history.FindStringSubmatch(name); m != nil {
			f := File{Name: m[1], Path: filepath.Join(dir, filepath.FromSlash(name))}
			f.Linearizable, f.Known = known(f.Name)
			files = append(files, f)
		}
		return nil
	})
	return files, err
}

// named knows a verdict by what the name of a file matches.
func named(linearizable, not string) func(fs.FS) (func(string) (bool, bool), error) {
	return func(fs.FS) (func(string) (bool, bool), error) {
		yes, no := regexp.MustCompile(linearizable), regexp.MustCompile(not)
		return func(name string) (bool, bool) {
			is := yes.MatchString(name)
			return is, is || no.MatchString(name)
		}, nil
	}
}

// assertion is a verdict in Porcupine's tests.
const assertion = `check(Jepsen|Kv)\(t, (?:"([^"]+)"|([0-9]+)), (true|false)`

// asserted knows the verdicts that Porcupine's own tests assert: of the logs of etcd by number, of
// key-value stores by name.
func asserted(clone fs.FS) (func(string) (bool, bool), error) {
	text, err := fs.ReadFile(clone, "porcupine_test.go")
	if err != nil {
		return nil, err
	}
	verdicts := map[string]bool{}
	for _, m := range regexp.MustCompile(assertion).FindAllStringSubmatch(string(text), -1) {
		name := path.Join("kv", m[2]+".txt")
		if n, err := strconv.Atoi(m[3]); err == nil && m[1] == "Jepsen" {
			name = "jepsen/etcd_" + leftPadded(n) + ".log"
		}
		verdicts[name] = m[4] == "true"
	}
	return func(name string) (bool, bool) {
		is, ok := verdicts[name]
		return is, ok
	}, nil
}

func leftPadded(n int) string {
	s := strconv.Itoa(n)
	return "000"[min(len(s), 3):] + s
}

// Lay makes dir the layout of a collection: a link to every history below its name, and Verdicts.
func Lay(dir string, files []File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	known := [][]string{{"file", "linearizable"}}
	for _, f := range files {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		from, err := filepath.Abs(f.Path)
		if err != nil {
			return err
		}
		if old, err := os.Readlink(to); err != nil || old != from {
			if err := os.Symlink(from, to); err != nil {
				return err
			}
		}
		if f.Known {
			known = append(known, []string{f.Name, strconv.FormatBool(f.Linearizable)})
		}
	}
	out, err := os.Create(filepath.Join(dir, Verdicts))
	if err != nil {
		return err
	}
	defer out.Close()
	w := csv.NewWriter(out)
	if err := w.WriteAll(known); err != nil {
		return err
	}
	return out.Close()
}

// KnownOf returns the verdicts that the nearest Verdicts file above each of the files states.
func KnownOf(files []string) (map[string]bool, error) {
	known, byFolder := map[string]bool{}, map[string]map[string]bool{}
	for _, file := range files {
		for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
			stated, ok := byFolder[dir]
			if !ok {
				var err error
				if stated, err = readVerdicts(dir); err != nil {
					return nil, err
				}
				byFolder[dir] = stated
			}
			if stated != nil {
				if name, err := filepath.Rel(dir, file); err == nil {
					if is, ok := stated[filepath.ToSlash(name)]; ok {
						known[file] = is
					}
				}
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return known, nil
}

// readVerdicts reads what a folder states of its histories; nil if it states nothing.
func readVerdicts(dir string) (map[string]bool, error) {
	in, err := os.Open(filepath.Join(dir, Verdicts))
	if err != nil {
		return nil, nil // most folders have none
	}
	defer in.Close()
	lines, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], []string{"file", "linearizable"}) {
		return nil, nil // another table of this name
	}
	stated := map[string]bool{}
	for _, line := range lines[1:] {
		stated[line[0]] = line[1] == "true"
	}
	return stated, nil
}

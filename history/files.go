package history

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// Files lists the histories under a path: the file itself, or all in a directory and those below
// it, sorted. "-" stays as it is.
//
// In a directory a file counts if its format is recognised. Hidden files and directories are
// skipped, and so are files that are never histories: prose, programs and pictures, by
// their extensions, and names like README and LICENSE. Files with the extension of a history
// (.json, .jsonl, .edn, .log) always count, so that a damaged one is not skipped silently. A
// directory without histories is refused. A Jepsen test is a directory with several files about one
// history; one of them counts (store.go). A report of etcd's robustness tests is a directory whose
// files are one history; it counts itself (etcd_report.go).
//
// note, unless it is nil, is called for each file and directory that is skipped although it may
// hold a history, with the reason.
func Files(path string, note func(file, why string)) ([]string, error) {
	if note == nil {
		note = func(string, string) {}
	}
	if path == "-" {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	w := walk{root: path, note: note}
	if err := w.directory(path); err != nil {
		return nil, err
	}
	if len(w.files) == 0 {
		e := &Error{File: path, What: "no history in this directory",
			Hint: "name files, or a directory that holds some"}
		if len(w.backups) > 0 {
			e.Hint = "there are backup copies; name one to check it: " + w.backups[0]
		}
		return nil, e
	}
	slices.Sort(w.files)
	return w.withoutCopies(), nil
}

// walk collects the histories of a directory.
type walk struct {
	root    string
	note    func(file, why string)
	files   []string
	backups []string
}

func (w *walk) directory(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return openError(dir, err)
	}
	if len(etcdReport(dir)) > 0 || len(cobraLogs(dir)) > 0 {
		w.files = append(w.files, dir)
		return nil
	}
	test := testIn(dir, entries)
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		kind := entry.Type()
		switch {
		case strings.HasPrefix(entry.Name(), "."):
			continue
		case kind&fs.ModeSymlink != 0:
			info, err := os.Stat(path)
			if err != nil {
				continue
			}
			if info.IsDir() {
				w.link(path)
				continue
			}
			kind = info.Mode().Type()
		}
		switch {
		case kind.IsDir():
			if !test.skips(entry.Name()) {
				if err := w.directory(path); err != nil {
					return err
				}
			}
		case kind.IsRegular():
			w.file(path, test)
		}
	}
	return nil
}

// link skips a link to a directory, silently if the directory is found by its own name, too.
func (w *walk) link(path string) {
	root, err1 := filepath.EvalSymlinks(w.root)
	target, err2 := filepath.EvalSymlinks(path)
	if err1 != nil || err2 != nil {
		return
	}
	if inside, err := filepath.Rel(root, target); err != nil || inside == ".." ||
		strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		w.note(path, "a link to a directory elsewhere is skipped; name it to check it")
	}
}

// file decides whether a file counts.
func (w *walk) file(path string, test jepsenTest) {
	name := lex.UnpackedName(path)
	switch {
	case test.history == filepath.Base(path):
		w.files = append(w.files, path)
	case test.about(name):
	case name == "results.edn":
		w.note(path, "results of a Jepsen test whose history is not here")
	case isBackup(name):
		if isHistory(path, withoutBackup(name)) {
			w.backups = append(w.backups, path)
			w.note(path, "a backup copy is skipped; name it to check it")
		}
	case isHistory(path, name):
		w.files = append(w.files, path)
	}
}

var (
	historyEndings = []string{".json", ".jsonl", ".edn", ".log"}
	otherEndings   = []string{".md", ".html", ".svg", ".png", ".jpg", ".pdf", ".go", ".py", ".sh", ".clj", ".yml",
		".yaml", ".toml"}
	otherNames    = []string{"readme", "license", "licence", "copying", "notice", "manifest", "makefile"}
	backupEndings = []string{"~", ".bak", ".backup", ".orig", ".old", ".save"}
)

// isHistory decides whether a file of a directory counts as a history. The name is unpacked.
func isHistory(path, name string) bool {
	ending := filepath.Ext(name)
	if slices.Contains(otherEndings, ending) || slices.Contains(otherNames, strings.TrimSuffix(name, ending)) {
		return false
	}
	return slices.Contains(historyEndings, ending) || recognisable(path)
}

// isBackup reports whether a name is one that editors and people give to copies.
func isBackup(name string) bool { return withoutBackup(name) != name }

// withoutBackup is the name of what a backup copy is of.
func withoutBackup(name string) string {
	if len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#' {
		return name[1 : len(name)-1]
	}
	for _, ending := range backupEndings {
		if short, ok := strings.CutSuffix(name, ending); ok && short != "" {
			return short
		}
	}
	return name
}

// recognisable reports whether the file begins like one of the formats.
func recognisable(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	plain, _, done, err := unpack(f, 0)
	if err != nil {
		return false
	}
	defer done()
	_, err = formatOf(lex.NewSource(plain, 0), "")
	return err == nil
}

package history

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files lists the histories under a path: the file itself, or all in a directory
// and those below it, sorted. "-" stays as it is.
//
// In a directory a file counts if its format is recognised. Hidden files and
// directories are skipped, and so is what never is a history: text in prose, tables,
// programs and pictures by their endings, and names like README and LICENSE. What has the ending of
// a history (.json, .jsonl, .edn, .log) counts in any case, so that a damaged one is
// not passed over in silence. A directory without any is refused.
func Files(path string) ([]string, error) {
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
	var files []string
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return openError(name, err)
		}
		if name != path && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(name); err != nil || info.IsDir() {
				return nil
			}
		} else if !entry.Type().IsRegular() {
			return nil
		}
		if isHistory(name) {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &Error{File: path, What: "no history in this directory", Hint: "name files, or a directory that holds some"}
	}
	slices.Sort(files)
	return files, nil
}

var (
	historyEndings = []string{".json", ".jsonl", ".edn", ".log"}
	otherEndings   = []string{".md", ".csv", ".tsv", ".html", ".svg", ".png", ".jpg", ".pdf", ".go", ".py", ".sh", ".clj", ".yml", ".yaml", ".toml"}
	otherNames     = []string{"readme", "license", "licence", "copying", "notice", "manifest", "makefile"}
)

// isHistory decides whether a file of a directory counts as a history.
func isHistory(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
	ending := filepath.Ext(base)
	if slices.Contains(otherEndings, ending) || slices.Contains(otherNames, strings.TrimSuffix(base, ending)) {
		return false
	}
	return slices.Contains(historyEndings, ending) || recognisable(name)
}

// recognisable says whether the file begins like one of the formats.
func recognisable(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	plain, done, err := unpack(f, 0)
	if err != nil {
		return false
	}
	defer done()
	_, err = newSource(plain, 0).format("")
	return err == nil
}

package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
)

// passedOver prints which files of a directory are skipped, and why.
func passedOver(w io.Writer) func(file, why string) {
	return func(file, why string) { escape.Fprintf(w, "linsat: %s: %s\n", file, why) }
}

// one returns the history that an argument of a command holds: a file, or the only one of a folder.
func (s *solver) one(command, arg string) (string, error) {
	files, err := history.Files(arg, passedOver(s.notes))
	if err != nil {
		return "", err
	}
	if files = once(files, []string{arg}, passedOver(s.notes)); len(files) != 1 {
		return "", cli.Hint(fmt.Errorf("%s takes one history, and %s holds %d", command, arg, len(files)),
			"name one of them, for instance "+files[0])
	}
	return files[0], nil
}

// once drops files that were found twice in directories: the shell's store/* finds a Jepsen test by
// its own name and through the link store/latest. The name without a link stays, or else the first
// one. A file that is itself an argument always stays.
func once(files, args []string, note func(file, why string)) []string {
	stays := map[string]bool{}
	for _, arg := range args {
		stays[arg] = true
	}
	kept := map[string]string{} // real name → the name that stays
	linked := map[string]bool{} // whether that name goes through a link
	real := make([]string, len(files))
	for i, file := range files {
		r, err := filepath.EvalSymlinks(file)
		if err != nil {
			r = file // the reader will report the error
		}
		plain := r == file
		if whole, err := filepath.Abs(r); err == nil {
			r = whole
		}
		real[i] = r
		if _, ok := kept[r]; !ok || plain && linked[r] {
			kept[r], linked[r] = file, !plain
		}
	}
	var all []string
	told := map[string]bool{}
	for i, file := range files {
		switch name := kept[real[i]]; {
		case stays[file], name == file && !told[file]:
			all = append(all, file)
			told[file] = true
		default:
			note(file, "the same as "+name+" is skipped")
		}
	}
	return all
}

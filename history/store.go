package history

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// Jepsen's store: store/NAME/TIME is the directory of a test, and holds one history in
// several files, with the results of its analysis.
//
//	history.edn, test.jepsen, test.fressian, history.txt, jepsen.log
//	                             the history; the first one that exists counts
//	results.edn, test.edn        no history
//	independent/KEY/history.edn  the part of a key, which the history has too
//	NODE/...                     logs of the system under test
// store/latest, store/current and store/NAME/latest are links to such directories. In a store that
// was copied without links they are copies, which are skipped.

// testHistories are the files that hold the history of a test, the one that counts first.
var testHistories = []string{"history.edn", "test.jepsen", "test.fressian", "history.txt", "jepsen.log"}

// testOthers lie next to them.
var testOthers = []string{"results.edn", "test.edn"}

// jepsenTest describes a directory that may hold a Jepsen test.
type jepsenTest struct {
	history string // the file that counts, "" if this is not a test
	stored  bool   // written by Jepsen: more files lie next to the history
}

// testIn looks for a test among the entries of a directory.
func testIn(dir string, entries []fs.DirEntry) jepsenTest {
	rank := len(testHistories)
	t, found := jepsenTest{}, 0
	for _, entry := range entries {
		name := lex.UnpackedName(entry.Name())
		info, err := os.Stat(filepath.Join(dir, entry.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if slices.Contains(testOthers, name) {
			found++
		}
		if i := slices.Index(testHistories, name); i >= 0 && info.Size() > 0 {
			if found++; i < rank {
				rank, t.history = i, entry.Name()
			}
		}
	}
	t.stored = t.history != "" && found > 1
	return t
}

// about reports whether the unpacked name is that of another file about the test.
func (t jepsenTest) about(name string) bool {
	return t.history != "" && (slices.Contains(testHistories, name) || slices.Contains(testOthers, name))
}

// skips reports whether a subdirectory of the test holds no other history.
func (t jepsenTest) skips(directory string) bool {
	return t.stored || t.history != "" && directory == "independent"
}

// withoutCopies drops files under a copied link that are copies of other files.
func (w *walk) withoutCopies() []string {
	linked := func(path string) bool {
		inside, err := filepath.Rel(w.root, filepath.Dir(path))
		if err != nil {
			return false
		}
		parts := strings.Split(filepath.ToSlash(inside), "/")
		return slices.Contains(parts, "latest") || slices.Contains(parts, "current")
	}
	kept := slices.DeleteFunc(slices.Clone(w.files), linked)
	for _, path := range w.files {
		if !linked(path) {
			continue
		}
		original := slices.IndexFunc(kept, func(other string) bool { return sameContent(path, other) })
		if original < 0 {
			kept = append(kept, path)
			continue
		}
		w.note(path, "the same as "+kept[original]+" is skipped")
	}
	slices.Sort(kept)
	return kept
}

// sameContent reports whether two files of one name are the same byte by byte.
func sameContent(a, b string) bool {
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil || errB != nil || infoA.Size() != infoB.Size() {
		return false
	}
	f, err := os.Open(a)
	if err != nil {
		return false
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return false
	}
	defer g.Close()
	x, y := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, err1 := io.ReadFull(f, x)
		m, err2 := io.ReadFull(g, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false
		}
		if err1 != nil || err2 != nil {
			return (err1 == io.EOF || err1 == io.ErrUnexpectedEOF) && err1 == err2
		}
	}
}

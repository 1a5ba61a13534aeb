package rewrite

// Go's own sync.Map: package sync cannot be rewritten as a whole, since the shims need it. So the
// two files of the map are rewritten and take the place of the map of the shims, whose locks and
// atomic variables they then use. What they ask of the runtime is in explore/shim/internal/abi.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/internal/shimrun/order"
)

// mapPackage is the package whose map is rewritten.
const mapPackage = "sync"

// pieces are the files of the map: the package that has them, and what is changed apart from what
// is changed in every file.
var pieces = []struct {
	pkg, file string
	changes   [][2]string
}{
	{"sync", "map.go", [][2]string{{`isync "internal/sync"`, ""}, {"isync.", ""}, {"_ noCopy", ""}}},
	{"internal/sync", "hashtriemap.go", [][2]string{
		{`"internal/abi"`, `"` + shims + `/internal/abi"`},
		{`"internal/goarch"`, ""},
		{"goarch.PtrSize", "abi.PtrSize"},
	}},
}

// errOtherMap says that the installed Go has another map than the one known here.
var errOtherMap = errors.New(
	"the sync.Map of this version of Go cannot be explored; without --include sync a model stands in for it")

// installedMap rewrites the map of the installed Go.
func (w *writer) installedMap(r *order.Rewrite) error {
	all, _, err := list(r, false, []string{mapPackage, "internal/sync", shims + "/sync"})
	if err != nil {
		return err
	}
	shim := all[shims+"/sync"]
	for _, piece := range pieces {
		p, err := check(all[piece.pkg], all)
		if err != nil {
			return err
		}
		found := false
		for i, syntax := range p.syntax {
			if filepath.Base(p.files[i]) != piece.file {
				continue
			}
			found = true
			source, err := os.ReadFile(p.files[i])
			if err != nil {
				return err
			}
			text, refusals := rewriteFile(p, syntax, source, func(string) bool {
				return false
			}, outside{keeps: func(string) bool { return false }})
			w.refusals = append(w.refusals, refusals...)
			for _, c := range piece.changes {
				if !bytes.Contains(text, []byte(c[0])) {
					return errOtherMap
				}
				text = bytes.ReplaceAll(text, []byte(c[0]), []byte(c[1]))
			}
			if err := w.write(&pkg{listed: shim}, filepath.Join(shim.Dir, piece.file), text); err != nil {
				return err
			}
		}
		if !found {
			return fmt.Errorf("%w: no %s", errOtherMap, piece.file)
		}
	}
	return nil
}

package rewrite

import (
	"errors"

	"github.com/linsat/linsat/internal/shimrun/order"
)

// goMod returns the go.work of the workspace, or the go.mod of the module, that a folder is in.
func goMod(dir string) (string, error) {
	file, err := order.FindMod(dir)
	if err == nil && file == "" {
		err = errors.New("packages of other modules can only be rewritten inside of a module")
	}
	return file, err
}

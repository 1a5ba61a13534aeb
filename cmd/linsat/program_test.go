package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// built is where the command is, once it has been built.
var built struct {
	sync.Once
	dir  string
	fail error
}

// program builds the command, once for all tests, and returns its file.
func program(t testing.TB) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.fail = os.MkdirTemp("", "linsat-test-"); built.fail == nil {
			built.fail = exec.Command("go", "build", "-o", filepath.Join(built.dir, "linsat"), ".").Run()
		}
	})
	require.NoError(t, built.fail)
	return filepath.Join(built.dir, "linsat")
}

// cleaned runs the tests and removes the command that they built.
type cleaned struct{ *testing.M }

func (m cleaned) Run() int {
	defer func() {
		if built.dir != "" {
			_ = os.RemoveAll(built.dir)
		}
	}()
	return m.M.Run()
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnseen: what runs outside of what is rewritten gives no violation that there is none of, and
// is named; build tags and the user's other modules are heeded; a limit is no violation.
func TestUnseen(t *testing.T) {
	lib, err := os.ReadFile(filepath.Join("testdata", "unseen", "lib.go.txt"))
	require.NoError(t, err)
	var files []string
	for _, f := range []string{"fast.go.txt", "slow.go.txt", "unseen_test.go.txt"} {
		files = append(files, filepath.Join("testdata", "unseen", f))
	}
	moduleOf(t, files...)
	require.NoError(t, os.Mkdir("lib", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("lib", "lib.go"), lib, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join("lib", "go.mod"), []byte("module example.com/lib\n\ngo 1.26\n"),
		0o644))
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("go.mod",
		append(mod, "\nrequire example.com/lib v0.0.0\nreplace example.com/lib => ./lib\n"...), 0o644))
	tidied, err := exec.Command("go", "mod", "tidy").CombinedOutput()
	require.NoError(t, err, "%s", tidied)
	work := filepath.Join(t.TempDir(), "work")

	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, ".", "--", "-tags", "fast"},
		strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
	for _, name := range []string{"TestExpvar", "TestExpvarThenStep", "TestExpvarByValue", "TestExpvarByInterface",
		"TestTagged", "TestBuilds", "TestService"} {
		assert.Contains(t, out.String(), "\n"+name+": every history is linearizable\n", out.String())
	}
	assert.Contains(t, out.String(), "\nTestReplaced: not linearizable\n")
	assert.Contains(t, out.String(), "its steps are not explored: expvar (--include PACKAGE")
	assert.Regexp(t,
		`TestPlain: cannot be explored\n  read\(\) returned \d in one execution and \d in another, and touches nothing that is modelled: .* a data race, which linsat test --race shows`, out.String())

	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--run", "^TestTagged$", ".", "--",
		"-tags=slow"}, strings.NewReader(""), &out, &errs), "%s", errs.String())
	out.Reset()
	require.Equal(t, cli.Usage, run([]string{"test", "--work", work, "--run", "^(TestPlain|TestBuilds)$"},
		strings.NewReader(""), &out, &errs), "%s", out.String())
	out.Reset()
	require.Equal(t, cli.Unknown, run([]string{"test", "--work", work, "--run", "^(TestMany|TestExpvar)$"},
		strings.NewReader(""), &out, &errs), "%s", out.String())
	assert.Contains(t, out.String(), "TestMany: cannot be explored\n  an execution has at most 64 goroutines")
}

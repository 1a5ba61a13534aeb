package linsattest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files of docs/go-test.md, in a module of their own, fail as the guide says.
func TestTheGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	guide, err := os.ReadFile(filepath.Join("..", "docs", "go-test.md"))
	require.NoError(t, err)
	dir := t.TempDir()
	files := regexp.MustCompile("(?s)```go\n// (\\w+\\.go)\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	require.Len(t, files, 4)
	for _, f := range files[:2] { // the others are for linsat test
		require.NoError(t, os.WriteFile(filepath.Join(dir, f[1]), []byte(f[2]), 0o644))
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, _ := strings.Cut(string(mod), "\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module stack\n"+requirements+
			"\nrequire github.com/linsat/linsat v0.0.0\nreplace github.com/linsat/linsat => "+root+"\n"), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))

	test := exec.Command("go", "test", ".", "-args", "-linsat.dir", filepath.Join(dir, "kept"),
		"-linsat.duration", "20s")
	test.Dir = dir
	out, err := test.CombinedOutput()
	require.Error(t, err, "%s", out)
	assert.Regexp(t, `not linearizable: run \d+, 400 operations; [2-6] of them contradict each other`, string(out))
	assert.Contains(t, string(out), "CONTRADICTION: ")
	assert.FileExists(t, filepath.Join(dir, "kept", "TestStack", "violation.html"))
}

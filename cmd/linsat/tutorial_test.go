package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// moduleProxy writes what a module proxy has of this module, in one version, and returns its
// address.
func moduleProxy(t *testing.T) string {
	const version = "v0.0.1"
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	proxy := t.TempDir()
	dir := filepath.Join(proxy, "github.com", "linsat", "linsat", "@v")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list"), []byte(version+"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, version+".mod"), mod, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, version+".info"), []byte(`{"Version":"`+version+`"}`), 0o644))
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	require.NoError(t, err)
	z := zip.NewWriter(f)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if strings.HasPrefix(d.Name(), ".") && name != "." || nested == nil && name != "." ||
				d.Name() == "corpora" {
				return fs.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(name); ext != ".go" && ext != ".mod" && ext != ".sum" && ext != ".css" &&
			!strings.Contains(name, "embed") && !strings.HasPrefix(name, "internal") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create("github.com/linsat/linsat@" + version + "/" + filepath.ToSlash(name))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}))
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	return "file://" + filepath.ToSlash(proxy)
}

func output(t *testing.T, name string, args ...string) string {
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// TestTutorial goes the way of docs/go-test.md from an empty folder to the first violation, with
// this module as a proxy serves it.
func TestTutorial(t *testing.T) {
	if !testenv.Full() {
		t.Skip("builds a module from empty caches, minutes: LINSAT_FULL=1")
	}
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "go-test.md"))
	require.NoError(t, err)
	files := regexp.MustCompile("(?s)```go\n// (\\w+\\.go)\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	require.Len(t, files, 4)
	files = files[1:3] // the first is a test with many operations, the last one of other questions
	mended := regexp.MustCompile("(?s)```go\n(func \\(s \\*Stack\\) Pop.*?)```").FindStringSubmatch(string(guide))
	require.NotNil(t, mended)
	shown := regexp.MustCompile(
		"(?s)```\n…\n( +a smaller program.*?)…\n```.*```text\n(TestSchedules: every.*?)```").FindStringSubmatch(
		string(guide))
	require.NotNil(t, shown)

	maps, err := os.ReadFile(filepath.Join("testdata", "syncmap_test.go.txt"))
	require.NoError(t, err)
	cache, before := output(t, "go", "env", "GOMODCACHE"), output(t, "go", "env", "GOPROXY")
	t.Setenv("GOPROXY", moduleProxy(t)+",file://"+filepath.ToSlash(cache)+"/cache/download,"+before)
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOFLAGS", "-modcacherw -trimpath")
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "modules"))
	t.Chdir(t.TempDir())
	for _, f := range files {
		require.NoError(t, os.WriteFile(f[1], []byte(f[2]), 0o644))
	}
	output(t, "go", "mod", "init", "example.com/stack")
	output(t, "go", "get", "github.com/linsat/linsat@latest")
	work := filepath.Join(t.TempDir(), "work")
	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work}, strings.NewReader(""), &out, &errs), "%s%s",
		out.String(), errs.String())
	assert.Contains(t, timeless(out.String()), timeless(shown[1]))

	faulty := regexp.MustCompile(`(?s)func \(s \*Stack\) Pop.*`).FindString(files[0][2])
	require.NoError(t, os.WriteFile(files[0][1], []byte(strings.Replace(files[0][2], faulty, mended[1], 1)), 0o644))
	out.Reset()
	require.Equal(t, cli.Linearizable, run([]string{"test", "--work", work}, strings.NewReader(""), &out, &errs),
		"%s%s", out.String(), errs.String())
	assert.Contains(t, timeless(out.String()), timeless(shown[2]))

	// The installed map is in the copy of a module then, not in the overlay.
	out.Reset()
	require.NoError(t, os.WriteFile("map_test.go",
		[]byte(strings.Replace(string(maps), "package explored", "package stack", 1)), 0o644))
	require.Equal(t, cli.Linearizable, run([]string{"test", "--work", work, "--include", "sync"}, strings.NewReader(""),
		&out, &errs), "%s%s", out.String(), errs.String())
	assert.Regexp(t, `TestMapOneKey: every history is linearizable\n.* \d{3} executions`, out.String())
}

// timeless leaves times out.
func timeless(s string) string {
	return regexp.MustCompile(`in ([\d.]+ (µs|ms|s)|…)`).ReplaceAllString(s, "in no time")
}

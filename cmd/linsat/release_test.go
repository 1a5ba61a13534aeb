package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// releaseTag is the release that the tests make in a clone of the repository.
const releaseTag = "v0.9.0"

// TestRelease makes a release, follows the guides and runs the GitHub Action with it.
func TestRelease(t *testing.T) {
	if !testenv.Full() {
		t.Skip("builds a release from empty caches, minutes: LINSAT_FULL=1")
	}
	env := release(t)
	t.Run("guides", func(t *testing.T) { testGuides(t, env) })
	t.Run("action", func(t *testing.T) { testAction(t, env) })
	t.Run("wasm", func(t *testing.T) { testWasm(t, env) })
}

// release makes a release in a clone, and returns the environment in which the go command gets it
// from a proxy of files, into a module cache of its own.
func release(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	if err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("not in a clone: ", err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the script of releases needs bash, and the pages a shell")
	}
	dir := t.TempDir()
	clone := filepath.Join(dir, "clone")
	run := func(in string, name string, args ...string) []byte {
		c := exec.Command(name, args...)
		c.Dir = in
		c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.org",
			"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.org")
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		require.NoError(t, err, "%s %v: %s", name, args, errs.String())
		return out
	}
	run(dir, "git", "clone", "--quiet", root, clone)
	run(clone, "bash", "scripts/release", releaseTag)
	for _, module := range []string{"", "porcupine", "fleet", "wasm"} {
		addToProxy(t, filepath.Join(dir, "proxy"), path.Join("github.com/linsat/linsat", module),
			run(clone, "git", "archive", "--format=tar", path.Join(module, releaseTag)+":"+module))
	}
	// archives and images have a program of module wasm, which requires the release then
	run(clone, "git", "checkout", "--quiet", releaseTag)
	const here = "go -C wasm mod edit -replace=github.com/linsat/linsat=../"
	for _, file := range []string{".goreleaser.yaml", "Dockerfile"} {
		text, err := os.ReadFile(filepath.Join(clone, file))
		require.NoError(t, err)
		require.Contains(t, string(text), here)
	}
	run(clone, "sh", "-c", here)
	run(clone, "go", "-C", "wasm", "build", "-o", os.DevNull, "./cmd/linsat-wasm")
	cache := strings.TrimSpace(string(run(root, "go", "env", "GOMODCACHE")))
	proxies := strings.TrimSpace(string(run(root, "go", "env", "GOPROXY")))
	kept := filepath.Join(dir, "kept") // what failing tests keep
	require.NoError(t, os.Mkdir(kept, 0o755))
	return append(os.Environ(), "TMPDIR="+kept,
		"GOPROXY=file://"+filepath.Join(dir, "proxy")+",file://"+filepath.Join(cache, "cache", "download")+","+proxies,
		"GOMODCACHE="+filepath.Join(dir, "modules"), "GOBIN="+filepath.Join(dir, "bin"), "GOSUMDB=off", "GOWORK=off",
		"GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -modcacherw"),
		"PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// testWasm installs the program that runs specifications in WebAssembly as
// docs/own-specification.md says. It is in a module of its own, which a release must be able to
// build without this repository.
func testWasm(t *testing.T, env []string) {
	run := func(name string, args ...string) string {
		c := exec.Command("env", append([]string{name}, args...)...) // looks on the PATH of env
		c.Dir, c.Env = t.TempDir(), env
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("go", "install", "github.com/linsat/linsat/fleet/cmd/linsat-fleet@latest")
	run("go", "install", "github.com/linsat/linsat/wasm/cmd/linsat-wasm@latest")
	assert.Equal(t, "linsat-wasm "+releaseTag+"\n", run("linsat-wasm", "--version"))
}

// addToProxy puts a module, given as an archive of its folder, into a module proxy of files.
func addToProxy(t *testing.T, proxy, module string, archive []byte) {
	t.Helper()
	files := map[string][]byte{}
	nested := map[string]bool{} // folders of other modules
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if files[h.Name], err = io.ReadAll(r); err == nil && path.Base(h.Name) == "go.mod" && h.Name != "go.mod" {
			nested[path.Dir(h.Name)] = true
		}
		require.NoError(t, err)
	}
	inside := func(name string) bool {
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			if nested[d] {
				return false
			}
		}
		return true
	}
	assert.NotContains(t, string(files["go.mod"]), "replace ", module)
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range files {
		if inside(name) {
			w, err := z.Create(module + "@" + releaseTag + "/" + name)
			require.NoError(t, err)
			_, err = w.Write(text)
			require.NoError(t, err)
		}
	}
	require.NoError(t, z.Close())
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	require.NoError(t, os.MkdirAll(at, 0o755))
	for name, text := range map[string][]byte{
		"list":               []byte(releaseTag + "\n"),
		releaseTag + ".info": fmt.Appendf(nil, `{"Version": %q, "Time": "2026-11-23T00:00:00Z"}`, releaseTag),
		releaseTag + ".mod":  files["go.mod"],
		releaseTag + ".zip":  packed.Bytes(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), text, 0o644))
	}
}

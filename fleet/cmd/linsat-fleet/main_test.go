package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/fleet"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built returns linsat and linsat-fleet in one directory.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for program, module := range map[string]string{"linsat": "../../..", "linsat-fleet": "../.."} {
		c := exec.Command("go", "build", "-o", filepath.Join(dir, program), "./cmd/"+program)
		c.Dir = module
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return dir
}

// TestSubmitAlone: without a server, linsat submit is a fleet of one machine, and its rows are read
// by linsat merge.
func TestSubmitAlone(t *testing.T) {
	dir := built(t)
	run := func(stdin string, args ...string) (out, said string, code int) {
		c := exec.Command(filepath.Join(dir, "linsat"), args...)
		c.Dir = filepath.Join("..", "..", "..")
		var o, e bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &o, &e
		_ = c.Run()
		return o.String(), e.String(), c.ProcessState.ExitCode()
	}
	rows, said, code := run("", "submit", "--format", "json", "examples/histories", "--", "--core", "none")
	assert.Equal(t, exitViolation, code, said)
	assert.Equal(t, 13, strings.Count(rows, "\n"))
	assert.Contains(t, said, "linsat: 13 histories, 13 of them queued now\n")
	assert.Contains(t, said, "linsat: 13 files: 3 linearizable, 10 not linearizable\n")
	text, _, code := run(rows, "merge", "-")
	assert.Equal(t, exitViolation, code)
	assert.Contains(t, text, "13 files: 3 linearizable, 10 not linearizable\n")

	_, said, code = run("", "submit", "examples/histories", "--", "--certificate", "x")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, said, "--certificate is not allowed after --: workers take no flags that name files")

	_, said, code = run("", "submit")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, said, "submit needs a file")
	_, said, code = run("", "work", "--server", "nats://127.0.0.1:1")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, said, "no server at nats://127.0.0.1:1")
}

// TestProtection: a server that other machines reach has a token, without a flag; servers of a
// cluster share one, which is given.
func TestProtection(t *testing.T) {
	t.Setenv(fleet.TokenVariable, "")
	o := fleet.ServerOptions{Host: "0.0.0.0", Dir: t.TempDir()}
	said, err := protect(&o, "", "", "")
	require.NoError(t, err)
	assert.NotEmpty(t, o.Token)
	assert.Contains(t, said, "clients need --token-file with a copy of "+filepath.Join(o.Dir, "token"))
	for _, free := range []fleet.ServerOptions{{Host: "127.0.0.1"}, {Host: "0.0.0.0", Open: true}} {
		_, err = protect(&free, "", "", "")
		require.NoError(t, err)
		assert.Empty(t, free.Token)
	}
	_, err = protect(&fleet.ServerOptions{Host: "0.0.0.0", Cluster: "c"}, "", "", "")
	assert.ErrorContains(t, err, "the servers of a cluster share a token")
	_, err = protect(&o, "", "cert.pem", "")
	assert.ErrorContains(t, err, "--tls-cert and --tls-key belong together")
}

// TestDocumentedFlags: docs/ci.md names commands and flags that there are.
func TestDocumentedFlags(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "ci.md"))
	require.NoError(t, err)
	code := 0
	commands := map[string]flags{"serve": flags{serveCommand()}, "work": flags{workCommand()},
		"submit": flags{submitCommand(&code)}}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^linsat(?:-fleet)? (serve|work|submit)(.*)$`).FindAllStringSubmatch(
		string(page), -1) {
		own, _, _ := strings.Cut(m[2], " -- ")
		for _, f := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(own, -1) {
			assert.True(t, commands[m[1]].HasFlag(f[1]), "%s", m[0])
		}
		found++
	}
	assert.GreaterOrEqual(t, found, 4)
}

// flags are those of a command.
type flags struct{ *cobra.Command }

// HasFlag reports whether the command has a flag.
func (f flags) HasFlag(name string) bool { return f.Flags().Lookup(name) != nil }

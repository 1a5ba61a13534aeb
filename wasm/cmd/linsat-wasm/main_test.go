package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// root is the folder of linsat.
var root = filepath.Join("..", "..", "..")

// built returns a folder with linsat and linsat-wasm.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for program, module := range map[string]string{"linsat": root, "linsat-wasm": filepath.Join("..", "..")} {
		c := exec.Command("go", "build", "-o", filepath.Join(dir, program), "./cmd/"+program)
		c.Dir = module
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return dir
}

// TestDocumentedCommands runs the commands of docs/own-specification.md that use modules, one block
// after the other in a folder with the examples, and compares what they print with the block that
// follows.
func TestDocumentedCommands(t *testing.T) {
	testenv.NeedsClang(t)
	dir := built(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "own-specification.md"))
	require.NoError(t, err)
	work := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(work, "examples"), os.DirFS(filepath.Join(root, "examples"))))
	took := regexp.MustCompile(`in [0-9.]+ (ms|µs|s)`)
	blocks := regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```").FindAllStringSubmatch(string(page), -1)
	ran := 0
	for k, block := range blocks {
		if block[1] != "console" {
			continue
		}
		c := exec.Command("sh", "-c", block[2])
		c.Dir, c.Env = work, append(os.Environ(), "LINSAT_WASM=", "PATH="+dir+string(os.PathListSeparator)+
			os.Getenv("PATH"))
		var out, said bytes.Buffer
		c.Stdout, c.Stderr = &out, &said
		_ = c.Run()
		require.Contains(t, []int{0, 1}, c.ProcessState.ExitCode(), "%s", said.String())
		require.Less(t, k+1, len(blocks))
		want, whole := strings.CutSuffix(blocks[k+1][2], "…\n")
		got := took.ReplaceAllString(out.String(), "in …")
		want = took.ReplaceAllString(want, "in …")
		assert.True(t, strings.HasPrefix(got, want), "%s\nprinted\n%s", block[2], out.String())
		assert.Equal(t, whole, len(got) > len(want), "… stands for more")
		ran++
	}
	assert.Equal(t, 2, ran)
}

// TestCommands: the ways in which a module is used, and what is wrong with others.
func TestCommands(t *testing.T) {
	testenv.NeedsClang(t)
	dir := built(t)
	work := t.TempDir()
	c := exec.Command("clang", "--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "-o",
		filepath.Join(work, "lease.wasm"), filepath.Join(root, "examples", "wasm", "lease.c"))
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	clock := `#include "linsat.h"
extern int64_t clock_time_get(void);
EXPORT(init) uint64_t init(const uint8_t *given, size_t length) { (void)given; return length + clock_time_get(); }
EXPORT(step) uint64_t step(const uint8_t *s, size_t n, const uint8_t *op, size_t m) { (void)s; (void)op; return n + m; }
`
	endless := `#include "linsat.h"
EXPORT(init) uint64_t init(const uint8_t *given, size_t length) { (void)given; (void)length; return 0; }
EXPORT(step) uint64_t step(const uint8_t *s, size_t n, const uint8_t *op, size_t m) {
  (void)s; (void)op;
  for (volatile size_t i = n;; i += m) {}
}
`
	for name, source := range map[string]string{"clock": clock, "endless": endless} {
		file := filepath.Join(work, name+".c")
		require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
		c := exec.Command("clang", "--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry,--allow-undefined", "-I",
			filepath.Join(root, "examples", "wasm"), "-o", filepath.Join(work, name+".wasm"), file)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for name, text := range map[string]string{
		"yes.jsonl": `{"process":0,"f":"acquire","arg":{"lease":"x","by":"a"},"result":true,"call":0,"return":1}
{"process":1,"f":"acquire","arg":{"lease":"y","by":"b"},"result":true,"call":0,"return":1}
{"process":1,"f":"acquire","arg":{"lease":"x","by":"b"},"result":true,"call":2,"return":3}`,
		"no.jsonl": `{"process":0,"f":"acquire","arg":{"lease":"x","by":"a"},"result":true,"call":0,"return":1}
{"process":1,"f":"renew","arg":{"lease":"x","by":"b"},"result":true,"call":2,"return":3}`,
		"other.jsonl":  `{"process":0,"f":"steal","arg":{"lease":"x","by":"a"},"call":0,"return":1}`,
		"number.jsonl": `{"process":0,"f":"acquire","arg":7,"call":0,"return":1}`,
		"text.wasm":    "not a module",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(work, name), []byte(text), 0o644))
	}
	module, err := os.ReadFile(filepath.Join(work, "lease.wasm"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(work, "cut.wasm"), module[:len(module)/2], 0o644))
	for _, c := range []struct {
		args string
		code int
		says string // in either output
	}{
		{"solve --spec lease.wasm yes.jsonl", 0, "linearizable"},
		{"solve --spec lease.wasm --isolate yes.jsonl", 0, "linearizable"},
		{"solve --spec lease.wasm no.jsonl", 1, "certified"},
		{"explain --spec lease.wasm no.jsonl", 1, "renew"},
		{"solve --spec lease.wasm --certificate no.cert no.jsonl", 1, "not linearizable"},
		{"certify --spec lease.wasm no.jsonl no.cert", 0, "no.cert: valid"},
		{"specs check lease.wasm", 0, "lease.wasm: no law is broken by 12 calls"},
		{"specs check endless.wasm yes.jsonl", 2, "endless.wasm: step did not end within 100000000 steps"},
		{"specs check --timeout 10ms endless.wasm yes.jsonl", 3, "linsat: endless.wasm was not tested within 10ms"},
		{"solve --timeout 1us --spec lease.wasm yes.jsonl", 2, "linsat: the specification was not ready within 1µs"},
		{"solve --spec lease.wasm other.jsonl", 2,
			`linsat: specification lease fails on operation 0 (steal {"by": "a", "lease": "x"} → null) in state free: lease.wasm: step knows no such operation`},
		{"solve --spec lease.wasm number.jsonl", 2, "lease.wasm: key failed: unreachable in "},
		{"solve --spec lease.wasm --initial 5 yes.jsonl", 2,
			"initial state of lease: init of lease.wasm does not take 5"},
		{"solve --spec clock.wasm yes.jsonl", 2,
			"linsat: clock.wasm: it imports env.clock_time_get: a specification may import linsat.print alone"},
		{"solve --spec endless.wasm yes.jsonl", 2,
			"in state no bytes: endless.wasm: step did not end within 100000000 steps"},
		{"solve --spec cut.wasm yes.jsonl", 2, "linsat: cut.wasm: it is cut off or damaged"},
		{"solve --spec text.wasm yes.jsonl", 2, "linsat: text.wasm: it is not a module of WebAssembly"},
		{"specs check text.wasm", 2, "linsat: text.wasm: it is not a module of WebAssembly"},
	} {
		run := exec.Command(filepath.Join(dir, "linsat"), strings.Fields(c.args)...)
		run.Dir, run.Env = work, append(os.Environ(), "LINSAT_WASM=")
		out, _ := run.CombinedOutput()
		assert.Equal(t, c.code, run.ProcessState.ExitCode(), "%s: %s", c.args, out)
		assert.Contains(t, string(out), c.says, c.args)
		assert.NotContains(t, string(out), "goroutine", c.args)
	}
	alone := filepath.Join(t.TempDir(), "linsat")
	require.NoError(t, os.Rename(filepath.Join(dir, "linsat"), alone))
	run := exec.Command(alone, "solve", "--spec", "lease.wasm", "yes.jsonl")
	run.Dir, run.Env = work, append(os.Environ(), "LINSAT_WASM=", "PATH=")
	out, err = run.CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t,
		"linsat: lease.wasm: the program linsat-wasm, which runs it, is not installed\nhint: go install "+
			"github.com/linsat/linsat/wasm/cmd/linsat-wasm@latest, or put it beside linsat\n", string(out))
}

// TestServing: it ends when there are no more questions, ignores the interrupt of a terminal, and
// says what it is for.
func TestServing(t *testing.T) {
	program := filepath.Join(built(t), "linsat-wasm")
	out, err := exec.Command(program).CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "linsat-wasm: linsat starts it: linsat solve --spec MODEL.wasm HISTORY\n", string(out))
	out, err = exec.Command(program, "--version").Output()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(out), "linsat-wasm "), "%s", out)

	c := exec.Command(program, "serve")
	in, err := c.StdinPipe()
	require.NoError(t, err)
	greeting, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = greeting.Read(make([]byte, 64))
	require.NoError(t, err)
	require.NoError(t, c.Process.Signal(os.Interrupt))
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.Signal(0)), "it goes on")
	require.NoError(t, in.Close())
	require.NoError(t, c.Wait())

	damaged := exec.Command(program, "serve")
	damaged.Stdin = strings.NewReader("solve --spec")
	out, err = damaged.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "linsat-wasm: a message has 115 parts")
}

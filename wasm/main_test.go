package wasm

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/wasmspec/wire"
	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/require"
)

// dies is set in the environment of a linsat-wasm that ends when it is asked something.
const dies = "LINSAT_WASM_TEST_DIES"

// TestMain lets the test's own program be linsat-wasm.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		if os.Getenv(dies) != "" {
			dieAfterLoading()
		}
		if err := Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("LINSAT_WASM", self); err != nil {
		panic(err)
	}
	code := m.Run()
	if compiled.dir != "" {
		_ = os.RemoveAll(compiled.dir)
	}
	os.Exit(code)
}

// dieAfterLoading is linsat-wasm that runs out of memory at the first question.
func dieAfterLoading() {
	r, w := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for _, answer := range []string{wire.Greeting, wire.OK} {
		parts := [][]byte{[]byte(answer)}
		if answer == wire.OK {
			_, _ = wire.Read(r)
			parts = append(parts, []byte("init"), []byte("step"))
		}
		_ = wire.Write(w, parts...)
	}
	_, _ = wire.Read(r)
	fmt.Fprintln(os.Stderr, "fatal error: out of memory\n\ngoroutine 1:")
	os.Exit(3)
}

var compiled struct {
	sync.Mutex
	dir string
}

// compile compiles a specification in C or Rust, once for all tests, and returns the module's file.
// Without a compiler the test is skipped; without clang it fails if LINSAT_REQUIRE_CLANG is set.
func compile(t testing.TB, source string) string {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.dir == "" {
		var err error
		compiled.dir, err = os.MkdirTemp("", "linsat-wasm")
		require.NoError(t, err)
	}
	out := filepath.Join(compiled.dir, strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))+".wasm")
	if _, err := os.Stat(out); err == nil {
		return out
	}
	if filepath.Ext(source) == ".rs" {
		c := exec.Command(rust(t), "--target", rustTarget, "-O", "-C", "strip=debuginfo", "--crate-type", "cdylib",
			"-o", out, source)
		said, err := c.CombinedOutput()
		require.NoError(t, err, "%s", said)
		return out
	}
	testenv.NeedsClang(t)
	c := exec.Command("clang", "--target=wasm32", "-O2", "-Wall", "-Wextra", "-Werror", "-I../examples/wasm",
		"-nostdlib", "-Wl,--no-entry", "-o", out, source)
	said, err := c.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return out
}

const rustTarget = "wasm32-unknown-unknown"

// rust returns a compiler of Rust that has the library for WebAssembly, and skips the test if there
// is none.
func rust(t testing.TB) string {
	for _, compiler := range []string{"rustc", "/usr/bin/rustc"} {
		library, err := exec.Command(compiler, "--print", "target-libdir", "--target", rustTarget).Output()
		if err != nil {
			continue
		}
		if _, err := os.Stat(strings.TrimSpace(string(library))); err == nil {
			return compiler
		}
	}
	t.Skip("no rustc with " + rustTarget)
	return ""
}

func cat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func i32const(v int64) []byte { return append([]byte{0x41}, assembly.S64(v)...) }
func i64const(v int64) []byte { return append([]byte{0x42}, assembly.S64(v)...) }

// at is what a function returns for so many bytes at an address.
func at(address, length int64) []byte { return i64const(address<<32 | length) }

const (
	tI32 = assembly.I32
	tI64 = assembly.I64
)

// allocates returns the function alloc with a body.
func allocates(body []byte) assembly.Func {
	return assembly.Func{Params: []byte{tI32}, Results: []byte{tI32}, Body: body, Export: "alloc"}
}

// returns returns an exported function of so many parameters of 32 bits with a body that leaves 64.
func returns(name string, params int, body []byte) assembly.Func {
	return assembly.Func{Params: []byte(strings.Repeat("\x7f", params)), Results: []byte{tI64},
		Body: body, Export: name}
}

// answers is a module that answers the same to every step: data, which stands at address 0.
// Arguments are put at 1024.
func answers(data string) *assembly.Module {
	return &assembly.Module{Pages: 1, Start: -1, Data: []byte(data), Funcs: []assembly.Func{
		allocates(i32const(1024)), returns("init", 2, at(0, 0)), returns("step", 4, at(0, int64(len(data)))),
	}}
}

package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestContainerHoldsStaticPrograms builds the command, and the program that runs specifications in
// WebAssembly, as the Dockerfile does: its image has nothing else, so they must need no loader. The
// command is small; with symbols, as go install builds it, it is about 5 MB larger. Only the full
// run gives -trimpath, with which all is compiled once more: the size is within 0.1 % without it.
func TestContainerHoldsStaticPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the image is one of Linux")
	}
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	require.NoError(t, err)
	require.Contains(t, string(text), "\nFROM scratch\nCOPY --from=build /linsat /linsat-wasm /\n")
	for name, asked := range map[string]string{"linsat": "version", "linsat-wasm": "--version"} {
		build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 go .*build .*) -o /` + name + ` (\./cmd/` + name +
			`)$`).FindStringSubmatch(string(text))
		require.NotNil(t, build, name)
		file := filepath.Join(t.TempDir(), name)
		if !testenv.Full() {
			build[1] = strings.Replace(build[1], " -trimpath", "", 1)
		}
		c := exec.Command("sh", "-c", build[1]+" -o '"+file+"' "+build[2])
		c.Dir, c.Env = root, append(os.Environ(), "VERSION=9.8.7")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		program, err := elf.Open(file)
		require.NoError(t, err)
		defer func() { _ = program.Close() }()
		for _, p := range program.Progs {
			assert.NotEqual(t, elf.PT_INTERP, p.Type, name)
		}
		out, err = exec.Command(file, asked).Output()
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(out), name+" 9.8.7"), "%s", out)
		if info, err := os.Stat(file); assert.NoError(t, err) && name == "linsat" {
			t.Logf("%d bytes", info.Size())
			assert.LessOrEqual(t, info.Size(), int64(16_000_000))
		}
	}
}

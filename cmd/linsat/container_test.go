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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestContainerHoldsAStaticProgram builds the command as the Dockerfile does: its image has nothing
// else, so the program must need no loader.
func TestContainerHoldsAStaticProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the image is one of Linux")
	}
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	require.NoError(t, err)
	build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 go build .*) -o /linsat (\./cmd/linsat)$`).FindStringSubmatch(string(text))
	require.NotNil(t, build)
	require.Contains(t, string(text), "\nFROM scratch\nCOPY --from=build /linsat /linsat\n")
	file := filepath.Join(t.TempDir(), "linsat")
	c := exec.Command("sh", "-c", build[1]+" -o '"+file+"' "+build[2])
	c.Dir, c.Env = root, append(os.Environ(), "VERSION=9.8.7")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	program, err := elf.Open(file)
	require.NoError(t, err)
	defer func() { _ = program.Close() }()
	for _, p := range program.Progs {
		assert.NotEqual(t, elf.PT_INTERP, p.Type)
	}
	out, err = exec.Command(file, "version").Output()
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(out), "linsat 9.8.7 "), "%s", out)
}

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCommandLinksOnlyItsModules compares the modules whose code is linked into the command with
// those that it needs: plotting and test libraries are not among them.
func TestCommandLinksOnlyItsModules(t *testing.T) {
	needed := map[string]bool{
		"github.com/linsat/linsat":      true,
		"github.com/go-air/gini":        true, // the SAT solver
		"github.com/klauspost/compress": true, // .zst files
		"github.com/spf13/cobra":        true, // flags and help
		"github.com/spf13/pflag":        true,
		"olympos.io/encoding/edn":       true, // Jepsen's histories
		"go.starlark.net":               true, // specifications in Starlark
		"github.com/vbauerster/mpb/v8":  true, // progress on a terminal
		"github.com/mattn/go-runewidth": true, // columns of text on a terminal
		"github.com/rivo/uniseg":        true,
		"golang.org/x/sys":              true, // of Starlark, and terminals
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}",
		".").Output()
	require.NoError(t, err)
	packages := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, module, _ := strings.Cut(line, " ")
		if module != "" {
			assert.True(t, needed[module], "the command links %s of module %s", path, module)
			packages++
		}
		assert.NotEqual(t, "html/template", path, "it makes the linker keep every exported method")
	}
	assert.Greater(t, packages, 20)
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManual: every command has a page that names its flags, and every shell its completions.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command("go", "run", "-tags", "man", ".", "man", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	root := rootCommand(nil, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range withSubcommands(root) {
		if c.Hidden {
			continue
		}
		page, err := os.ReadFile(filepath.Join(dir, "man", strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		require.NoError(t, err)
		assert.Contains(t, string(page), c.Short[:min(20, len(c.Short))])
		if c.Name() == "solve" {
			assert.Contains(t, string(page), `\fB--timeout\fP`)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "ps1"} {
		script, err := os.ReadFile(filepath.Join(dir, "completions", "linsat."+shell))
		require.NoError(t, err)
		assert.NotEmpty(t, script)
	}
}

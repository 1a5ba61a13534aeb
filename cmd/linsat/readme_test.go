package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadmeExample runs the README's first command as printed and compares what it says,
// engines and figures apart.
func TestReadmeExample(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	blocks := strings.Split(string(readme), "```\n")
	require.Greater(t, len(blocks), 4)
	command, printed := strings.TrimSpace(blocks[1]), blocks[3]
	args, ok := strings.CutPrefix(command, "go run ./cmd/linsat ")
	require.True(t, ok, command)
	t.Chdir(root)
	var out, errs bytes.Buffer
	assert.Equal(t, exitViolation, run(strings.Fields(args), strings.NewReader(""), &out, &errs))
	assert.Empty(t, errs.String())
	assert.Equal(t, figures(printed), figures(out.String()))
}

// figures leaves out what differs from run to run.
func figures(s string) string {
	return regexp.MustCompile(`; by \w+ in [^;]*\([^)]*\);`).ReplaceAllString(s, "; by … in …;")
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadmeExample runs the README's first command as printed and compares what it says, engines
// and figures apart; the history shown is the one shipped, and CI runs the second command.
func TestReadmeExample(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```\n(go run .*?)```\n\n```\n(.*?)```\n").FindStringSubmatch(string(readme))
	require.NotNil(t, blocks)
	main, tests, ok := strings.Cut(strings.TrimSpace(blocks[1]), "\n")
	require.True(t, ok, blocks[1])
	args, ok := strings.CutPrefix(main, "go run ./cmd/linsat ")
	require.True(t, ok, main)
	printed := blocks[2]

	shown := regexp.MustCompile("(?s)```json\n(.*?)```\n").FindStringSubmatch(string(readme))
	require.NotNil(t, shown)
	file := strings.Fields(args)[1]
	shipped, err := os.ReadFile(filepath.Join(root, file))
	require.NoError(t, err)
	assert.Equal(t, string(shipped), shown[1], file)

	ci, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	require.NoError(t, err)
	assert.Contains(t, string(ci), "exec "+tests+" ", "CI runs the second command")
	t.Chdir(root)
	var out, errs bytes.Buffer
	assert.Equal(t, cli.Violation, run(strings.Fields(args), strings.NewReader(""), &out, &errs))
	assert.Empty(t, errs.String())
	assert.Equal(t, figures(printed), figures(out.String()))
}

// figures leaves out what differs from run to run.
func figures(s string) string {
	return regexp.MustCompile(`; by \w+ in [^;]*;`).ReplaceAllString(s, "; by … in …;")
}

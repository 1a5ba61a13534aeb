package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readersOwn are pages whose commands are about files of the reader. TestRelease follows those.
var readersOwn = append([]string{"quickstart.md"}, followed...)

var (
	fenced  = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	command = regexp.MustCompile(`(?m)^(?:\$ )?(?:go run \./cmd/linsat|go run \./examples/\S+|linsat) .*$`)
	// The tests of the modules fleet and wasm run these.
	needsServer  = regexp.MustCompile(`^linsat (work|submit) `)
	needsRuntime = regexp.MustCompile(`\.wasm\b`)
	comment      = regexp.MustCompile(`\s{2,}#.*$`)
)

// TestDocumentedCommands runs the commands that stand in the README and the pages of docs, those of
// a page one after the other in a fresh clone. Each is answered: none is bad usage, and no file is
// missing.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	if err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("not in a clone: ", err)
	}
	path := filepath.Dir(program(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	ran := 0
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "recorded",
		"README.md")) {
		if slices.Contains(readersOwn, filepath.Base(page)) {
			continue
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		clone := ""
		for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
			for _, line := range command.FindAllString(block[1], -1) {
				line = comment.ReplaceAllString(strings.TrimPrefix(line, "$ "), "")
				if needsServer.MatchString(line) || needsRuntime.MatchString(line) {
					continue
				}
				if clone == "" {
					clone = filepath.Join(t.TempDir(), "clone")
					out, err := exec.Command("git", "clone", "--quiet", root, clone).CombinedOutput()
					require.NoError(t, err, "%s", out)
				}
				line = strings.ReplaceAll(strings.ReplaceAll(line, "go run ./cmd/linsat", "linsat"), " DIR ",
					" examples/histories ")
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
				c := exec.CommandContext(ctx, "sh", "-c", line)
				c.Dir, c.Env = clone, append(os.Environ(), "PATH="+path)
				out, err := c.CombinedOutput()
				cancel()
				var ended *exec.ExitError
				if err != nil {
					require.True(t, errors.As(err, &ended), "%s: %v", line, err)
					assert.Contains(t, []int{cli.Violation, cli.Unknown}, ended.ExitCode(), "%s: %s\n%s",
						filepath.Base(page), line, out)
				}
				if !strings.Contains(line, " > ") {
					assert.NotEmpty(t, out, line)
				}
				ran++
			}
		}
	}
	assert.Greater(t, ran, 20)
}

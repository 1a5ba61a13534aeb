package main

import (
	"errors"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// followed are pages whose commands testGuides runs, each in an empty folder.
var followed = []string{"ci.md", "go-test.md", "jepsen.md", "porcupine.md", "own-specification.md", "reading.md"}

// testGuides follows guides with a release: their files are written, their commands run, and print
// what the page says. The commands of a quick start need fewer than ten lines, files included.
func testGuides(t *testing.T, env []string) {
	t.Run("install", func(t *testing.T) {
		g := newGuide(t, env)
		g.follow(
			"```sh\n$ go install github.com/linsat/linsat/cmd/linsat@latest\n$ linsat version\n```\n\n```\nlinsat " +
				strings.TrimPrefix(releaseTag, "v") + " (…\n```\n")
	})
	for _, name := range followed {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
			require.NoError(t, err)
			g := newGuide(t, env)
			g.follow(string(text))
			assert.Positive(t, g.lines)
		})
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "quickstart.md"))
	require.NoError(t, err)
	starts := strings.Split(string(text), "\n## ")[1:]
	require.Len(t, starts, 5)
	for _, start := range starts {
		title, _, _ := strings.Cut(start, "\n")
		t.Run(title, func(t *testing.T) {
			if strings.Contains(start, "python3 ") {
				if _, err := exec.LookPath("python3"); err != nil {
					testenv.Missing(t, testenv.Recorders, err)
				}
			}
			g := newGuide(t, env)
			g.follow(start)
			assert.Less(t, g.lines, 10)
		})
	}
}

// guide is a page that is followed in a folder.
type guide struct {
	t       *testing.T
	dir     string
	env     []string
	lines   int    // of files and commands
	printed string // by the last commands
}

func newGuide(t *testing.T, env []string) *guide { return &guide{t: t, dir: t.TempDir(), env: env} }

var (
	block = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```")
	named = regexp.MustCompile(`^(?://|#) (\S+\.\w+)\n`)
)

// follow does what the blocks of a text say: one that begins with the name of a file is the file,
// sh has commands, and a block of no language is what the commands before it print.
func (g *guide) follow(text string) {
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		kind, text := b[1], b[2]
		switch name := named.FindStringSubmatch(text); {
		case name != nil:
			text = strings.TrimPrefix(strings.TrimPrefix(text, name[0]), "\n")
			require.NoError(g.t, os.WriteFile(filepath.Join(g.dir, name[1]), []byte(text), 0o644))
			if kind == "go" {
				formatted, err := format.Source([]byte(text))
				require.NoError(g.t, err)
				assert.Equal(g.t, string(formatted), text)
			}
		case kind == "sh":
			text = strings.TrimPrefix(strings.ReplaceAll("\n"+text, "\n$ ", "\n"), "\n")
			c := exec.Command("sh", "-c", text)
			c.Dir, c.Env = g.dir, g.env
			out, err := c.CombinedOutput()
			var ended *exec.ExitError
			if errors.As(err, &ended) {
				assert.Contains(g.t, []int{cli.Violation, cli.Unknown}, ended.ExitCode(), "%s\n%s", text, out)
			} else {
				require.NoError(g.t, err)
			}
			g.printed = string(out)
		case kind == "":
			if g.printed != "" {
				assert.Regexp(g.t, transcript(text), g.printed)
			}
			continue
		default: // an excerpt
			continue
		}
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				g.lines++
			}
		}
	}
}

// transcript turns what a page says is printed into a pattern: … stands for anything, and a time
// for any time.
func transcript(text string) string {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(text)), "…", "(?s:.*)")
	return regexp.MustCompile(`\bin \S+ (ns|µs|ms|s);`).ReplaceAllString(pattern, `in \S+ (ns|µs|ms|s);`)
}

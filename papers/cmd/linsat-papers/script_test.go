package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"linsat-papers": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command as a user does, and linsat on the histories that it saves.
func TestScripts(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, "./cmd/linsat")
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: testenv.Update(),
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", dir+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits}})
}

// exits CODE COMMAND...: runs a command and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := "0"
	var e *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &e) {
		code = strconv.Itoa(e.ExitCode())
	} else if err != nil {
		code = err.Error()
	}
	if code != args[0] {
		ts.Fatalf("%v exited %s, not %s", args[1:], code, args[0])
	}
}

// TestPages: the commands of the pages are answered, and those whose output stands there print it.
func TestPages(t *testing.T) {
	// These take minutes; papers.txtar makes smaller tables.
	slow := map[string]bool{"tables": true, "tables line-up --full": true, "tables p-compositionality --full": true,
		"--compare --count 20": true}
	command := regexp.MustCompile(`(?m)^linsat-papers (.*?)(?:\s{2,}#.*)?$`)
	readme, err := filepath.Abs(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	pages, err := filepath.Glob(filepath.Join(filepath.Dir(readme), "docs", "*.md"))
	require.NoError(t, err)
	t.Chdir(t.TempDir()) // they write files
	ran := 0
	for _, page := range append(pages, readme) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			if slow[m[1]] {
				continue
			}
			code, out := answer(t, testenv.Arguments(m[1]))
			assert.NotEqual(t, cli.Usage, code, m[1])
			assert.NotEmpty(t, out, m[1])
			ran++
		}
	}
	assert.Greater(t, ran, 7)
	assert.Equal(t, 3, testenv.Manual(t, readme, "linsat-papers", func(args []string) string {
		_, out := answer(t, args)
		return out
	}))
}

// answer runs the command and returns its exit code and output.
func answer(t *testing.T, args []string) (code int, printed string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	assert.Empty(t, errs.String(), args)
	return code, out.String()
}

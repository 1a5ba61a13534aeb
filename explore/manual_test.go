package explore

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blocks returns the blocks of code of a page that begin with ```kind name, by name.
func blocks(t *testing.T, page, kind string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, part := range strings.Split(page, "\n```"+kind+" ")[1:] {
		name, rest, ok := strings.Cut(part, "\n")
		require.True(t, ok)
		body, _, ok := strings.Cut(rest, "\n```")
		require.True(t, ok, name)
		found[name] = body + "\n"
	}
	return found
}

// TestManualPrintsWhatItsProgramsPrint compiles and runs the code of docs/explore.md and compares
// what go test prints with what the page prints, times and engines apart.
func TestManualPrintsWhatItsProgramsPrint(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: go test runs go test")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "explore.md"))
	require.NoError(t, err)
	code := blocks(t, string(page), "go")
	printed := blocks(t, string(page), "text")
	require.Len(t, code, 3)
	require.Len(t, printed, 3)

	run := func(files ...string) string {
		dir := t.TempDir()
		overlay := struct{ Replace map[string]string }{map[string]string{}}
		for _, name := range files {
			file := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(file, []byte(code[name]), 0o600))
			overlay.Replace[filepath.Join(root, "examples", name)] = file
		}
		text, err := json.Marshal(overlay)
		require.NoError(t, err)
		file := filepath.Join(dir, "overlay.json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		c := exec.Command("go", "test", "-v", "-count=1", "-overlay", file, "./examples")
		c.Dir = root
		out, _ := c.CombinedOutput()
		return string(out)
	}
	assert.Contains(t, plainOutput(run("stack.go", "stack_test.go")), plainOutput(printed["fails"]))

	for _, diff := range blocks(t, string(page), "diff") {
		var old, new []string
		for _, line := range strings.Split(strings.TrimSpace(diff), "\n") {
			if strings.HasPrefix(line, "-") {
				old = append(old, line[1:])
			} else {
				new = append(new, line[1:])
			}
		}
		require.Equal(t, 1, strings.Count(code["stack.go"], strings.Join(old, "\n")))
		code["stack.go"] = strings.Replace(code["stack.go"], strings.Join(old, "\n"), strings.Join(new, "\n"), 1)
	}
	assert.Contains(t, plainOutput(run("stack.go", "stack_test.go")), plainOutput(printed["passes"]))
	assert.Contains(t, run("run_test.go"), printed["run"])
}

var (
	durations = regexp.MustCompile(`in [0-9.]+ ?(µs|ms|s)\b`)
	judges    = regexp.MustCompile(`; by [^;\n]*`)
	seconds   = regexp.MustCompile(`\([0-9.]+s\)`)
)

// plainOutput leaves out what differs from run to run, and spaces at the ends of lines.
func plainOutput(s string) string {
	s = durations.ReplaceAllString(seconds.ReplaceAllString(judges.ReplaceAllString(s, "; by …"), "(…)"), "in …")
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		if line = strings.TrimRight(line, " "); line != "" && line != "FAIL" && line != "PASS" &&
			!strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// testAction runs the steps of action.yml with a release, as GitHub would.
func testAction(t *testing.T, env []string) {
	text, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	require.NoError(t, err)
	var action struct {
		Inputs map[string]struct {
			Required bool
			Default  *string
		}
		Runs struct {
			Using string
			Steps []struct {
				Name, Uses, Shell, Run string
				Env                    map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &action))
	assert.Equal(t, "composite", action.Runs.Using)
	dir := t.TempDir()
	for name, history := range map[string]string{
		"good/a.jsonl": `{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 2}`,
		"bad/b.jsonl": `{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 2}` + "\n" +
			`{"process": 1, "f": "read", "result": 2, "call": 3, "return": 4}`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(history), 0o644))
	}
	expression := regexp.MustCompile(`\$\{\{ inputs\.(\w+)( \|\| .*)? \}\}`)
	use := func(inputs map[string]string) (code int, printed string) {
		for _, step := range action.Runs.Steps {
			if step.Uses != "" {
				continue
			}
			require.Equal(t, "bash", step.Shell)
			require.NotContains(t, step.Run, "${{", "an input would be a part of the script")
			c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			c.Dir, c.Env = dir, env
			for name, value := range step.Env {
				m := expression.FindStringSubmatch(value)
				require.NotNil(t, m, value)
				require.Contains(t, action.Inputs, m[1])
				given, ok := inputs[m[1]]
				if !ok {
					require.False(t, action.Inputs[m[1]].Required)
					given = *action.Inputs[m[1]].Default
				}
				c.Env = append(c.Env, name+"="+given)
			}
			out, err := c.CombinedOutput()
			printed += string(out)
			var ended *exec.ExitError
			if errors.As(err, &ended) {
				return ended.ExitCode(), printed
			}
			require.NoError(t, err)
		}
		return 0, printed
	}
	code, printed := use(map[string]string{"files": "good", "version": releaseTag})
	assert.Equal(t, cli.Linearizable, code, printed)
	code, printed = use(map[string]string{"files": "good bad", "flags": "--timeout 10s", "version": releaseTag})
	assert.Equal(t, cli.Violation, code, printed)
	assert.Contains(t, printed, "::error file=bad/b.jsonl,line=")
	code, printed = use(map[string]string{"files": "--version", "version": releaseTag})
	assert.Equal(t, cli.Usage, code, "a file is no flag: %s", printed)
}

// TestActionsArePinned: a workflow runs the code of others by its commit, which nobody can move.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	found := 0
	for _, file := range append(files, filepath.Join("..", "..", "action.yml")) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, line := range regexp.MustCompile(`(?m)uses: .*$`).FindAllString(string(text), -1) {
			assert.Regexp(t, `^uses: (\./|[a-z/-]+@[0-9a-f]{40} # v[0-9.]+$)`, line, file)
			found++
		}
	}
	assert.GreaterOrEqual(t, found, 9)
}

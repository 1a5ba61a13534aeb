package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestFleetTemplates: the templates of examples/ci are YAML and have what a matrix and an indexed
// job need; they and docs/ci.md name commands and flags that there are.
func TestFleetTemplates(t *testing.T) {
	read := func(name ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
		require.NoError(t, err)
		return string(text)
	}
	_, page, found := strings.Cut(read("docs", "ci.md"), "\n## Many machines\n")
	require.True(t, found)
	matrix, indexed := read("examples", "ci", "matrix.yaml"), read("examples", "ci", "kubernetes.yaml")
	var workflow struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix map[string][]int }
			Steps    []struct{ Run, Uses string }
		}
	}
	strictly(t, matrix, &workflow)
	assert.Equal(t, []int{1, 2, 3, 4}, workflow.Jobs["solve"].Strategy.Matrix["shard"])
	assert.Contains(t, matrix, "${{ matrix.shard }}/4")
	var job struct {
		Kind string
		Spec struct {
			Completions    int
			CompletionMode string `yaml:"completionMode"`
			Template       struct {
				Spec struct {
					Containers []struct{ Command []string }
				}
			}
		}
	}
	strictly(t, indexed, &job)
	assert.Equal(t, "Job", job.Kind)
	assert.Equal(t, "Indexed", job.Spec.CompletionMode)
	assert.Contains(t, job.Spec.Template.Spec.Containers[0].Command[2], "/8 ")
	assert.Equal(t, 8, job.Spec.Completions)
	assert.Equal(t, 6, namesWhatThereIs(t, page+matrix+indexed))
}

// strictly reads YAML, in which a key may not be given twice.
func strictly(t *testing.T, text string, into any) {
	t.Helper()
	require.NoError(t, yaml.NewDecoder(strings.NewReader(text)).Decode(into))
}

// namesWhatThereIs checks that the commands of a page exist and have the flags that they are given,
// and returns how many there are.
func namesWhatThereIs(t *testing.T, page string) (commands int) {
	t.Helper()
	root := rootCommand(nil, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
	for _, line := range strings.Split(page, "\n") {
		at := regexp.MustCompile("(?:^|run: |^ +)linsat ([a-z]+)(.*)").FindStringSubmatch(line)
		if at == nil {
			continue
		}
		var c *cobra.Command
		c, _, err := root.Find([]string{at[1]})
		require.NoError(t, err, line)
		if c.DisableFlagParsing { // the flags are those of linsat-fleet, which tests them
			continue
		}
		for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(at[2], -1) {
			assert.NotNil(t, c.Flags().Lookup(flag[1]), "%s: --%s", line, flag[1])
		}
		commands++
	}
	return commands
}

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

// TestTimes: what linsat test says of timers where goroutines take no time, some, and any.
func TestTimes(t *testing.T) {
	file := filepath.Join("testdata", "times_test.go.txt")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	tests := regexp.MustCompile(`(?m)^// (\w+), (\w+), (\w+): .*\nfunc (Test\w+)`).FindAllStringSubmatch(
		string(text), -1)
	require.Len(t, tests, 15)
	said := map[string]string{"complete": "every history is linearizable",
		"unknown": "no violation was found, but not every schedule was run"}
	moduleOf(t, file)
	work := filepath.Join(t.TempDir(), "work")
	for i, how := range [][]string{nil, {"--time", "2s"}, {"--time", "any"}} {
		var out, errs bytes.Buffer
		require.Equal(t, cli.Violation, run(append([]string{"test", "--work", work, "--for", "1m"}, how...),
			strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
		for _, one := range tests {
			if how == nil || one[4] != "TestSaysSo" {
				verdict := one[i+1]
				if said[verdict] != "" {
					verdict = said[verdict]
				}
				assert.Contains(t, out.String(), "\n"+one[4]+": "+verdict+"\n", how)
			}
		}
	}
	// A schedule is one of the times that it was found with.
	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--replay", filepath.Join("testdata", "linsat",
		"TestHourTimeout.schedule")}, strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
	assert.Contains(t, out.String(), "panic: too late")

	out.Reset()
	assert.Equal(t, cli.Linearizable, run([]string{"test", "--work", work, "--time", "blocked", "--run", "SaysSo"},
		strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
	assert.Equal(t, 1, strings.Count(out.String(), "ordinary variables were not watched for data races"))
	assert.Equal(t, cli.Usage, run([]string{"test", "--time", "late"}, strings.NewReader(""), &out, &errs))
	assert.Contains(t, errs.String(), `--time "late"`)
}

// TestShrunk: of many operations those are left that a violation takes, however it was found.
func TestShrunk(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "shrunk_test.go.txt"))
	work := filepath.Join(t.TempDir(), "work")
	for _, how := range []string{"auto", "random", "pct", "bounded"} {
		var out, errs bytes.Buffer
		require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--strategy", how}, strings.NewReader(""),
			&out, &errs), "%s%s", out.String(), errs.String())
		assert.Regexp(t, `with 3 of 31 operations: (inc\(\), get\(\) by process 0; inc\(\) by process [12]|`+
			`get\(\) by process 0; inc\(\) by process 1; inc\(\) by process 2)\n`, out.String(), how)
	}
}

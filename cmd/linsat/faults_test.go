package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFaults: a goroutine that never ends is a warning, and a failure where that is asked for; so
// is a test that fails in some execution. Their schedules fail again.
func TestFaults(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "faults_test.go.txt"))
	work := filepath.Join(t.TempDir(), "work")
	test := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(append([]string{"test", "--work", work}, args...), strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	code, text := test("--run", "Left|Ends")
	require.Equal(t, cli.Linearizable, code, text)
	assert.Regexp(t, `warning: a goroutine started at faults_test.go:\d+ had not ended in any execution`, text)
	code, text = test("--run", "Left|Ends", "--leaks")
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "TestLeft: leaked goroutine\n")
	assert.Regexp(t, `a goroutine started at faults_test.go:\d+ has not ended, and waits for ever`, text)
	assert.Contains(t, text, "TestEnds: every history is linearizable\n")
	page := filepath.Join(t.TempDir(), "page.html")
	code, text = test("--replay", filepath.Join("testdata", "linsat", "TestLeft.schedule"), "--html", page)
	require.Equal(t, cli.Violation, code, text)
	drawn, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(drawn), "<th>thread 0</th><th>thread 1</th>")
	assert.Regexp(t, `<p>leaked goroutine; schedule <code>\d*</code></p>`, string(drawn))
	assert.Regexp(t, `<code>faults_test.go:\d+ +\S+`, string(drawn))
	assert.Contains(t, text, "TestLeft: leaked goroutine\n")
	code, text = test("--run", "Asserts")
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "1 of 2\n")
	assert.Regexp(t, `TestAsserts: failed assertion\n.*\n\s*schedule \d+\s+the test has failed in this execution\n`, text)
	code, text = test("--replay", filepath.Join("testdata", "linsat", "TestAsserts.schedule"))
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "TestAsserts: failed assertion\n")
}

package main

import (
	"bytes"
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
	code, text = test("--replay", filepath.Join("testdata", "linsat", "TestLeft.schedule"))
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "TestLeft: leaked goroutine\n")
	code, text = test("--run", "Asserts")
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "1 of 2\n")
	assert.Regexp(t, `TestAsserts: failed assertion\n.*\n\s*schedule \d+\s+the test has failed in this execution\n`, text)
	code, text = test("--replay", filepath.Join("testdata", "linsat", "TestAsserts.schedule"))
	require.Equal(t, cli.Violation, code, text)
	assert.Contains(t, text, "TestAsserts: failed assertion\n")
}

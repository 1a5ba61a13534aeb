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

// TestExclude leaves a package of the user's module as it is: its calls are steps, and violations
// of the rest are found. The schedule says so when it runs again.
func TestExclude(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "excluded", "metrics.go.txt"))
	require.NoError(t, err)
	moduleOf(t, filepath.Join("testdata", "excluded", "counter_test.go.txt"))
	require.NoError(t, os.Mkdir("metrics", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("metrics", "metrics.go"), text, 0o644))
	work := filepath.Join(t.TempDir(), "work")
	test := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(append([]string{"test", "--work", work}, args...), strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	code, said := test()
	require.Equal(t, cli.Violation, code, said)
	assert.NotContains(t, said, "explored/metrics")
	code, said = test("--exclude", "./metrics")
	require.Equal(t, cli.Violation, code, said)
	assert.Contains(t, said, "TestWhole: every history is linearizable\n")
	assert.Contains(t, said, "TestTorn: not linearizable\n")
	assert.Contains(t, said, "its steps are not explored: explored/metrics (--include PACKAGE")
	code, said = test("--replay", filepath.Join("testdata", "linsat", "TestTorn.schedule"))
	require.Equal(t, cli.Violation, code, said)
	assert.Contains(t, said, "not linearizable")
	code, said = test("--exclude", ".")
	require.Equal(t, cli.Usage, code, said)
	assert.Contains(t, said, "explored is under test, so it cannot be left as it is")
}

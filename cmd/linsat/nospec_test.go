package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWithoutASpecification explores tests that give none: of goroutines and assertions alone, and
// of operations, which must agree with their serial runs. The comment of each says what is found.
func TestWithoutASpecification(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "nospec", "*.txt"))
	require.NoError(t, err)
	want := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^// ([a-z ]+)(?::.*)?\n(?:// .*\n)*func (Test\w+)`).
			FindAllStringSubmatch(string(text), -1) {
			want[m[2]] = m[1]
		}
	}
	require.Len(t, want, 23)
	moduleOf(t, files...)
	work := filepath.Join(t.TempDir(), "work")
	test := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		args = append([]string{"test", "--work", work, "--for", "1m"}, args...)
		code := run(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	code, text := test()
	require.Equal(t, cli.Violation, code, text)
	said := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(Test\w+): (.*)\n  (.*)`).FindAllStringSubmatch(text, -1) {
		said[m[1]] = m[2]
		assert.NotContains(t, m[3], "only part", m[1])
	}
	assert.Equal(t, want, said, text)
	assert.Regexp(t, `TestStack: .*\n.*\n  specification: learned from 6 serial histories\n`, text)
	assert.Regexp(t, `TestBuffer: .*\n.*\n  specification: learned from 12 serial histories, in 8 of which an operation `+
		`waits for ever\n`, text)
	assert.Contains(t, text, "os.Exit(7) at asserted_test.go:")
	assert.Contains(t, text, "log.Fatal: 0 is lost at asserted_test.go:")
	assert.Regexp(t, `(put|take)\(.*\) of thread \d waits, although it could go on in every order of what returned`, text)

	// What failed fails again, alone.
	for _, name := range []string{"TestTwoFlights", "TestTornPool", "TestLazyBuffer", "TestTornStack", "TestExit"} {
		code, text := test("--replay", filepath.Join("testdata", "linsat", name+".schedule"))
		require.Equal(t, cli.Violation, code, text)
		assert.Contains(t, text, name+": "+want[name]+"\n")
	}

	// However it was found, it is shown with few preemptions.
	code, text = test("--run", "TestTornPool", "--strategy", "random")
	require.Equal(t, cli.Violation, code, text)
	shown := regexp.MustCompile(`(?m)^\s+schedule (\d+)$`).FindStringSubmatch(text)
	require.NotNil(t, shown, text)
	switches := 0
	for i := range shown[1][1:] {
		if shown[1][i] != shown[1][i+1] {
			switches++
		}
	}
	assert.LessOrEqual(t, switches, 3, text)

	// Plain go test runs those that are right, too.
	right := "^(TestPool|TestBarrier|TestFlight|TestStack|TestBuffer|TestRandom|TestDrawnGolden)$"
	plain, err := exec.Command("go", "test", "-v", "-run", right, ".", "-linsat.duration=200ms").CombinedOutput()
	require.NoError(t, err, string(plain))
	assert.Regexp(t, `(?s)runs, of which none failed.*--- PASS: TestPool`, string(plain))
	assert.Regexp(t, `(?s)runs with \d+ operations.*--- PASS: TestStack`, string(plain))
	assert.Regexp(t, `(?s)warning: no history was judged: in a serial run, an operation of process \d waits for another `+
		`one.*--- PASS: TestBuffer`, string(plain))
}

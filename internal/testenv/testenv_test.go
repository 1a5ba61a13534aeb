package testenv_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSwitchesAreOnOrOff(t *testing.T) {
	sample := 300
	if testing.Short() {
		sample = 15
	}
	for text, want := range map[string]bool{"": false, "0": false, "false": false, "1": true, "true": true} {
		t.Setenv("LINSAT_FULL", text)
		t.Setenv("LINSAT_UPDATE", text)
		assert.Equal(t, want, testenv.Full(), "LINSAT_FULL=%s", text)
		assert.Equal(t, want, testenv.Update(), "LINSAT_UPDATE=%s", text)
		assert.Equal(t, map[bool]int{false: sample, true: 5000}[want], testenv.Scale(300, 5000), "LINSAT_FULL=%s", text)
		assert.Equal(t, map[bool]int{false: 7 * (300 / sample), true: 1}[want], testenv.OneOf(7), "LINSAT_FULL=%s",
			text)
	}
	t.Setenv("LINSAT_FULL", "maybe")
	assert.PanicsWithValue(t, "LINSAT_FULL=maybe: want 1 or 0", func() { testenv.Full() })
}

// spy is a test that records how it ends.
type spy struct {
	testing.TB
	said string
}

func (s *spy) Helper() {}

func (s *spy) end(how string, args ...any) {
	s.said = how + fmt.Sprint(args...)
	runtime.Goexit()
}

func (s *spy) Skip(args ...any)             { s.end("skipped: ", args...) }
func (s *spy) Fatal(args ...any)            { s.end("failed: ", args...) }
func (s *spy) Fatalf(f string, args ...any) { s.end("failed: ", fmt.Sprintf(f, args...)) }
func (s *spy) Errorf(f string, args ...any) { s.said = "failed: " + fmt.Sprintf(f, args...) }

// said runs f with a test and returns how that ended.
func said(f func(t testing.TB)) string {
	s := &spy{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(s)
	}()
	<-done
	return s.said
}

func TestWithoutItsNeedsATestIsSkippedOrFails(t *testing.T) {
	t.Setenv("LINSAT_CORPORA", "")
	t.Setenv("PATH", "")
	for need, f := range map[testenv.Need]func(testing.TB){
		testenv.Corpora:  func(t testing.TB) { testenv.Recorded(t, "kv") },
		testenv.Chromium: func(t testing.TB) { testenv.Browser(t) },
		testenv.Solvers:  func(t testing.TB) { testenv.Missing(t, testenv.Solvers, "no z3") },
		testenv.Clang:    func(t testing.TB) { testenv.NeedsClang(t) },
	} {
		t.Setenv(string(need), "0")
		assert.Regexp(t, "^skipped: ", said(f))
		t.Setenv(string(need), "1")
		assert.Regexp(t, `^failed: .* \(and `+string(need)+` is set\)$`, said(f))
	}
	t.Setenv("LINSAT_CORPORA", "there")
	assert.Equal(t, filepath.Join("there", "kv", "a"), testenv.Recorded(t, "kv", "a"))
}

func TestGoldenFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden.txt")
	compare := func(got string) string { return said(func(t testing.TB) { testenv.Golden(t, file, got) }) }
	t.Setenv("LINSAT_UPDATE", "")
	assert.Contains(t, compare("a\nb\n"), "LINSAT_UPDATE=1 writes it")
	t.Setenv("LINSAT_UPDATE", "1")
	assert.Empty(t, compare("a\nb\nc\n"))
	t.Setenv("LINSAT_UPDATE", "0")
	assert.Empty(t, compare("a\nb\nc\n"))
	assert.Contains(t, compare("a\nB\nc\n"), "from line 2 on\n- b\n+ B\n")
	assert.Contains(t, compare("a\n"+strings.Repeat("x\n", 10)), "+ … ")
}

// TestVariablesAreReadHereOnly looks for tests that read a variable of this package by themselves.
func TestVariablesAreReadHereOnly(t *testing.T) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	require.NoError(t, err)
	dir := strings.TrimSpace(string(root))
	reads := regexp.MustCompile(`(Getenv|LookupEnv)\("LINSAT_(FULL|CORPORA|UPDATE|REQUIRE_\w+)"\)`)
	tests := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		tests++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		assert.Empty(t, reads.FindString(string(text)), "%s: use package testenv", path)
		return nil
	}))
	assert.Greater(t, tests, 100)
}

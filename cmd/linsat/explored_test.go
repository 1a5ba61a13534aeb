package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module makes a module that uses this one, with files of testdata, and changes into it.
func moduleOf(t *testing.T, files ...string) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, strings.TrimSuffix(filepath.Base(f), ".txt")), text, 0o644))
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, _ := strings.Cut(string(mod), "\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"),
		[]byte("module explored\n"+requirements+
			"\nrequire github.com/linsat/linsat v0.0.0\nreplace github.com/linsat/linsat => "+root+"\n"), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	t.Chdir(dir)
	if os.Getenv("GOGC") == "" {
		t.Setenv("GOGC", "400") // of the go commands, which make much garbage and hold little
	}
}

// expected reads from the comment of each test what linsat test says of it.
func expected(t *testing.T, files []string) map[string]string {
	all := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(
			`(?m)^// (complete|not linearizable|deliberate fault|stuck|panic)\b.*\nfunc (Test\w+)`).FindAllStringSubmatch(string(text), -1) {
			all[m[2]] = m[1]
		}
	}
	return all
}

// TestExplored runs the tests of a module under every schedule, and then as they are.
func TestExplored(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "explored", "*.txt"))
	require.NoError(t, err)
	want := expected(t, files)
	require.Greater(t, len(want), 15)
	moduleOf(t, files...)
	work := filepath.Join(t.TempDir(), "work")

	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--for", "5m"}, strings.NewReader(""), &out,
		&errs), "%s%s", out.String(), errs.String())
	said := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(Test\w+): (.*)\n  (.*)`).FindAllStringSubmatch(out.String(), -1) {
		said[m[1]] = m[2]
		if m[1] == "TestDrawn" {
			assert.Regexp(t, `^100 programs of 2 processes with 3 operations: `, m[3])
			continue
		}
		assert.Contains(t, m[3], "every schedule", m[1])
		assert.NotContains(t, m[3], "only part", m[1])
	}
	for name, verdict := range want {
		switch verdict {
		case "complete":
			verdict = "every history is linearizable"
		case "deliberate fault":
			verdict = "the deliberate fault was found"
		}
		assert.Equal(t, verdict, said[name], "%s\n%s%s", name, out.String(), errs.String())
	}
	assert.Regexp(t,
		`TestStack: every history is linearizable\n.*\n  overlapped: pop with pop, pop with push, push with push\n`,
		out.String())
	assert.Regexp(t,
		`TestHandOff: .*\n.*\n(?:  overlapped: .*\n)?  warning: a goroutine started at channels_test.go:\d+ had not ended in (some executions|any execution)`, out.String())
	assert.Regexp(t, `read top: nil +stack.go:\d+`, out.String(), "lines are those of the source")

	// The schedule that was kept fails again, alone.
	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--replay", filepath.Join("testdata", "linsat",
		"TestTorn.schedule")}, strings.NewReader(""), &out, &errs), "%s", errs.String())
	assert.Contains(t, out.String(), "CONTRADICTION")
	assert.NotContains(t, out.String(), "TestDeadlock")

	// Built for a debugger, it fails in the same way. What the test imports is taken as it is
	// compiled already: to compile all of that again takes minutes.
	out.Reset()
	t.Setenv("PATH", withoutDelve())
	require.Equal(t, cli.Linearizable,
		run([]string{"test", "--work", work, "--replay", filepath.Join("testdata", "linsat", "TestTorn.schedule"),
			"--debug", "--", "-gcflags=std=", "-gcflags=github.com/...="}, strings.NewReader(""), &out, &errs), "%s",
		errs.String())
	debug := regexp.MustCompile(
		`  LINSAT_TEST=(@\S+) dlv exec (\S+) --init \S+ -- -test.run '(\S+)' -test.v\n`).FindStringSubmatch(out.String())
	require.NotNil(t, debug, out.String())
	c := exec.Command(debug[2], "-test.run", debug[3], "-test.v")
	c.Env = append(os.Environ(), "LINSAT_TEST="+debug[1])
	printed, err := c.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(printed), "TestTorn: not linearizable")

	// Drawn schedules find it, too; and one test may be asked for.
	for _, how := range [][]string{{"--strategy", "pct", "--depth", "3"}, {"--strategy", "random", "--runs", "1000"},
		{"--strategy", "bounded"}, {"--strategy", "exhaustive"}} {
		out.Reset()
		code := run(append([]string{"test", "--work", work, "--run", "^TestTorn$"}, how...),
			strings.NewReader(""), &out, &errs)
		assert.Equal(t, cli.Violation, code, "%v: %s%s", how, out.String(), errs.String())
		assert.NotContains(t, out.String(), "TestDeadlock")
		if how[1] == "bounded" {
			assert.Contains(t, out.String(), "every schedule with at most 2 preemptions")
		}
	}
	assert.Equal(t, cli.Usage, run([]string{"test", "--strategy", "luck"}, strings.NewReader(""), &out, &errs))
	assert.Contains(t, errs.String(), `unknown strategy "luck"`)
}

// withoutDelve returns the path for commands, without folders that have Delve.
func withoutDelve() string {
	var folders []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "dlv")); err != nil {
			folders = append(folders, dir)
		}
	}
	return strings.Join(folders, string(filepath.ListSeparator))
}

// TestInstalledMap explores Go's own sync.Map, and the model that stands in for it otherwise.
func TestInstalledMap(t *testing.T) {
	file := filepath.Join("testdata", "syncmap_test.go.txt")
	want := expected(t, []string{file})
	require.Len(t, want, 3)
	moduleOf(t, file)
	work := filepath.Join(t.TempDir(), "work")
	executions := func(args ...string) map[string]int {
		var out, errs bytes.Buffer
		require.Equal(t, cli.Linearizable, run(append([]string{"test", "--work", work}, args...), strings.NewReader(""),
			&out, &errs), "%s%s", out.String(), errs.String())
		all := map[string]int{}
		for _, m := range regexp.MustCompile(
			`(?m)^(Test\w+): every history is linearizable\n  every schedule, .*: (\d+) executions`).FindAllStringSubmatch(out.String(), -1) {
			n, err := strconv.Atoi(m[2])
			require.NoError(t, err)
			all[m[1]] = n
		}
		return all
	}
	model, real := executions(), executions("--include", "sync")
	for name := range want {
		assert.Positive(t, model[name], name)
		assert.Greater(t, real[name], 5*model[name], "%s: the map's own steps are explored", name)
	}
}

// TestJobs: what a systematic exploration does not reach is found by another process, which draws.
// Its schedule fails again here, and is kept.
func TestJobs(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "early_test.go.txt"))
	work := filepath.Join(t.TempDir(), "work")
	var out, errs bytes.Buffer
	args := []string{"test", "--work", work, "--for", "30s"}
	require.Equal(t, cli.Violation, run(append(args, "--jobs", "2"), strings.NewReader(""), &out, &errs), "%s%s",
		out.String(), errs.String())
	assert.Contains(t, out.String(), "then one by pct in another process, which failed")
	assert.Contains(t, out.String(), "a smaller program fails, too, with 1 of 24 operations: getandinc() by process 3")
	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--replay", filepath.Join("testdata", "linsat",
		"TestEarly.schedule")}, strings.NewReader(""), &out, &errs), "%s", errs.String())
	assert.Contains(t, out.String(), "getandinc → 1")
	require.NoError(t, os.RemoveAll("testdata"))

	// Drawn schedules are divided.
	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--strategy", "pct", "--runs", "4000",
		"--jobs", "3"}, strings.NewReader(""), &out, &errs), "%s", errs.String())
	out.Reset()
	assert.Equal(t, cli.Usage, run([]string{"test", "--jobs", "0"}, strings.NewReader(""), &out, &errs))
	assert.Contains(t, errs.String(), "--jobs 0")
}

// TestResumed: a search that a limit ends goes on where it ended, and runs no schedule twice.
func TestResumed(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "resumed_test.go.txt"))
	args := []string{"test", "--work", filepath.Join(t.TempDir(), "work"), "--strategy", "dpor", "--for", "0"}
	explored := func(code int, more ...string) string {
		var out, errs bytes.Buffer
		got := run(append(args, more...), strings.NewReader(""), &out, &errs)
		require.Equal(t, code, got, out.String()+errs.String())
		return out.String()
	}
	part := []string{"--resume", "--runs", "400"}
	assert.Regexp(t, `: 400 executions, .*; about \d+ % of the schedules known so far; --resume goes on`,
		explored(cli.Unknown, part...))
	assert.Contains(t, explored(cli.Linearizable, part...), ": 230 executions, ")
	assert.NoFileExists(t, filepath.Join("testdata", "linsat", "TestResumed.search"))
	assert.Contains(t, explored(cli.Linearizable), ": 630 executions, ")
}

// TestVendored: a module or workspace with a vendor folder is explored, and stays as it is.
func TestVendored(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "explored", "stack.go.txt"), filepath.Join("testdata", "explored",
		"stack_test.go.txt"))
	out, err := exec.Command("go", "mod", "tidy").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "mod", "vendor").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.FileExists(t, filepath.Join("vendor", "modules.txt"))
	before, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	var said, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", filepath.Join(t.TempDir(), "work"), "--localize"},
		strings.NewReader(""), &said, &errs), "%s%s", said.String(), errs.String())
	assert.Contains(t, said.String(), "TestStack: every history is linearizable\n")
	assert.Contains(t, said.String(), "TestTorn: not linearizable\n")
	assert.Contains(t, said.String(),
		"a smaller program fails, too, with 3 of 4 operations: push(0), pop() by process 0; pop() by process 1\n")
	assert.Regexp(t,
		`what to repair: if these two accesses are one atomic event, no trace of this test fails\n +in pop\(\):\n +read top +stack.go:\d+\n +write top +stack.go:\d+\n`, said.String())
	after, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))

	// The same in a workspace, whose modules and vendor folder are for all.
	require.NoError(t, os.RemoveAll("vendor"))
	require.NoError(t, os.Mkdir("sub", 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("sub", "go.mod"), []byte("module explored/sub\n\ngo 1.25\n"),
		0o644))
	work := "go 1.25.0\n\nuse .\n\nuse (\n\t./sub // empty\n)\n"
	require.NoError(t, os.WriteFile("go.work", []byte(work), 0o644))
	for _, vendored := range []bool{false, true} {
		if vendored {
			out, err = exec.Command("go", "work", "vendor").CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		said.Reset()
		require.Equal(t, cli.Linearizable, run([]string{"test", "--work", filepath.Join(t.TempDir(), "work"), "--run",
			"TestStack", "--include", "github.com/mattn/go-runewidth", "--", "-mod=vendor"}, strings.NewReader(""),
			&said, &errs), "%s%s", said.String(), errs.String())
		assert.Contains(t, said.String(), "TestStack: every history is linearizable\n")
	}
}

// TestNamed: atomic variables are called as the code calls them. The elements of one array are one
// variable where races are looked for, as in FGVT's example, whose sequence is the paper's.
func TestNamed(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "explored", "pair.go.txt"), filepath.Join("testdata", "explored",
		"pair_test.go.txt"))
	var said, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", filepath.Join(t.TempDir(), "work"), "--localize"},
		strings.NewReader(""), &said, &errs), "%s%s", said.String(), errs.String())
	for _, access := range []string{`read d\[0\]: 1`, `write d\[1\]: 1 → 2`, `update cells\[0\]: 0 → 1`,
		`update cells#2\[1\]: 0 → 1`, `update element of other: 0 → 1`, `update last: 0 → 1`, `read cells#2\[1\]: 1`} {
		assert.Regexp(t, ` +`+access+` +pair.go:\d+\n`, said.String())
	}
	assert.Contains(t, said.String(), "Wg{5}G")
}

// TestTooMany: what starts too many goroutines is no violation.
func TestTooMany(t *testing.T) {
	moduleOf(t, filepath.Join("testdata", "toomany_test.go.txt"))
	var out, errs bytes.Buffer
	work := filepath.Join(t.TempDir(), "work")
	require.Equal(t, cli.Unknown, run([]string{"test", "--for", "2s", "--work", work}, strings.NewReader(""), &out,
		&errs), "%s", errs.String())
	assert.Contains(t, out.String(), "TestTooMany: no violation was found, but not every schedule was run")
	assert.Regexp(t, `not decided: .*have more than 64 goroutines at once`, out.String())
	out.Reset()
	require.Equal(t, cli.Unknown, run([]string{"test", "--max-steps", "20", "--work", work}, strings.NewReader(""),
		&out, &errs), "%s", out.String())
	assert.Contains(t, out.String(), "are not known to repeat for ever; --max-steps allows more\n")
}

// TestRaced compares the races that are found in litmus programs with those that the memory model
// of Go has.
func TestRaced(t *testing.T) {
	cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	require.NoError(t, err)
	if _, err := exec.LookPath("gcc"); err != nil || strings.TrimSpace(string(cgo)) != "1" {
		testenv.Missing(t, testenv.Solvers, "the race detector needs a C compiler")
	}
	file := filepath.Join("testdata", "raced", "litmus_test.go.txt")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want := regexp.MustCompile(`(?m)^// (race|none)\b.*\nfunc (Test\w+)`).FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(want), 30)
	moduleOf(t, file)
	work := filepath.Join(t.TempDir(), "work")
	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--race", "--work", work}, strings.NewReader(""), &out, &errs),
		"%s%s", out.String(), errs.String())
	for _, w := range want {
		verdict := "every history is linearizable"
		if w[1] == "race" {
			verdict = "data race"
		}
		assert.Contains(t, out.String(), w[2]+": "+verdict+"\n", w[2])
		if w[1] == "none" {
			assert.NotContains(t, out.String(), w[2]+": data race\n")
		}
	}
	assert.Regexp(t, `  read\n    explored\.TestTwoLocks\.func1\.2\(\) .*litmus_test.go:\d+\n`, out.String())

	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--race", "--work", work, "--replay", filepath.Join("testdata",
		"linsat", "TestFlagTooEarly.schedule")}, strings.NewReader(""), &out, &errs), "%s", errs.String())
	assert.Regexp(t, `TestFlagTooEarly: data race\n  read\n`, out.String())

	// What fails without having been explored is not taken for the race detector's noise.
	require.NoError(t, os.WriteFile("ordinary_test.go", []byte(`package explored

import (
	"testing"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
)

func TestOrdinary(t *testing.T) { t.Error("as always") }

func TestUnlike(t *testing.T) {
	runs := 0
	linsattest.Check(t, spec.MustLookup("counter"), func(r *linsattest.Run) {
		runs++
		for range 1 + runs%3 {
			r.Go(func(p *linsattest.Process) { p.Do("inc", nil, func() any { return nil }) })
		}
	})
}
`), 0o644))
	for test, says := range map[string]string{"TestOrdinary": "as always",
		"TestUnlike": "TestUnlike: cannot be explored"} {
		out.Reset()
		assert.Equal(t, cli.Violation, run([]string{"test", "--race", "--work", work, "--run", "^(TestOneLock|" + test +
			")$"}, strings.NewReader(""), &out, &errs), "%s%s", test, out.String())
		assert.Contains(t, out.String(), says)
		assert.Contains(t, out.String(), "TestOneLock: every history is linearizable")
	}
}

// TestRefused: what cannot be modelled is refused by name and line where it is reached, and nowhere
// else.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		return filepath.Join(dir, name)
	}
	files := []string{file("refused_test.go.txt", `package explored

import (
	"reflect"
	"testing"
	_ "unsafe"

	"github.com/linsat/linsat/linsattest"
)

//go:linkname park runtime.gopark
func park()

func check(t *testing.T, f func()) {
	linsattest.Check(t, nil, func(r *linsattest.Run) { r.Go(func(*linsattest.Process) { f() }) })
}

func TestNothing(t *testing.T) { check(t, func() {}) }
func TestLinked(t *testing.T)  { check(t, func() { park() }) }
func TestSelect(t *testing.T)  { check(t, func() { reflect.Select(nil) }) }
func TestOne(t *testing.T)     { check(t, func() { one() }) }
`)}
	want := []string{"TestNothing: no execution fails",
		"refused_test.go:19:52: go:linkname park runtime.gopark (what is linked by name cannot be explored)",
		"refused_test.go:20:52: reflect.Select (use a select statement)"}
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err == nil && strings.TrimSpace(string(out)) == "1" {
		files = append(files, file("c.go.txt", "package explored\n\n// static int one(void) { return 1; }\n"+
			"import \"C\"\n\nfunc one() int { return int(C.one()) }\n"))
		want = append(want, "c.go:6:29: cgo (code in C cannot be explored)")
	} else {
		files = append(files, file("c.go.txt", "package explored\n\nfunc one() int { return 1 }\n"),
			file("empty.s.txt", "// nothing\n"))
	}
	moduleOf(t, files...)
	var out, errs bytes.Buffer
	assert.Equal(t, cli.Usage, run([]string{"test", "--work", t.TempDir()}, strings.NewReader(""), &out, &errs))
	for _, w := range want {
		assert.Contains(t, out.String()+errs.String(), w)
	}
}

// The stack of docs/go-test.md is refuted under linsat test, too, by three of its 400 operations;
// and what a long schedule of one operation fills is shortened.
func TestTheGuideIsExplored(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "go-test.md"))
	require.NoError(t, err)
	var files []string
	for _, f := range regexp.MustCompile("(?s)```go\n// (\\w+\\.go)\n(.*?)```").FindAllStringSubmatch(string(guide),
		-1) {
		if len(files) == 2 {
			break // the third file is a smaller test, of TestTutorial
		}
		file := filepath.Join(t.TempDir(), f[1]+".txt")
		require.NoError(t, os.WriteFile(file, []byte(f[2]), 0o644))
		files = append(files, file)
	}
	require.Len(t, files, 2)
	long := filepath.Join(t.TempDir(), "long_test.go.txt")
	require.NoError(t, os.WriteFile(long, []byte(`package stack

import (
	"sync/atomic"
	"testing"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
)

func TestLong(t *testing.T) {
	linsattest.Check(t, spec.MustLookup("stack"), func(r *linsattest.Run) {
		var n, begun atomic.Int64
		r.Go(func(p *linsattest.Process) {
			p.Do("push", 2, func() any {
				begun.Store(1)
				n.Load() // each addition conflicts with it
				return nil
			})
		})
		r.Go(func(p *linsattest.Process) {
			p.Do("push", 1, func() any {
				for n.Add(1) < 300 {
				}
				if begun.Load() == 1 {
					panic("300")
				}
				return nil
			})
		})
	})
}
`), 0o644))
	moduleOf(t, append(files, long)...)
	work := t.TempDir()
	var out, errs bytes.Buffer
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--run", "TestStack"}, strings.NewReader(""),
		&out, &errs), "%s%s", out.String(), errs.String())
	assert.Contains(t, out.String(), "TestStack: not linearizable")
	assert.Contains(t, out.String(), "with 3 of 400 operations: ")
	assert.NotContains(t, out.String(), "lines left out")
	out.Reset()
	require.Equal(t, cli.Violation, run([]string{"test", "--work", work, "--run", "TestLong"}, strings.NewReader(""),
		&out, &errs), "%s%s", out.String(), errs.String())
	assert.Contains(t, out.String(), "TestLong: panic")
	assert.Contains(t, out.String(), "lines left out; --replay shows them")
	assert.Less(t, strings.Count(out.String(), "\n"), 200)
}

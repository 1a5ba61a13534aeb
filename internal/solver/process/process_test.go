package process_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// find returns a factory for an installed program, and skips the test without it.
func find(t *testing.T, name string) func() solver.Solver {
	factory, err := process.Find(name)
	if errors.Is(err, process.ErrNotInstalled) {
		testenv.Missing(t, testenv.Solvers, err)
	}
	require.NoError(t, err)
	return factory
}

func TestLaws(t *testing.T) {
	for _, name := range process.Names() {
		t.Run(name, func(t *testing.T) {
			factory := find(t, name)
			oneIn := uint64(50)
			if name == "z3" { // starts ten times more slowly
				oneIn = 400
			}
			solvertest.RunSample(t, factory, oneIn)
			assert.Empty(t, children(t), "processes left")
		})
	}
}

// children lists the processes that this one has started and not reaped, where /proc tells.
func children(t *testing.T) []string {
	files, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	var all []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err == nil { // threads come and go
			all = append(all, strings.Fields(string(text))...)
		}
	}
	return all
}

// Larger formulas than the laws', whose models fill more than one line and buffer, and questions
// beyond any pipe.
func TestLargeFormulasAreSolved(t *testing.T) {
	for _, name := range process.Names() {
		t.Run(name, func(t *testing.T) {
			s := find(t, name)()
			n := solver.Lit(30_000)
			if name == "z3" { // it takes seconds for that
				n = 1000
			}
			for i := solver.Lit(1); i < n; i++ {
				s.Add([]solver.Lit{-i, i + 1, n + i})
				s.Add([]solver.Lit{-i, i + 1, -n - i})
			}
			require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), 1))
			for v := solver.Lit(1); v <= n; v++ {
				require.True(t, s.Value(v), v)
			}
			require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), n-1, 7, -n))
			require.Contains(t, s.Failed(), solver.Lit(-n))
			require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), -n))
			require.True(t, s.Value(-1))
		})
	}
}

func TestNamesACore(t *testing.T) {
	s := find(t, "z3")()
	s.Add([]solver.Lit{-3, -5})
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 1, 2, 3, 4, 5, -6))
	require.ElementsMatch(t, []solver.Lit{3, 5}, s.Failed())
}

func TestTooLargeFormulasAreRefused(t *testing.T) {
	s := find(t, "cadical")()
	s.Add([]solver.Lit{1})
	require.Equal(t, solver.Unknown, s.Solve(context.Background(), process.MaxVars+1))
	require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	s.Add([]solver.Lit{process.MaxVars + 1})
	require.Equal(t, solver.Unknown, s.Solve(context.Background()))
	require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
}

func TestFind(t *testing.T) {
	_, err := process.Find("frobnicate")
	require.ErrorIs(t, err, process.ErrUnknownTool)
	require.ErrorContains(t, err, "cadical")
	t.Setenv("PATH", t.TempDir())
	_, err = process.Find("cadical")
	require.ErrorIs(t, err, process.ErrNotInstalled)
	require.EqualError(t, err, "cadical is not installed")
}

// pretend puts a shell script in the place of a program and returns a solver that uses it.
func pretend(t *testing.T, name, script string) solver.Solver {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	factory, err := process.Find(name)
	require.NoError(t, err)
	return factory()
}

// A program that answers wrongly, half or not at all must never become a verdict.
func TestBadPrograms(t *testing.T) {
	for _, c := range []struct{ what, tool, script, says string }{
		{"no answer", "cadical", "cat >/dev/null; exit 0", "without an answer"},
		{"complains and dies", "cadical", "echo out of memory >&2; exit 1", "out of memory"},
		{"dies at once", "cadical", "exit 10", "without an answer"},
		{"says yes and no", "cadical", "cat >/dev/null; echo s SATISFIABLE; echo v 1 0; exit 20", "the exit code 20"},
		{"killed after its answer", "cadical", "cat >/dev/null; echo s UNSATISFIABLE; kill -9 $$", "killed"},
		{"model breaks a clause", "cadical", "cat >/dev/null; echo s SATISFIABLE; echo v -1 -2 0; exit 10",
			"model does not satisfy"},
		{"model breaks an assumption", "cadical", "cat >/dev/null; echo s SATISFIABLE; echo v 1 2 0; exit 10",
			"model does not satisfy"},
		{"half a model", "cadical", "cat >/dev/null; echo s SATISFIABLE; exit 10", "model does not satisfy"},
		{"garbage in the model", "cadical", "cat >/dev/null; echo s SATISFIABLE; echo v 1 x 0; exit 10", `"x"`},
		{"huge number in the model", "cadical", "cat >/dev/null; echo s SATISFIABLE; echo v 2000000000 0; exit 10",
			"2000000000"},
		{"unknown", "cadical", "cat >/dev/null; echo s UNKNOWN; exit 0", "without an answer"},
		{"z3: unknown", "z3", "echo unknown", "unknown"},
		{"z3: no answer", "z3", "exit 1", "without an answer"},
		{"z3: error", "z3", "echo '(error \"line 1\")'; cat >/dev/null", "line 1"},
		{"z3: half a model", "z3", "echo sat; echo '((define-fun x1 () Bool true'", "incomplete model"},
		{"z3: half a definition", "z3", "echo sat; echo '((define-fun x1 ('", "incomplete model"},
		{"z3: no model", "z3", "echo sat; echo '(error \"no\")'; cat >/dev/null", "no model"},
		{"z3: wrong model", "z3", "echo sat; echo '((define-fun x1 () Bool false))'; cat >/dev/null",
			"model does not satisfy"},
		{"z3: foreign core", "z3", "echo unsat; echo '(x7)'; cat >/dev/null", "not assumed"},
		{"z3: half a core", "z3", "echo unsat; echo '((not x2)'", "incomplete core"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := pretend(t, c.tool, c.script)
			s.Add([]solver.Lit{1, 2})
			require.Equal(t, solver.Unknown, s.Solve(context.Background(), -2, 1))
			require.ErrorContains(t, s.Err(), c.tool+": ")
			require.ErrorContains(t, s.Err(), c.says)
			require.False(t, s.Value(1) || s.Value(-1))
			require.Nil(t, s.Failed())
		})
	}
}

// An answer before the question is read to its end counts; linsat does not wait for the rest to be
// read.
func TestSolversMayAnswerBeforeTheFormulaIsRead(t *testing.T) {
	s := pretend(t, "cadical", "echo s UNSATISFIABLE; exit 20")
	for i := solver.Lit(1); i < 100_000; i++ {
		s.Add([]solver.Lit{-i, i + 1})
	}
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 1))
	require.Equal(t, []solver.Lit{1}, s.Failed())
}

// A script around a solver is killed together with it, also if neither reads nor writes anything.
func TestKillsScriptsWithTheirChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs groups of processes")
	}
	for _, tool := range []string{"cadical", "z3"} {
		pids := filepath.Join(t.TempDir(), "pid")
		s := pretend(t, tool, "sleep 1000 & echo $! > "+pids+"; wait")
		for i := solver.Lit(1); i < 100_000; i++ {
			s.Add([]solver.Lit{-i, i + 1})
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		enough := errors.New("enough")
		go func() {
			for {
				if text, err := os.ReadFile(pids); err == nil && strings.HasSuffix(string(text), "\n") {
					cancel(enough)
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		require.Equal(t, solver.Unknown, s.Solve(ctx))
		require.ErrorIs(t, s.Err(), enough)
		text, err := os.ReadFile(pids)
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			return !runs(pid)
		}, 2*time.Second, 5*time.Millisecond, "%s: the child lives", tool)
		require.Empty(t, children(t), tool)
	}
}

// childOf asks a program that starts a child, and returns the child's process id. PIDS in the
// script stands for what writes down its number.
func childOf(ctx context.Context, t *testing.T, tool, script string) (int, solver.Status) {
	pids := filepath.Join(t.TempDir(), "pid")
	s := pretend(t, tool, "sleep 1000 "+strings.ReplaceAll(script, "PIDS", "& echo $! > "+pids))
	s.Add([]solver.Lit{1})
	s.Add([]solver.Lit{-1})
	status := s.Solve(ctx)
	text, err := os.ReadFile(pids)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return pid, status
}

// What a script leaves behind when it ends by itself is killed as well, whether it holds the output
// open or not, and whatever it answered.
func TestKillsWhatScriptsLeaveBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells of an end before the process is reaped")
	}
	for _, c := range []struct {
		script string
		want   solver.Status
	}{
		{">/dev/null 2>&1 PIDS; cat >/dev/null; echo s UNSATISFIABLE; exit 20", solver.Unsatisfiable},
		{"PIDS; cat >/dev/null; echo s UNSATISFIABLE; exit 20", solver.Unsatisfiable},
		{"PIDS; echo s UNSATISFIABLE; exit 20", solver.Unsatisfiable},
		{"PIDS; exit 1", solver.Unknown},
		{"PIDS; kill -9 $$", solver.Unknown},
	} {
		pid, status := childOf(t.Context(), t, "cadical", c.script)
		assert.Equal(t, c.want, status, c.script)
		require.Eventually(t, func() bool { return !runs(pid) }, 10*time.Second, 5*time.Millisecond, c.script)
	}
	require.Empty(t, children(t))
}

// An answer that was read to its end counts, whoever still holds the stream for complaints open:
// here a child in a group of its own, on a busy machine the copying of the stream.
func TestAnswersCountThoughComplaintsStayOpen(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("needs setsid")
	}
	s := pretend(t, "z3", "setsid sleep 2 >/dev/null & echo unsat; cat >/dev/null")
	s.Add([]solver.Lit{1, 2})
	require.Equal(t, solver.Unsatisfiable, s.Solve(t.Context()), "%v", s.Err())
}

// KillAll kills what is at work, children included, and its Solver says that there is no answer.
func TestKillAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs groups of processes")
	}
	pids := filepath.Join(t.TempDir(), "pid")
	s := pretend(t, "cadical", "sleep 1000 & echo $! > "+pids+"; wait")
	s.Add([]solver.Lit{1})
	done := make(chan solver.Status, 1)
	go func() { done <- s.Solve(context.Background()) }()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(pids)
		return err == nil && strings.HasSuffix(string(text), "\n")
	}, 10*time.Second, time.Millisecond)
	process.KillAll()
	assert.Equal(t, solver.Unknown, <-done)
	text, err := os.ReadFile(pids)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !runs(pid) }, 10*time.Second, 5*time.Millisecond)
	process.KillAll() // there is nothing left
}

// runs reports whether a process lives: a dead one is gone or waits for its parent to notice.
func runs(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIsolatedProcessesEndWithTheirParent: a process that a specification in a file runs in does
// not outlive linsat, though linsat is killed. A limit is what makes it one of its own.
func TestIsolatedProcessesEndWithTheirParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process does not learn that its parent ended")
	}
	star := filepath.Join(t.TempDir(), "any.star")
	require.NoError(t,
		os.WriteFile(star,
			[]byte("def init(given):\n    return 0\n\ndef step(state, op):\n    return [(ANY, state)]\n"), 0o644))
	cmd := exec.Command(program(t), "solve", "--memory", "1GiB", "--spec", star, "-")
	waits, err := cmd.StdinPipe() // the process waits for a history that does not come
	require.NoError(t, err)
	defer waits.Close()
	require.NoError(t, cmd.Start())
	child := 0
	require.Eventually(t, func() bool {
		child = childOf(t, cmd.Process.Pid)
		return child != 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Process.Release()
	require.Eventually(t, func() bool {
		state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(child)).Output()
		return err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
	}, time.Minute, 5*time.Millisecond, "the child lives")
}

// childOf returns the number of a process that another one started, 0 if there is none.
func childOf(t *testing.T, parent int) int {
	t.Helper()
	all, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	require.NoError(t, err)
	for _, line := range strings.Split(string(all), "\n") {
		if of := strings.Fields(line); len(of) == 2 && of[1] == strconv.Itoa(parent) {
			pid, err := strconv.Atoi(of[0])
			require.NoError(t, err)
			return pid
		}
	}
	return 0
}

// TestIsolationIsTheDefault: where a limit is given for a specification in Starlark, unless a flag
// says no.
func TestIsolationIsTheDefault(t *testing.T) {
	for line, want := range map[string]bool{
		"--spec a.star":                              false,
		"--spec a.star --memory 1GiB":                true,
		"--spec a.star --timeout 9s":                 true,
		"--spec a.star --timeout 9s --isolate=false": false,
		"--spec a.star --isolate":                    true,
		"--spec queue --memory 1GiB":                 false,
		"--spec a.json --memory 1GiB":                false,
	} {
		c := solveCommand()
		require.NoError(t, c.ParseFlags(strings.Fields(line)))
		got, _ := toIsolate(c, []string{"b.star"})
		assert.Equal(t, want, got, line)
	}
	for line, want := range map[string]bool{
		"a.star":                              false,
		"a.star --timeout 9s":                 true,
		"a.star --timeout 9s --isolate=false": false,
		"a.star --isolate":                    true,
		"a.json --timeout 9s":                 false,
		"--timeout 9s":                        false,
	} {
		c := specsCheckCommand()
		require.NoError(t, c.ParseFlags(strings.Fields(line)))
		got, _ := toIsolate(c, c.Flags().Args())
		assert.Equal(t, want, got, line)
	}
}

// TestLoadingIsUnderTheTimeout: a specification that is never ready is given up.
func TestLoadingIsUnderTheTimeout(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	_, err := within(time.Millisecond, notReady(time.Millisecond), func() (int, error) { <-never; return 0, nil })
	assert.ErrorContains(t, err, "the specification was not ready within 1ms")
	for _, limit := range []time.Duration{0, time.Hour} {
		_, err = within(limit, notReady(limit), func() (int, error) { return 0, os.ErrNotExist })
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTerminateKillsSolvers: a solver that is a script, and hangs, is dead with all its children
// once linsat is asked to end, or its time is up.
func TestTerminateKillsSolvers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	program := program(t)
	h := filepath.Join(t.TempDir(), "h.json")
	require.NoError(t,
		os.WriteFile(h,
			[]byte(`{"spec": "register", "operations": [{"process": 0, "f": "write", "arg": 5, "call": 1, "return": 2}, {"process": 1, "f": "write", "arg": 4, "call": 1, "return": 2},
		{"process": 2, "f": "read", "call": 3, "return": 4, "result": 5}, {"process": 3, "f": "read", "call": 3, "return": 4, "result": 4}]}`), 0o644))
	for name, c := range map[string]struct {
		flags  []string
		signal os.Signal // nil: none
	}{
		"terminated":  {nil, syscall.SIGTERM},
		"hung up":     {nil, syscall.SIGHUP},
		"interrupted": {nil, os.Interrupt},
		"late":        {[]string{"--timeout", "3s"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pids := filepath.Join(dir, "pid")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "cadical"),
				[]byte("#!/bin/sh\nsh -c 'sleep 1000 & echo $! > "+pids+"; wait'\n"), 0o755))
			cmd := exec.Command(program, append([]string{"solve", "--engine", "sat", "--solver", "process:cadical", h},
				c.flags...)...)
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			require.NoError(t, cmd.Start())
			var pid int
			require.Eventually(t, func() bool {
				text, err := os.ReadFile(pids)
				if err != nil || !strings.HasSuffix(string(text), "\n") {
					return false
				}
				pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
				return err == nil
			}, time.Minute, time.Millisecond)
			if c.signal != nil {
				require.NoError(t, cmd.Process.Signal(c.signal))
			}
			assert.Error(t, cmd.Wait()) // exit code 3
			assert.Contains(t, out.String(), "unknown")
			require.Eventually(t, func() bool {
				state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
				return err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
			}, time.Minute, 5*time.Millisecond, "the child lives")
		})
	}
}

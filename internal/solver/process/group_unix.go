//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// together puts the process and the children it may start (the program may be a script around the
// solver) in a group of their own, so that they are killed together, and are not stopped by keys
// meant for linsat.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return kill(cmd) }
}

// kill kills the group. It must be called before the process is reaped: its number is not given to
// another one until then.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// awaitEnd reports false: there is no common way to wait for a process without reaping it. Children
// that a program leaves behind when it ends by itself are not killed.
func awaitEnd(*exec.Cmd) bool { return false }

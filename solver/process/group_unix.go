//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// together puts the process and the children it may start (the program may be a script around the solver) in a group of their
// own, so that they are killed together, and are not stopped by keys meant for linsat.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

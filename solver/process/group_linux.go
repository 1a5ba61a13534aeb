package process

import (
	"os/exec"
	"syscall"
)

// together puts the process and the children it may start (the program may be a script around the solver) in a group of their
// own, so that they are killed together, and are not stopped by keys meant for linsat. Should linsat die, so does the program:
// that is, when the thread that started it ends, which converse holds on to.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

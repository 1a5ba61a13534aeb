package process

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// together puts the process and the children it may start (the program may be a script around the
// solver) in a group of their own, so that they are killed together, and are not stopped by keys
// meant for linsat. If linsat dies, the program is killed, too: more exactly, when the thread ends
// that started it, which converse keeps alive. Its children are not, unless KillAll was called
// before.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return kill(cmd) }
}

// kill kills the group. It must be called before the process is reaped: its number is not given to
// another one until then.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// awaitEnd waits until the process has ended but is not reaped (waitid with WNOWAIT), and reports
// whether that succeeded.
func awaitEnd(cmd *exec.Cmd) bool {
	const byPid = 1
	var info [128]byte // siginfo_t
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(cmd.Process.Pid),
			uintptr(unsafe.Pointer(&info[0])), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if err != syscall.EINTR {
			return err == 0
		}
	}
}

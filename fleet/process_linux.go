package fleet

import (
	"os/exec"
	"syscall"
)

// diesWithUs makes the process end when this one is killed.
func diesWithUs(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

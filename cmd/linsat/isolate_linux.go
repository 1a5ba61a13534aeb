package main

import (
	"os/exec"
	"syscall"
)

// boundProcess lets the system refuse memory beyond so many bytes to this process.
func boundProcess(bytes int64) {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit) // watchBounds looks, too
}

// diesWithUs makes the system end a process when this one ends.
func diesWithUs(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

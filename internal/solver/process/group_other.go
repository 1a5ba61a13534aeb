//go:build !unix

package process

import "os/exec"

// together does nothing: the process is killed, but not its children.
func together(*exec.Cmd) {}

// kill kills the process.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// awaitEnd reports false: the end of a process cannot be awaited without reaping it.
func awaitEnd(*exec.Cmd) bool { return false }

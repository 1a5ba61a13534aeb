//go:build !unix

package process

import "os/exec"

// together changes nothing: the process is killed, children it may have are not.
func together(*exec.Cmd) {}

// kill kills the process.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// awaitEnd cannot tell.
func awaitEnd(*exec.Cmd) bool { return false }

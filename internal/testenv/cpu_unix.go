//go:build unix

package testenv

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used so far: on a machine with other work it
// says more than the clock. It is 0 where the system does not tell.
func CPU() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

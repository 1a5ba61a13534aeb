//go:build unix

package bench_test

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used so far, in user mode: on a machine with other work it says
// more than the clock.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano())
}

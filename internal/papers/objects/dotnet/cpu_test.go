//go:build unix

package dotnet

import (
	"syscall"
	"time"
)

// cpu is the processor time that this process has used so far.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

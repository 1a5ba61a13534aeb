//go:build !unix

package bench_test

import "time"

var started = time.Now()

// cpuTime is the time since the start, where the system does not tell what a process has used.
func cpuTime() time.Duration { return time.Since(started) }

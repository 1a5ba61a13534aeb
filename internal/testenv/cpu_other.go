//go:build !unix

package testenv

import "time"

// CPU returns 0, because this system does not tell the processor time of a process.
func CPU() time.Duration { return 0 }

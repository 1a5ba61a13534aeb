package porcupine

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"sync"
)

// MemoryLimit bounds the Go heap while a check runs, in bytes. Near it a search forgets what it
// learned and goes on, which takes time; the verdict is Unknown if the limit is too small even for
// that. With 0, the default, it is the limit of the Go runtime (GOMEMLIMIT) if there is one, or
// else three quarters of the memory of the machine where that can be found out. Negative is no
// bound. It must not change while checks run.
var MemoryLimit int64

func memoryLimit() int64 {
	switch {
	case MemoryLimit > 0:
		return MemoryLimit
	case MemoryLimit < 0:
		return 0
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	return installed() / 100 * memoryShare
}

// installed returns the bytes of the machine's memory, 0 if that is not known.
var installed = sync.OnceValue(func() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kilobytes int64
		if n, _ := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
})

package porcupine

import "math"

// MemoryLimit bounds the memory that the check of a partition holds, in bytes, as linsat.Memory
// does. Near it a search forgets what it learned and goes on, which takes time; the verdict is
// Unknown if the limit is too small even for that. 0, the default, is no bound. It must not change
// while checks run.
var MemoryLimit int64

// memoryLimit returns a limit that nothing reaches if there is none: without one a search would
// stop where it keeps very much.
func memoryLimit() int64 {
	if MemoryLimit > 0 {
		return MemoryLimit
	}
	return math.MaxInt64
}

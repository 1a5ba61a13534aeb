//go:build !race || !linsatrace

package explore

import "iter"

// racing reports whether Go's race detector watches the code of the threads.
const racing = false

func hide()               {}
func show()               {}
func happensAfter(*byte)  {}
func happensBefore(*byte) {}

func pull(seq func(yield func(struct{}) bool)) (next func() (struct{}, bool), stop func()) {
	return iter.Pull(seq)
}

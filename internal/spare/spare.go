// Package spare keeps memory for those who need the like of it next. A sync.Pool forgets it at
// every second collection of garbage, and has to be set up again after each, which takes longer
// than a check of a few operations.
package spare

import (
	"sync"
	"sync/atomic"
)

// Memory keeps values that were used, one of them for good. What is kept for good should be small.
// The zero value is ready, and safe for concurrent use.
type Memory[T any] struct {
	one  atomic.Pointer[T]
	more sync.Pool
}

// Get returns a value that was used before, or a new one.
func (m *Memory[T]) Get() *T {
	if x := m.one.Load(); x != nil && m.one.CompareAndSwap(x, nil) {
		return x
	}
	if x, ok := m.more.Get().(*T); ok {
		return x
	}
	return new(T)
}

// Put gives a value back; small says that it may be kept for good.
func (m *Memory[T]) Put(x *T, small bool) {
	if !small || m.one.Load() != nil || !m.one.CompareAndSwap(nil, x) {
		m.more.Put(x)
	}
}

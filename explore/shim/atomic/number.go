package atomic

import (
	real "sync/atomic"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

type integer interface {
	int32 | int64 | uint32 | uint64 | uintptr
}

// number is an atomic integer. Outside of executions its bits are kept as 64 ones.
type number[T integer] struct {
	_    [0]func() // not comparable, as the types of sync/atomic should not be compared
	bits real.Uint64
	cell core.Cell[T]
}

//go:norace
func (n *number[T]) outside() T { return T(n.bits.Load()) }

const integers = "atomic integer"

// Load reads the value.
//
//go:norace
func (n *number[T]) Load() T {
	if x := core.Running(); x != nil {
		return core.Load(x, n.cell.In(x, unsafe.Pointer(n), integers, n.outside), &n.cell.V)
	}
	return n.outside()
}

// Store writes v.
//
//go:norace
func (n *number[T]) Store(v T) {
	if x := core.Running(); x != nil {
		core.Store(x, n.cell.In(x, unsafe.Pointer(n), integers, n.outside), &n.cell.V, v)
		return
	}
	n.bits.Store(uint64(v))
}

// update replaces the value and returns both.
//
//go:norace
func (n *number[T]) update(change func(T) T) (old, new T) {
	if x := core.Running(); x != nil {
		return core.Update(x, n.cell.In(x, unsafe.Pointer(n), integers, n.outside), &n.cell.V, change)
	}
	for {
		bits := n.bits.Load()
		old = T(bits)
		new = change(old)
		if n.bits.CompareAndSwap(bits, uint64(new)) {
			return old, new
		}
	}
}

// Swap writes v and returns the value before.
//
//go:norace
func (n *number[T]) Swap(v T) (old T) {
	old, _ = n.update(func(T) T { return v })
	return old
}

// CompareAndSwap writes new if the value is old, and reports whether it did.
//
//go:norace
func (n *number[T]) CompareAndSwap(old, new T) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, n.cell.In(x, unsafe.Pointer(n), integers, n.outside), &n.cell.V, old, new)
	}
	return n.bits.CompareAndSwap(uint64(old), uint64(new))
}

// Add adds delta and returns the new value.
//
//go:norace
func (n *number[T]) Add(delta T) (new T) {
	_, new = n.update(func(v T) T { return v + delta })
	return new
}

// And keeps the bits of mask and returns the value before.
//
//go:norace
func (n *number[T]) And(mask T) (old T) {
	old, _ = n.update(func(v T) T { return v & mask })
	return old
}

// Or adds the bits of mask and returns the value before.
//
//go:norace
func (n *number[T]) Or(mask T) (old T) {
	old, _ = n.update(func(v T) T { return v | mask })
	return old
}

// The integers of sync/atomic.
type (
	Int32   struct{ number[int32] }
	Int64   struct{ number[int64] }
	Uint32  struct{ number[uint32] }
	Uint64  struct{ number[uint64] }
	Uintptr struct{ number[uintptr] }
)

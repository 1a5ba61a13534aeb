package atomic

import (
	real "sync/atomic"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// Pointer is an atomic pointer.
type Pointer[T any] struct {
	_    [0]*T // Pointer[T] converts to no other Pointer
	real real.Pointer[T]
	cell core.Cell[*T]
}

const pointers = "atomic pointer"

// Load reads the pointer.
//
//go:norace
func (p *Pointer[T]) Load() *T {
	if x := core.Running(); x != nil {
		return core.Load(x, p.cell.In(x, unsafe.Pointer(p), pointers, p.real.Load), &p.cell.V)
	}
	return p.real.Load()
}

// Store writes v.
//
//go:norace
func (p *Pointer[T]) Store(v *T) {
	if x := core.Running(); x != nil {
		core.Store(x, p.cell.In(x, unsafe.Pointer(p), pointers, p.real.Load), &p.cell.V, v)
		return
	}
	p.real.Store(v)
}

// Swap writes v and returns the pointer before.
//
//go:norace
func (p *Pointer[T]) Swap(v *T) (old *T) {
	if x := core.Running(); x != nil {
		old, _ = core.Update(x, p.cell.In(x, unsafe.Pointer(p), pointers, p.real.Load), &p.cell.V,
			func(*T) *T { return v })
		return old
	}
	return p.real.Swap(v)
}

// CompareAndSwap writes new if the pointer is old, and reports whether it did.
//
//go:norace
func (p *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, p.cell.In(x, unsafe.Pointer(p), pointers, p.real.Load), &p.cell.V, old, new)
	}
	return p.real.CompareAndSwap(old, new)
}

// Bool is an atomic boolean.
type Bool struct {
	_    [0]func()
	real real.Bool
	cell core.Cell[bool]
}

const booleans = "atomic boolean"

// Load reads the value.
func (b *Bool) Load() bool {
	if x := core.Running(); x != nil {
		return core.Load(x, b.cell.In(x, unsafe.Pointer(b), booleans, b.real.Load), &b.cell.V)
	}
	return b.real.Load()
}

// Store writes v.
func (b *Bool) Store(v bool) {
	if x := core.Running(); x != nil {
		core.Store(x, b.cell.In(x, unsafe.Pointer(b), booleans, b.real.Load), &b.cell.V, v)
		return
	}
	b.real.Store(v)
}

// Swap writes v and returns the value before.
func (b *Bool) Swap(v bool) (old bool) {
	if x := core.Running(); x != nil {
		old, _ = core.Update(x, b.cell.In(x, unsafe.Pointer(b), booleans, b.real.Load), &b.cell.V,
			func(bool) bool { return v })
		return old
	}
	return b.real.Swap(v)
}

// CompareAndSwap writes new if the value is old, and reports whether it did.
func (b *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, b.cell.In(x, unsafe.Pointer(b), booleans, b.real.Load), &b.cell.V, old, new)
	}
	return b.real.CompareAndSwap(old, new)
}

// Value holds values of one type.
type Value struct {
	real real.Value
	cell core.Cell[any]
}

const values = "atomic value"

// try does the operation on a value of sync/atomic that holds what the cell does, for its panics:
// on nil, and on another type than before.
func (v *Value) try(operation func(r *real.Value)) {
	var r real.Value
	if v.cell.V != nil {
		r.Store(v.cell.V)
	}
	operation(&r)
}

// Load reads the value, nil if there is none yet.
func (v *Value) Load() (val any) {
	if x := core.Running(); x != nil {
		return core.Load(x, v.cell.In(x, unsafe.Pointer(v), values, v.real.Load), &v.cell.V)
	}
	return v.real.Load()
}

// Store writes val. It panics if val is nil or has another type than the value before.
func (v *Value) Store(val any) {
	if x := core.Running(); x != nil {
		core.Update(x, v.cell.In(x, unsafe.Pointer(v), values, v.real.Load), &v.cell.V, func(any) any {
			v.try(func(r *real.Value) { r.Store(val) })
			return val
		})
		return
	}
	v.real.Store(val)
}

// Swap writes new and returns the value before. It panics as Store does.
func (v *Value) Swap(new any) (old any) {
	if x := core.Running(); x != nil {
		old, _ = core.Update(x, v.cell.In(x, unsafe.Pointer(v), values, v.real.Load), &v.cell.V, func(any) any {
			v.try(func(r *real.Value) { r.Swap(new) })
			return new
		})
		return old
	}
	return v.real.Swap(new)
}

// CompareAndSwap writes new if the value is old, and reports whether it did. It panics as that of
// sync/atomic does.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if x := core.Running(); x != nil {
		core.Update(x, v.cell.In(x, unsafe.Pointer(v), values, v.real.Load), &v.cell.V, func(held any) any {
			v.try(func(r *real.Value) { swapped = r.CompareAndSwap(old, new) })
			if swapped {
				return new
			}
			return held
		})
		if !swapped {
			x.Failed()
		}
		return swapped
	}
	return v.real.CompareAndSwap(old, new)
}

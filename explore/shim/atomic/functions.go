package atomic

import (
	real "sync/atomic"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// The functions on variables of ordinary types. Such a variable keeps its value from one execution
// to the next.

func at[T any](x *schedule.Running, addr *T) int32 {
	return core.Place(x, unsafe.Pointer(addr), "variable")
}

func update[T any](addr *T, change func(T) T) (old, new T, running bool) {
	x := core.Running()
	if x == nil {
		return old, new, false
	}
	old, new = core.Update(x, at(x, addr), addr, change)
	return old, new, true
}

// LoadInt32 reads *addr.
func LoadInt32(addr *int32) (val int32) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadInt32(addr)
}

// StoreInt32 writes val to *addr.
func StoreInt32(addr *int32, val int32) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StoreInt32(addr, val)
}

// SwapInt32 writes new to *addr and returns the value before.
func SwapInt32(addr *int32, new int32) (old int32) {
	if old, _, ok := update(addr, func(int32) int32 { return new }); ok {
		return old
	}
	return real.SwapInt32(addr, new)
}

// CompareAndSwapInt32 writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapInt32(addr, old, new)
}

// LoadInt64 reads *addr.
func LoadInt64(addr *int64) (val int64) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadInt64(addr)
}

// StoreInt64 writes val to *addr.
func StoreInt64(addr *int64, val int64) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StoreInt64(addr, val)
}

// SwapInt64 writes new to *addr and returns the value before.
func SwapInt64(addr *int64, new int64) (old int64) {
	if old, _, ok := update(addr, func(int64) int64 { return new }); ok {
		return old
	}
	return real.SwapInt64(addr, new)
}

// CompareAndSwapInt64 writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapInt64(addr, old, new)
}

// LoadUint32 reads *addr.
func LoadUint32(addr *uint32) (val uint32) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadUint32(addr)
}

// StoreUint32 writes val to *addr.
func StoreUint32(addr *uint32, val uint32) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StoreUint32(addr, val)
}

// SwapUint32 writes new to *addr and returns the value before.
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	if old, _, ok := update(addr, func(uint32) uint32 { return new }); ok {
		return old
	}
	return real.SwapUint32(addr, new)
}

// CompareAndSwapUint32 writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapUint32(addr, old, new)
}

// LoadUint64 reads *addr.
func LoadUint64(addr *uint64) (val uint64) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadUint64(addr)
}

// StoreUint64 writes val to *addr.
func StoreUint64(addr *uint64, val uint64) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StoreUint64(addr, val)
}

// SwapUint64 writes new to *addr and returns the value before.
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	if old, _, ok := update(addr, func(uint64) uint64 { return new }); ok {
		return old
	}
	return real.SwapUint64(addr, new)
}

// CompareAndSwapUint64 writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapUint64(addr, old, new)
}

// LoadUintptr reads *addr.
func LoadUintptr(addr *uintptr) (val uintptr) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadUintptr(addr)
}

// StoreUintptr writes val to *addr.
func StoreUintptr(addr *uintptr, val uintptr) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StoreUintptr(addr, val)
}

// SwapUintptr writes new to *addr and returns the value before.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	if old, _, ok := update(addr, func(uintptr) uintptr { return new }); ok {
		return old
	}
	return real.SwapUintptr(addr, new)
}

// CompareAndSwapUintptr writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapUintptr(addr, old, new)
}

// LoadPointer reads *addr.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	if x := core.Running(); x != nil {
		return core.Load(x, at(x, addr), addr)
	}
	return real.LoadPointer(addr)
}

// StorePointer writes val to *addr.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	if x := core.Running(); x != nil {
		core.Store(x, at(x, addr), addr, val)
		return
	}
	real.StorePointer(addr, val)
}

// SwapPointer writes new to *addr and returns the value before.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	if old, _, ok := update(addr, func(unsafe.Pointer) unsafe.Pointer { return new }); ok {
		return old
	}
	return real.SwapPointer(addr, new)
}

// CompareAndSwapPointer writes new to *addr if it holds old, and reports whether it did.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	if x := core.Running(); x != nil {
		return core.CompareAndSwap(x, at(x, addr), addr, old, new)
	}
	return real.CompareAndSwapPointer(addr, old, new)
}

// AddInt32 adds delta to *addr and returns the new value.
func AddInt32(addr *int32, delta int32) (new int32) {
	if _, new, ok := update(addr, func(v int32) int32 { return v + delta }); ok {
		return new
	}
	return real.AddInt32(addr, delta)
}

// AndInt32 keeps the bits of mask in *addr and returns the value before.
func AndInt32(addr *int32, mask int32) (old int32) {
	if old, _, ok := update(addr, func(v int32) int32 { return v & mask }); ok {
		return old
	}
	return real.AndInt32(addr, mask)
}

// OrInt32 adds the bits of mask to *addr and returns the value before.
func OrInt32(addr *int32, mask int32) (old int32) {
	if old, _, ok := update(addr, func(v int32) int32 { return v | mask }); ok {
		return old
	}
	return real.OrInt32(addr, mask)
}

// AddInt64 adds delta to *addr and returns the new value.
func AddInt64(addr *int64, delta int64) (new int64) {
	if _, new, ok := update(addr, func(v int64) int64 { return v + delta }); ok {
		return new
	}
	return real.AddInt64(addr, delta)
}

// AndInt64 keeps the bits of mask in *addr and returns the value before.
func AndInt64(addr *int64, mask int64) (old int64) {
	if old, _, ok := update(addr, func(v int64) int64 { return v & mask }); ok {
		return old
	}
	return real.AndInt64(addr, mask)
}

// OrInt64 adds the bits of mask to *addr and returns the value before.
func OrInt64(addr *int64, mask int64) (old int64) {
	if old, _, ok := update(addr, func(v int64) int64 { return v | mask }); ok {
		return old
	}
	return real.OrInt64(addr, mask)
}

// AddUint32 adds delta to *addr and returns the new value.
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	if _, new, ok := update(addr, func(v uint32) uint32 { return v + delta }); ok {
		return new
	}
	return real.AddUint32(addr, delta)
}

// AndUint32 keeps the bits of mask in *addr and returns the value before.
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	if old, _, ok := update(addr, func(v uint32) uint32 { return v & mask }); ok {
		return old
	}
	return real.AndUint32(addr, mask)
}

// OrUint32 adds the bits of mask to *addr and returns the value before.
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	if old, _, ok := update(addr, func(v uint32) uint32 { return v | mask }); ok {
		return old
	}
	return real.OrUint32(addr, mask)
}

// AddUint64 adds delta to *addr and returns the new value.
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	if _, new, ok := update(addr, func(v uint64) uint64 { return v + delta }); ok {
		return new
	}
	return real.AddUint64(addr, delta)
}

// AndUint64 keeps the bits of mask in *addr and returns the value before.
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	if old, _, ok := update(addr, func(v uint64) uint64 { return v & mask }); ok {
		return old
	}
	return real.AndUint64(addr, mask)
}

// OrUint64 adds the bits of mask to *addr and returns the value before.
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	if old, _, ok := update(addr, func(v uint64) uint64 { return v | mask }); ok {
		return old
	}
	return real.OrUint64(addr, mask)
}

// AddUintptr adds delta to *addr and returns the new value.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	if _, new, ok := update(addr, func(v uintptr) uintptr { return v + delta }); ok {
		return new
	}
	return real.AddUintptr(addr, delta)
}

// AndUintptr keeps the bits of mask in *addr and returns the value before.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	if old, _, ok := update(addr, func(v uintptr) uintptr { return v & mask }); ok {
		return old
	}
	return real.AndUintptr(addr, mask)
}

// OrUintptr adds the bits of mask to *addr and returns the value before.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	if old, _, ok := update(addr, func(v uintptr) uintptr { return v | mask }); ok {
		return old
	}
	return real.OrUintptr(addr, mask)
}

package shim

import (
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// Named returns p. In an execution the variable there is called by that name.
//
//go:norace
func Named[T any](p *T, name string) *T {
	if x := core.Running(); x != nil && p != nil {
		x.Name(unsafe.Pointer(p), name)
	}
	return p
}

// integer is the type of an index.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Element returns p, which points to the element of an array or slice. In an execution that is
// called by the name and the index.
//
//go:norace
func Element[T any, I integer](p *T, array string, index I) *T {
	if x := core.Running(); x != nil {
		at := unsafe.Pointer(p)
		x.NameElement(at, unsafe.Add(at, -int(index)*int(unsafe.Sizeof(*p))), array, int64(index))
	}
	return p
}

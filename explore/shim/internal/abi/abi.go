// Package abi stands for internal/abi and internal/goarch in the copy of Go's own sync.Map that
// linsat test --include sync explores: what that map asks of the runtime is how a key is hashed
// and how values are compared.
//
// Hashes follow from the keys alone, so that every execution does the same. Numbers, texts, and
// arrays and structs of them have a hash of their own; all pointers, channels and interfaces of one
// type have the same, since their addresses differ between executions.
package abi

import (
	"hash/fnv"
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// PtrSize is the size of a pointer in bytes.
const PtrSize = bits.UintSize / 8

// Type is what the map asks of a type. Equal is nil if its values cannot be compared.
type Type struct {
	Equal func(p, q unsafe.Pointer) bool

	of reflect.Type
}

// MapType is what the map asks of the type of a map.
type MapType struct {
	Hasher func(key unsafe.Pointer, seed uintptr) uintptr
	Elem   *Type
}

// TypeOf returns the type of a value.
func TypeOf(v any) *Type { return typeOf(reflect.TypeOf(v)) }

func typeOf(of reflect.Type) *Type {
	t := &Type{of: of}
	if of.Comparable() {
		t.Equal = func(p, q unsafe.Pointer) bool {
			return reflect.NewAt(of, p).Elem().Interface() == reflect.NewAt(of, q).Elem().Interface()
		}
	}
	return t
}

// MapType returns what there is to know of a map's type.
func (t *Type) MapType() *MapType {
	key := t.of.Key()
	return &MapType{
		Hasher: func(p unsafe.Pointer, _ uintptr) uintptr { return hash(reflect.NewAt(key, p).Elem()) },
		Elem:   typeOf(t.of.Elem()),
	}
}

// NoEscape returns p.
func NoEscape(p unsafe.Pointer) unsafe.Pointer { return p }

// spread makes numbers that are close to each other differ in their first bits: it is 2^64 divided
// by the golden ratio.
const spread = 0x9e3779b97f4a7c15

// hash returns equal numbers for equal values.
func hash(v reflect.Value) uintptr {
	var h uint64
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			h = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h = uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h = v.Uint()
	case reflect.Float32, reflect.Float64:
		h = ofFloat(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h = ofFloat(real(v.Complex())) + spread*ofFloat(imag(v.Complex()))
	case reflect.String:
		sum := fnv.New64a()
		// it cannot fail
		_, _ = sum.Write([]byte(v.String()))
		h = sum.Sum64()
	case reflect.Interface:
		if !v.IsNil() {
			return hash(v.Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			h = spread*h + uint64(hash(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h = spread*h + uint64(hash(v.Field(i)))
		}
	case reflect.Func, reflect.Map, reflect.Slice:
		panic("hash of unhashable type " + v.Type().String())
	}
	h *= spread
	return uintptr(h >> (64 - 8*PtrSize))
}

// ofFloat returns the bits of a number; both zeros are equal.
func ofFloat(f float64) uint64 { return math.Float64bits(f + 0) }

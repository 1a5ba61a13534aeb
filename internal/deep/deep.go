// Package deep compares and hashes Go values of any type by their contents, for the states and
// results of a caller's model.
package deep

import (
	"hash/maphash"
	"math"
	"reflect"
)

// Plain reports whether == compares values of the type exactly as reflect.DeepEqual does: they hold
// no pointers, interfaces, slices, maps, channels or functions.
func Plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return Plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !Plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func,
		reflect.UnsafePointer:
		return false
	}
	return true
}

// Exact reports whether == on v tells apart whatever a pure function could: v holds no pointers,
// slices, maps, channels and functions, also not in its interfaces, and no floating-point numbers,
// of which 0 and -0 are equal. Such values can be keys of a map.
func Exact(v any) bool {
	switch v.(type) {
	case nil, bool, int, int64, string:
		return true
	}
	return exact(reflect.ValueOf(v))
}

func exact(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || exact(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !exact(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !exact(v.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	}
	return Plain(v.Type())
}

// Identity returns the hash of v, and whether values that are deeply equal to v are the same to
// every function of contents: v holds no floating-point numbers or functions, and is small enough
// to tell. where differs if such values hold pointers with other addresses: 0 without any.
func Identity(v any) (hash, where uint64, sure bool) {
	h := hasher{seed: seed}
	hash = h.value(reflect.ValueOf(v), maxPointers)
	if h.pointers {
		at := hasher{seed: seed, addresses: true}
		where = at.value(reflect.ValueOf(v), maxPointers)
	}
	return hash, where, !h.unsure
}

// Fixed reports whether all values of the type take the same memory: they are plain and hold no
// strings.
func Fixed(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return false
	case reflect.Array:
		return Fixed(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !Fixed(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return Plain(t)
}

// Equal returns reflect.DeepEqual for values of type T, or == where that is the same.
func Equal[T any]() func(a, b T) bool {
	if Plain(reflect.TypeFor[T]()) {
		return func(a, b T) bool { return any(a) == any(b) }
	}
	return func(a, b T) bool { return reflect.DeepEqual(a, b) }
}

// Hash returns a number that is the same for all values that are deeply equal, and the bytes that
// hang on v, estimated. It differs between runs of the program.
func Hash(v any) (hash uint64, bytes int64) {
	h := hasher{seed: seed}
	return h.value(reflect.ValueOf(v), maxPointers), h.bytes
}

var seed = maphash.MakeSeed()

type hasher struct {
	seed      maphash.Seed
	bytes     int64
	addresses bool // of pointers are hashed, too
	pointers  bool // there are some
	unsure    bool // see Identity
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

func (h *hasher) value(v reflect.Value, pointers int) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(2, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(3, v.Uint())
	case reflect.Float32, reflect.Float64:
		h.unsure = true
		return float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h.unsure = true
		return mix(float(real(v.Complex())), float(imag(v.Complex())))
	case reflect.String:
		h.bytes += int64(v.Len())
		return maphash.String(h.seed, v.String())
	case reflect.Struct:
		branches := 0
		for i := range v.NumField() {
			switch v.Field(i).Kind() {
			case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct, reflect.Array:
				branches++
			}
		}
		sum := uint64(4)
		for i := range v.NumField() {
			sum = mix(sum, h.value(v.Field(i), share(pointers, branches)))
		}
		return sum
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			h.bytes += int64(v.Len()) * int64(v.Type().Elem().Size())
		}
		sum := mix(5, uint64(v.Len()))
		for i := range v.Len() {
			sum = mix(sum, h.value(v.Index(i), share(pointers, v.Len())))
		}
		return sum
	case reflect.Map:
		return h.mapping(v, pointers)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || pointers == 0 {
			h.unsure = h.unsure || !v.IsNil()
			return 6
		}
		h.bytes += int64(v.Elem().Type().Size())
		at := uint64(7)
		if v.Kind() == reflect.Pointer {
			h.pointers = true
			if h.addresses {
				at = mix(at, uint64(v.Pointer()))
			}
		}
		return mix(at, h.value(v.Elem(), pointers-1))
	case reflect.Chan, reflect.UnsafePointer:
		return mix(8, uint64(v.Pointer()))
	case reflect.Func:
		h.unsure = true
	}
	return 0 // nil, and functions, which are equal only if they are nil
}

// share is what each of several branches may use of so many pointers.
func share(pointers, branches int) int { return max(min(pointers, 1), pointers/max(branches, 1)) }

// mapping hashes a map whatever the order of its keys.
func (h *hasher) mapping(v reflect.Value, pointers int) uint64 {
	sum := uint64(v.Len())
	for it := v.MapRange(); it.Next(); {
		sum += mix(h.value(it.Key(), share(pointers, v.Len())), h.value(it.Value(), share(pointers, v.Len())))
	}
	h.bytes += int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size()+8)
	return mix(9, sum)
}

// float makes one of both zeros, which are equal.
func float(x float64) uint64 {
	if x == 0 {
		return 0
	}
	return mix(10, math.Float64bits(x))
}

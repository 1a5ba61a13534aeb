package abi

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestEqualKeysHaveEqualHashes: what a map of Go takes for one key has one hash.
func TestEqualKeysHaveEqualHashes(t *testing.T) {
	m := TypeOf(map[any]any{}).MapType()
	of := func(v any) uintptr { return m.Hasher(unsafe.Pointer(&v), 7) }
	type pair struct {
		name string
		at   *int
	}
	n, o := 1, 2
	assert.Equal(t, of(math.Copysign(0, -1)), of(0.0))
	assert.Equal(t, of(pair{"a", &n}), of(pair{"a", &n}))
	assert.Equal(t, of(pair{"a", &n}), of(pair{"a", &o}), "addresses say nothing")
	assert.Equal(t, of([2]any{1, "x"}), of([2]any{1, "x"}))
	distinct := map[uintptr]bool{}
	for _, v := range []any{1, 2, 3, "a", "b", 'x', 2.5, 1i, pair{"b", nil}, [1]int{9}} {
		distinct[of(v)] = true
	}
	assert.Len(t, distinct, 10)
	assert.Equal(t, uintptr(0), of(nil))
	assert.Panics(t, func() { of([]int{}) })
	assert.Panics(t, func() { of(func() {}) })
	first := map[uintptr]bool{}
	for k := range 8 {
		first[of(k)>>(8*PtrSize-4)] = true
	}
	assert.Greater(t, len(first), 5, "small numbers differ in their first bits")
}

// TestEqual compares values as Go does.
func TestEqual(t *testing.T) {
	m := TypeOf(map[any]any{}).MapType()
	eq := func(a, b any) bool { return m.Elem.Equal(unsafe.Pointer(&a), unsafe.Pointer(&b)) }
	assert.True(t, eq(nil, nil))
	assert.True(t, eq("a", "a"))
	assert.False(t, eq(1, int64(1)))
	assert.Panics(t, func() { eq([]int{}, []int{}) })
	assert.Nil(t, TypeOf(map[int][]int{}).MapType().Elem.Equal)
}

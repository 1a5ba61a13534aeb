package deep_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/linsat/linsat/internal/deep"
	"github.com/stretchr/testify/assert"
)

type node struct {
	value int
	next  *node
	tags  map[string][]any
	x     float64
}

// random returns one of few values, so that equal ones with different addresses are common.
func random(r *rand.Rand, depth int) node {
	n := node{value: r.IntN(2), x: []float64{0, math.Copysign(0, -1), 1}[r.IntN(3)]}
	if r.IntN(2) == 0 {
		n.tags = map[string][]any{}
		for _, key := range []string{"a", "b"}[:r.IntN(3)] {
			n.tags[key] = []any{r.IntN(2), nil, "x"}[:r.IntN(4)]
		}
	}
	if depth > 0 && r.IntN(2) == 0 {
		next := random(r, depth-1)
		n.next = &next
	}
	return n
}

type pair struct{ left, right *pair }

func hash(v any) uint64 {
	h, _ := deep.Hash(v)
	return h
}

// What is deeply equal has one hash, and what differs mostly not.
func TestHashAgreesWithDeepEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	equal, collisions := 0, 0
	for range 20_000 {
		a, b := random(r, 2), random(r, 2)
		switch {
		case reflect.DeepEqual(a, b):
			equal++
			assert.Equal(t, hash(a), hash(b))
			assert.Equal(t, hash(&a), hash(&b))
		case hash(a) == hash(b):
			collisions++
		}
		assert.Equal(t, reflect.DeepEqual(a, b), deep.Equal[node]()(a, b))
	}
	assert.Greater(t, equal, 100)
	assert.Less(t, collisions, 500) // an empty map and none, for example
}

func TestHashOfEveryKind(t *testing.T) {
	circle := &node{value: 1}
	circle.next = circle
	self := map[string]any{}
	self["self"] = self
	ring := []*pair{{}, {}, {}}
	for i, p := range ring {
		p.left, p.right = ring[(i+1)%3], ring[(i+2)%3]
	}
	type kinds struct {
		A bool
		B [2]uint8
		C complex64
		D chan int
		E func()
		F any
	}
	c := make(chan int)
	seen := map[uint64]any{}
	for _, v := range []any{nil, true, 1, uint8(1), 1.5, "1", []int{1}, [1]string{"1"}, map[int]int{1: 1}, circle, self,
		ring[0], kinds{}, kinds{D: c}, kinds{F: 1}, kinds{C: 1i}, kinds{B: [2]uint8{0, 1}}} {
		assert.Equal(t, hash(v), hash(v))
		assert.NotContains(t, seen, hash(v), "%v", reflect.TypeOf(v))
		seen[hash(v)] = v
	}
	_, bytes := deep.Hash([]string{"four", "five5"})
	assert.EqualValues(t, 2*unsafe.Sizeof("")+9, bytes)
}

func TestPlain(t *testing.T) {
	for v, want := range map[any]bool{1: true, "a": true, [2]struct{ a, b string }{}: true, struct{ x any }{}: false,
		&node{}: false, [1]error{}: false} {
		assert.Equal(t, want, deep.Plain(reflect.TypeOf(v)), "%T", v)
	}
	assert.False(t, deep.Plain(reflect.TypeFor[[]int]()))
	assert.False(t, deep.Equal[float64]()(math.NaN(), math.NaN()))
	assert.True(t, deep.Equal[[]int]()([]int{1}, []int{1}))
}

// TestFixedTypes: values with strings or pointers in them differ in size.
func TestFixedTypes(t *testing.T) {
	type fixed struct {
		A int
		B [3]bool
	}
	type text struct {
		A int
		S [2]string
	}
	assert.True(t, deep.Fixed(reflect.TypeFor[fixed]()))
	assert.False(t, deep.Fixed(reflect.TypeFor[text]()))
	assert.False(t, deep.Fixed(reflect.TypeFor[string]()))
	assert.False(t, deep.Fixed(reflect.TypeFor[*int]()))
	_, small := deep.Hash(text{})
	_, large := deep.Hash(text{S: [2]string{strings.Repeat("x", 1000)}})
	assert.Equal(t, int64(1000), large-small)
}

package shim

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Below returns a random number from 0 to n-1, as rand.Intn, Int31n, N and others do: in an
// execution a choice if n is small.
func Below[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](n T) T {
	if n <= 0 {
		panic("invalid argument to a function of math/rand: not above 0")
	}
	if x := core.Running(); x != nil && n <= mostChoices {
		return T(x.Choose(int(n)))
	}
	return T(RandV2().Uint64N(uint64(n)))
}

// generators names the generators of the threads of an execution by their addresses; the first is
// that of serial code. Each thread has its own, so that the order in which threads draw is nothing
// that they share.
var generators [schedule.MaxThreads + 1]struct{ v1, v2 byte }

// generator returns the generator of the calling thread.
func generator[R any](x *schedule.Running, of func(thread int) *byte, new func(thread int) R) R {
	thread := x.Thread() + 1
	key := unsafe.Pointer(of(thread))
	r, ok := (*x.Object(key)).(R)
	if !ok {
		r = new(thread)
		*x.Object(key) = r
	}
	return r
}

// Rand returns the generator of math/rand's functions: in an execution, one that draws the same
// numbers every time.
func Rand() *rand.Rand {
	x := core.Running()
	if x == nil {
		return rand.New(outside{})
	}
	return generator(x, func(thread int) *byte { return &generators[thread].v1 }, func(thread int) *rand.Rand {
		return rand.New(rand.NewSource(int64(thread)))
	})
}

// outside draws from the generator of math/rand.
type outside struct{}

func (outside) Int63() int64   { return rand.Int63() }
func (outside) Uint64() uint64 { return rand.Uint64() }
func (outside) Seed(int64)     {}

// RandV2 is Rand for math/rand/v2.
func RandV2() *randv2.Rand {
	x := core.Running()
	if x == nil {
		return randv2.New(outside{})
	}
	return generator(x, func(thread int) *byte { return &generators[thread].v2 }, func(thread int) *randv2.Rand {
		return randv2.New(randv2.NewPCG(1, uint64(thread)))
	})
}

var seed = sync.OnceValue(maphash.MakeSeed)

// MakeSeed is maphash.MakeSeed: in an execution it returns the same seed as in every other one of
// the process.
func MakeSeed() maphash.Seed {
	if core.Running() != nil {
		return seed()
	}
	return maphash.MakeSeed()
}

// Entry is a key of a map that is ranged over.
type Entry[K comparable, V any] struct {
	m   map[K]V
	Key K
}

// There reports whether the key is still there.
func (e Entry[K, V]) There() bool {
	read(e.m)
	_, ok := e.m[e.Key]
	return ok
}

// Value returns the value of the key now.
func (e Entry[K, V]) Value() V {
	read(e.m)
	return e.m[e.Key]
}

// read states that a map is read, as the code does that is rewritten to use Entries.
func read[M ~map[K]V, K comparable, V any](m M) {
	if m != nil {
		schedule.ReadPlainly(*(*unsafe.Pointer)(unsafe.Pointer(&m)))
	}
}

// Entries returns the keys of a map in the order of a range statement: in an execution, a fixed
// order, which begins anywhere if there are few keys.
func Entries[M ~map[K]V, K comparable, V any](m M) []Entry[K, V] {
	read(m)
	all := make([]Entry[K, V], 0, len(m))
	for k := range m {
		all = append(all, Entry[K, V]{m, k})
	}
	x := core.Running()
	if x == nil || len(all) < 2 {
		return all
	}
	slices.SortFunc(all, func(a, b Entry[K, V]) int { return cmp.Compare(fmt.Sprint(a.Key), fmt.Sprint(b.Key)) })
	if len(all) > mostChoices {
		return all
	}
	first := x.Choose(len(all))
	return append(all[first:len(all):len(all)], all[:first]...)
}

//go:build linsat_native

package c11

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// The same interface over sync/atomic, for shipping code. Go's atomics are sequentially consistent:
// memory orders are ignored, and fences have nothing to do. In a program without data races this
// only removes behaviour.

// Order is a memory order.
type Order uint8

// Memory orders. All mean SeqCst.
const (
	NotAtomic Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SeqCst
)

// Exec is nothing; nil will do.
type Exec struct{}

// Thread is a goroutine.
type Thread struct{ done chan struct{} }

// Go starts a goroutine.
func (x *Exec) Go(body func()) *Thread {
	t := &Thread{make(chan struct{})}
	go func() {
		defer close(t.done)
		body()
	}()
	return t
}

// Join waits for its end.
func (t *Thread) Join() { <-t.done }

// Thread returns 0: goroutines have no numbers.
func (x *Exec) Thread() int { return 0 }

// Fence does nothing.
func (x *Exec) Fence(o Order) {}

// Choose returns a random number from 0 to n-1.
func (x *Exec) Choose(n int) int { return rand.IntN(n) }

// Assume does nothing: a loop around it goes on.
func (x *Exec) Assume(ok bool) {}

// Spin lets others run: the loop around it goes on.
func (x *Exec) Spin() { runtime.Gosched() }

// Annotate does nothing.
func (x *Exec) Annotate(payload any) {}

// form is how an Atomic holds its value.
type form uint8

const (
	boxed   form = iota // behind a pointer
	pointer             // it is a pointer
	word                // in 64 bits
)

// Atomic is an atomic variable. Pointers and numbers are held as such; of other types every write
// allocates.
type Atomic[T comparable] struct {
	p    unsafe.Pointer
	n    uint64
	form form
}

// NewAtomic makes a variable that holds v.
func NewAtomic[T comparable](x *Exec, name string, v T) *Atomic[T] {
	a := &Atomic[T]{form: formOf[T]()}
	a.Store(v, SeqCst)
	return a
}

// NewUninitialized makes a variable that holds the zero value.
func NewUninitialized[T comparable](x *Exec, name string) *Atomic[T] {
	var zero T
	return NewAtomic(x, name, zero)
}

func formOf[T any]() form {
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer:
		return pointer
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return word
	}
	return boxed
}

func toPointer[T any](v T) unsafe.Pointer   { return *(*unsafe.Pointer)(unsafe.Pointer(&v)) }
func fromPointer[T any](p unsafe.Pointer) T { return *(*T)(unsafe.Pointer(&p)) }

func toWord[T any](v T) (n uint64) {
	*(*T)(unsafe.Pointer(&n)) = v
	return n
}

func fromWord[T any](n uint64) T { return *(*T)(unsafe.Pointer(&n)) }

// Load reads the variable.
func (a *Atomic[T]) Load(o Order) T {
	switch a.form {
	case pointer:
		return fromPointer[T](atomic.LoadPointer(&a.p))
	case word:
		return fromWord[T](atomic.LoadUint64(&a.n))
	}
	return *(*T)(atomic.LoadPointer(&a.p))
}

// Store writes the variable.
func (a *Atomic[T]) Store(v T, o Order) {
	switch a.form {
	case pointer:
		atomic.StorePointer(&a.p, toPointer(v))
	case word:
		atomic.StoreUint64(&a.n, toWord(v))
	default:
		a.box(v)
	}
}

// box keeps v in memory of its own; apart, so that Store does not allocate otherwise.
//
//go:noinline
func (a *Atomic[T]) box(v T) { atomic.StorePointer(&a.p, unsafe.Pointer(&v)) }

// Swap writes v and returns what was there.
func (a *Atomic[T]) Swap(v T, o Order) T { return a.Update(func(T) T { return v }, o) }

// CompareAndSwap writes to if the variable holds from. It returns what it read and reports whether
// it wrote.
func (a *Atomic[T]) CompareAndSwap(from, to T, success, failure Order) (T, bool) {
	switch a.form {
	case pointer:
		for {
			if atomic.CompareAndSwapPointer(&a.p, toPointer(from), toPointer(to)) {
				return from, true
			}
			if v := a.Load(failure); v != from {
				return v, false
			}
		}
	case word:
		for {
			if atomic.CompareAndSwapUint64(&a.n, toWord(from), toWord(to)) {
				return from, true
			}
			if v := a.Load(failure); v != from {
				return v, false
			}
		}
	}
	return a.boxedCompareAndSwap(from, to)
}

//go:noinline
func (a *Atomic[T]) boxedCompareAndSwap(from, to T) (T, bool) {
	for {
		p := atomic.LoadPointer(&a.p)
		if v := *(*T)(p); v != from {
			return v, false
		}
		if atomic.CompareAndSwapPointer(&a.p, p, unsafe.Pointer(&to)) {
			return from, true
		}
	}
}

// CompareAndSwapWeak is CompareAndSwap.
func (a *Atomic[T]) CompareAndSwapWeak(from, to T, success, failure Order) (T, bool) {
	return a.CompareAndSwap(from, to, success, failure)
}

// Await waits until pred holds for the value, and returns that.
func (a *Atomic[T]) Await(pred func(T) bool, o Order) T {
	for {
		if v := a.Load(o); pred(v) {
			return v
		}
		runtime.Gosched()
	}
}

// Update writes f of what is there and returns what was there.
func (a *Atomic[T]) Update(f func(T) T, o Order) T {
	for v := a.Load(o); ; {
		old, ok := a.CompareAndSwap(v, f(v), o, o)
		if ok {
			return old
		}
		v = old
	}
}

// Integer is the constraint of Int.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Int is an atomic integer.
type Int[T Integer] struct{ Atomic[T] }

// NewInt makes an integer that holds v.
func NewInt[T Integer](x *Exec, name string, v T) *Int[T] {
	a := &Int[T]{Atomic[T]{form: word}}
	a.Store(v, SeqCst)
	return a
}

// FetchAdd adds delta and returns what was there.
func (a *Int[T]) FetchAdd(delta T, o Order) T {
	if unsafe.Sizeof(delta) == 8 {
		n := toWord(delta)
		return fromWord[T](atomic.AddUint64(&a.n, n) - n)
	}
	return a.Update(func(v T) T { return v + delta }, o)
}

// Cell is a plain variable.
type Cell[T any] struct{ v T }

// NewCell makes a cell that holds v.
func NewCell[T any](x *Exec, name string, v T) *Cell[T] { return &Cell[T]{v} }

// Load reads the cell.
func (c *Cell[T]) Load() T { return c.v }

// Store writes the cell.
func (c *Cell[T]) Store(v T) { c.v = v }

//go:build !linsat_native

package c11

import (
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Order is a memory order.
type Order = graph.Order

// Memory orders. NotAtomic is that of a Cell.
const (
	NotAtomic = graph.NotAtomic
	Relaxed   = graph.Relaxed
	Acquire   = graph.Acquire
	Release   = graph.Release
	AcqRel    = graph.AcqRel
	SeqCst    = graph.SeqCst
)

// Atomic is an atomic variable.
type Atomic[T comparable] struct {
	x   *Exec
	loc int32
}

// NewAtomic makes a variable that holds v. If threads run already, this is a relaxed write of the
// thread that makes it: another thread that learns of the variable without synchronisation may not
// see it, and its load is then an Uninitialized outcome.
func NewAtomic[T comparable](x *Exec, name string, v T) *Atomic[T] {
	return &Atomic[T]{x, x.location(name, v, true, Relaxed)}
}

// NewUninitialized makes a variable without a value. A load before the first store is an
// Uninitialized outcome.
func NewUninitialized[T comparable](x *Exec, name string) *Atomic[T] {
	var zero T
	return &Atomic[T]{x, x.location(name, zero, false, Relaxed)}
}

// Load reads the variable.
func (a *Atomic[T]) Load(o Order) T {
	legal(o, Relaxed, Acquire, SeqCst)
	return a.x.do(program.Request{Op: program.Load, Order: o, Loc: a.loc}).Value.(T)
}

// Store writes the variable.
func (a *Atomic[T]) Store(v T, o Order) {
	legal(o, Relaxed, Release, SeqCst)
	a.x.do(program.Request{Op: program.Store, Order: o, Loc: a.loc, Value: v})
}

// Swap writes v and returns what was there.
func (a *Atomic[T]) Swap(v T, o Order) T {
	legal(o, Relaxed, Acquire, Release, AcqRel, SeqCst)
	return a.x.do(program.Request{Op: program.Swap, Order: o, Fail: o, Loc: a.loc, Value: v}).Value.(T)
}

// CompareAndSwap writes to if the variable holds from. It returns what it read and reports whether
// it wrote. If it did not, it is a load of order failure.
func (a *Atomic[T]) CompareAndSwap(from, to T, success, failure Order) (T, bool) {
	return a.cas(program.CompareAndSwap, from, to, success, failure)
}

// CompareAndSwapWeak is CompareAndSwap that may fail although the variable holds from.
func (a *Atomic[T]) CompareAndSwapWeak(from, to T, success, failure Order) (T, bool) {
	return a.cas(program.WeakCompareAndSwap, from, to, success, failure)
}

func (a *Atomic[T]) cas(op program.Op, from, to T, success, failure Order) (T, bool) {
	legal(success, Relaxed, Acquire, Release, AcqRel, SeqCst)
	legal(failure, Relaxed, Acquire, SeqCst)
	r := a.x.do(program.Request{Op: op, Order: success, Fail: failure, Loc: a.loc, Old: from, Value: to})
	return r.Value.(T), r.OK
}

// Await is a load that waits until pred holds for what it reads, and returns that: a spin loop of
// which only the last round counts. pred must depend on its argument alone. An execution in which
// the value never comes is Stuck.
func (a *Atomic[T]) Await(pred func(T) bool, o Order) T {
	legal(o, Relaxed, Acquire, SeqCst)
	return a.x.do(program.Request{Op: program.Await, Order: o, Loc: a.loc, Until: func(v any) bool {
		return pred(v.(T))
	}}).Value.(T)
}

// Update writes f of what is there and returns what was there: a fetch-and-modify of any kind. f
// must depend on its argument alone.
func (a *Atomic[T]) Update(f func(T) T, o Order) T {
	legal(o, Relaxed, Acquire, Release, AcqRel, SeqCst)
	return a.x.do(program.Request{Op: program.Add, Order: o, Fail: o, Loc: a.loc, Sum: func(old, _ any) any {
		return f(old.(T))
	}}).Value.(T)
}

// Integer is the constraint of Int.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Int is an atomic integer.
type Int[T Integer] struct{ Atomic[T] }

// NewInt makes an integer that holds v, as NewAtomic does.
func NewInt[T Integer](x *Exec, name string, v T) *Int[T] {
	return &Int[T]{Atomic[T]{x, x.location(name, v, true, Relaxed)}}
}

// FetchAdd adds delta and returns what was there, as in C (and unlike sync/atomic).
func (a *Int[T]) FetchAdd(delta T, o Order) T {
	legal(o, Relaxed, Acquire, Release, AcqRel, SeqCst)
	return a.x.do(program.Request{Op: program.Add, Order: o, Fail: o, Loc: a.loc, Value: delta, Sum: sum[T]}).Value.(T)
}

func sum[T Integer](old, delta any) any { return old.(T) + delta.(T) }

// Cell is a plain variable. Two accesses of which one writes and neither happens before the other
// are a data race: the outcome of the execution is Race.
type Cell[T any] struct {
	x   *Exec
	loc int32
}

// NewCell makes a cell that holds v. If threads run already, this is a write of the thread that
// makes it.
func NewCell[T any](x *Exec, name string, v T) *Cell[T] {
	return &Cell[T]{x, x.location(name, v, true, NotAtomic)}
}

// Load reads the cell.
func (c *Cell[T]) Load() T {
	v, _ := c.x.do(program.Request{Op: program.ReadCell, Loc: c.loc}).Value.(T)
	return v
}

// Store writes the cell.
func (c *Cell[T]) Store(v T) {
	c.x.do(program.Request{Op: program.WriteCell, Loc: c.loc, Value: v})
}

func legal(o Order, of ...Order) {
	for _, p := range of {
		if o == p {
			return
		}
	}
	panic("c11: an operation with memory order " + o.String())
}

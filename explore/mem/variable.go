package mem

import "github.com/linsat/linsat/internal/schedule"

// Var is a plain shared variable.
type Var[T any] struct {
	m     *Memory
	loc   int32
	plain bool // not an Atomic
	v     T
}

// NewVar makes a variable that holds v.
func NewVar[T any](m *Memory, name string, v T) *Var[T] {
	return &Var[T]{m: m, loc: m.location(name), plain: true, v: v}
}

// Load reads the variable.
func (x *Var[T]) Load() T {
	x.m.variable(schedule.Read, x.loc, x.plain)
	if x.m.tracing {
		x.m.traced(x.v, x.v)
	}
	v := x.v
	x.m.done(x.loc, schedule.NoLocation)
	return v
}

// Store writes the variable.
func (x *Var[T]) Store(v T) {
	x.m.variable(schedule.Write, x.loc, x.plain)
	if x.m.tracing {
		x.m.traced(x.v, v)
	}
	x.v = v
	x.m.done(x.loc, schedule.NoLocation)
}

// Atomic is a shared variable with atomic updates.
type Atomic[T comparable] struct{ Var[T] }

// NewAtomic makes a variable that holds v.
func NewAtomic[T comparable](m *Memory, name string, v T) *Atomic[T] {
	return &Atomic[T]{Var[T]{m: m, loc: m.location(name), v: v}}
}

// Swap writes v and returns the previous value.
func (x *Atomic[T]) Swap(v T) T {
	x.m.point(schedule.Update, x.loc, schedule.NoLocation, nil)
	if x.m.tracing {
		x.m.traced(x.v, v)
	}
	old := x.v
	x.v = v
	x.m.done(x.loc, schedule.NoLocation)
	return old
}

// CompareAndSwap writes to if the variable holds from, and reports whether it did.
func (x *Atomic[T]) CompareAndSwap(from, to T) bool {
	x.m.point(schedule.Update, x.loc, schedule.NoLocation, nil)
	if x.v != from {
		x.m.failed()
		if x.m.tracing {
			x.m.traced(x.v, x.v)
		}
		x.m.done(x.loc, schedule.NoLocation)
		return false
	}
	if x.m.tracing {
		x.m.traced(x.v, to)
	}
	x.v = to
	x.m.done(x.loc, schedule.NoLocation)
	return true
}

// Await reads the variable once pred holds for its value, and returns the value: one event, which
// is blocked until then. pred is also called while other threads run and must touch no shared
// variable.
func (x *Atomic[T]) Await(pred func(T) bool) T {
	x.m.point(schedule.Await, x.loc, schedule.NoLocation, &awaitGate[T]{x, pred})
	if x.m.tracing {
		x.m.traced(x.v, x.v)
	}
	v := x.v
	x.m.done(x.loc, schedule.NoLocation)
	return v
}

type awaitGate[T comparable] struct {
	x    *Atomic[T]
	pred func(T) bool
}

func (g *awaitGate[T]) Open() bool { return g.pred(g.x.v) }

// Int64 is an atomic integer.
type Int64 struct{ Atomic[int64] }

// NewInt64 makes an integer that holds v.
func NewInt64(m *Memory, name string, v int64) *Int64 {
	return &Int64{Atomic[int64]{Var[int64]{m: m, loc: m.location(name), v: v}}}
}

// Add adds delta and returns the new value.
func (x *Int64) Add(delta int64) int64 {
	x.m.point(schedule.Update, x.loc, schedule.NoLocation, nil)
	if x.m.tracing {
		x.m.traced(x.v, x.v+delta)
	}
	x.v += delta
	v := x.v
	x.m.done(x.loc, schedule.NoLocation)
	return v
}

// CompareAndSwap2 writes two variables of one memory if both hold what is expected, in one event,
// and reports whether it did.
func CompareAndSwap2[T, U comparable](a *Atomic[T], b *Atomic[U], fromA T, fromB U, toA T, toB U) bool {
	m := a.m
	if m != b.m {
		panic("mem: variables of two memories in one access")
	}
	m.point(schedule.Update, a.loc, b.loc, nil)
	if a.v != fromA || b.v != fromB {
		m.failed()
		if m.tracing {
			m.traced2(a.v, b.v, a.v, b.v)
		}
		m.done(a.loc, b.loc)
		return false
	}
	if m.tracing {
		m.traced2(a.v, b.v, toA, toB)
	}
	a.v, b.v = toA, toB
	m.done(a.loc, b.loc)
	return true
}

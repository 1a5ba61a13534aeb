package sync

import (
	"github.com/linsat/linsat/explore/shim/atomic"
)

// Once does something once, as that of the standard library does: by an atomic flag and a mutex.
type Once struct {
	done atomic.Bool
	m    Mutex
}

// Do calls f if it was not called before. It returns when f has.
func (o *Once) Do(f func()) {
	if o.done.Load() {
		return
	}
	o.m.Lock()
	defer o.m.Unlock()
	if !o.done.Load() {
		defer o.done.Store(true)
		f()
	}
}

// OnceFunc returns a function that calls f once. If f panics, every call panics with the same
// value.
func OnceFunc(f func()) func() {
	once := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { once() }
}

// OnceValue returns a function that calls f once and returns its value. If f panics, every call
// panics with the same value.
func OnceValue[T any](f func() T) func() T {
	once := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T {
		v, _ := once()
		return v
	}
}

// OnceValues returns a function that calls f once and returns its values. If f panics, every call
// panics with the same value.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		once  Once
		valid bool
		why   any
		v1    T1
		v2    T2
	)
	first := func() {
		defer func() {
			f = nil
			if !valid {
				why = recover()
				panic(why)
			}
		}()
		v1, v2 = f()
		valid = true
	}
	return func() (T1, T2) {
		once.Do(first)
		if !valid {
			panic(why)
		}
		return v1, v2
	}
}

// Package shrink makes a failing test smaller, as long as it fails: without a thread, without an
// operation, with simpler arguments. It knows nothing of what a test does.
//
// What: at first large parts of all operations are left out, then smaller ones: a half, a quarter,
// and so on. Then a greedy search: each round tries all tests that are one step smaller, whole
// threads first, then single operations, then arguments, and goes on from the first one that fails.
// It ends when none does.
//
// Source: delta debugging (Zeller and Hildebrandt, IEEE TSE 28(2), 2002), of which only the
// complements are tried: a part alone rarely fails.
//
// Nothing says that a test fails if one with fewer operations in its middle does, so the
// result is a test that no single step makes smaller, and not always the smallest one.
//
// Invariant: the current test fails.
//
// Cost: at most the square of the number of operations, plus that of simpler arguments, in tests
// that are tried; mostly a multiple of what is left and of the logarithm of the operations.
package shrink

import "slices"

// Test is a test whose calls are of type C.
type Test[C any] struct {
	Before  []C
	Threads [][]C
	After   []C
}

// Smaller returns a test that fails, and that no single step makes smaller. t must fail. simpler
// lists simpler forms of a call, the simplest first; each must be simpler than the call by an order
// without infinite descent.
func Smaller[C any](t Test[C], simpler func(C) []C, fails func(Test[C]) bool) Test[C] {
	t = parts(t, fails)
	for {
		next, found := step(t, simpler, fails)
		if !found {
			return t
		}
		t = next
	}
}

// parts leaves out parts of the operations, the greatest first.
func parts[C any](t Test[C], fails func(Test[C]) bool) Test[C] {
	for size := t.size() / 2; size > 1; size /= 2 {
		for end := t.size(); end > 0; end -= size {
			if s := t.without(end-size, end); len(s.Threads) > 0 && fails(s) {
				t = s
			}
		}
	}
	return t
}

// size is how many operations a test has.
func (t *Test[C]) size() (n int) {
	for _, part := range t.parts() {
		n += len(*part(t))
	}
	return n
}

// without returns a test without the operations from one position to another, in the order of its
// parts.
func (t *Test[C]) without(begin, end int) Test[C] {
	s := t.clone()
	at := 0
	for _, part := range t.parts() {
		calls := *part(t)
		from, to := min(max(begin-at, 0), len(calls)), min(max(end-at, 0), len(calls))
		*part(&s) = slices.Delete(slices.Clone(calls), from, to)
		at += len(calls)
	}
	s.Threads = slices.DeleteFunc(s.Threads, func(calls []C) bool { return len(calls) == 0 })
	return s
}

// step returns the first failing test that is one step smaller.
func step[C any](t Test[C], simpler func(C) []C, fails func(Test[C]) bool) (Test[C], bool) {
	for k := range t.Threads {
		if len(t.Threads) > 1 && len(t.Threads[k]) > 1 {
			if s := (Test[C]{t.Before, slices.Delete(slices.Clone(t.Threads), k, k+1), t.After}); fails(s) {
				return s, true
			}
		}
	}
	for _, part := range t.parts() {
		calls := *part(&t)
		for i := len(calls) - 1; i >= 0; i-- {
			s := t.clone()
			*part(&s) = slices.Delete(slices.Clone(calls), i, i+1)
			s.Threads = slices.DeleteFunc(s.Threads, func(calls []C) bool { return len(calls) == 0 })
			if len(s.Threads) > 0 && fails(s) {
				return s, true
			}
		}
	}
	for _, part := range t.parts() {
		calls := *part(&t)
		for i, call := range calls {
			for _, c := range simpler(call) {
				s := t.clone()
				changed := slices.Clone(calls)
				changed[i] = c
				*part(&s) = changed
				if fails(s) {
					return s, true
				}
			}
		}
	}
	return t, false
}

func (t *Test[C]) clone() Test[C] {
	return Test[C]{t.Before, slices.Clone(t.Threads), t.After}
}

// parts returns the lists of calls of a test.
func (t *Test[C]) parts() []func(*Test[C]) *[]C {
	parts := []func(*Test[C]) *[]C{func(t *Test[C]) *[]C { return &t.After }}
	for k := len(t.Threads) - 1; k >= 0; k-- {
		parts = append(parts, func(t *Test[C]) *[]C { return &t.Threads[k] })
	}
	return append(parts, func(t *Test[C]) *[]C { return &t.Before })
}

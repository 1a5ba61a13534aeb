package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// word is Scal's atomic word of 128 bits: a value with a count of its changes. Its accesses are
// those of Scal: raw reads until two reads in a row agree, and cas reads before it tries.
type word[T comparable] struct{ cell *mem.Atomic[counted[T]] }

// counted is what a word holds.
type counted[T comparable] struct {
	value T
	count int
}

// to is the next content: a value, with one more change.
func (c counted[T]) to(value T) counted[T] { return counted[T]{value, c.count + 1} }

func newWord[T comparable](m *mem.Memory, name string, value T) word[T] {
	return word[T]{mem.NewAtomic(m, name, counted[T]{value: value})}
}

// raw reads the word, at least twice.
func (w word[T]) raw() counted[T] {
	for {
		if v := w.cell.Load(); w.cell.Load() == v {
			return v
		}
	}
}

func (w word[T]) value() T { return w.raw().value }

// holds reports whether the word still has a content, with the reads of raw.
func (w word[T]) holds(v counted[T]) bool { return w.raw() == v }

// cas reads the word, and then tries to replace a content.
func (w word[T]) cas(from, to counted[T]) bool {
	return w.cell.Load() == from && w.cell.CompareAndSwap(from, to)
}

// nothing is the value of an empty slot. Objects hold numbers from 1 on.
const nothing = 0

// Choose makes the random choices of an object: a number from 0 to n-1. Scal draws pseudo-random
// numbers.
type Choose func(m *mem.Memory, n int) int

// First always chooses 0: then the threads' order is all that executions differ in.
func First(*mem.Memory, int) int { return 0 }

// Any leaves the choice to the strategy.
func Any(m *mem.Memory, n int) int { return m.Choose(n) }

// named makes an instance of two operations; remove returns nothing if it found the object empty.
func named(insertion string, insert func(int), remove func() int) explore.Instance {
	return func(f string, arg any) any {
		if f == insertion {
			insert(arg.(int))
			return nil
		}
		if v := remove(); v != nothing {
			return v
		}
		return nil
	}
}

// index finds the first slot, from a chosen one on and around, that is full, or that is empty. It
// returns the number of the slot and what it held, or -1.
func index(m *mem.Memory, choose Choose, slots []word[int], full bool) (int, counted[int]) {
	start := choose(m, len(slots))
	for i := range slots {
		at := (start + i) % len(slots)
		if v := slots[at].raw(); (v.value != nothing) == full {
			return at, v
		}
	}
	return -1, counted[int]{}
}

func newSlots(m *mem.Memory, n int) []word[int] {
	slots := make([]word[int], n)
	for i := range slots {
		slots[i] = newWord(m, "slot", nothing)
	}
	return slots
}

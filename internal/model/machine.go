package model

import (
	"slices"
	"unsafe"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// ComparableMachine executes a step function over states that Go can compare.
type ComparableMachine[S comparable] struct {
	init     S
	step     func(s S, op history.OpID, dst []S) []S
	describe func(s S) string
	States   []S
	index    map[S]State
	next     []S
	weigh    func(s S) int64 // bytes behind a state, nil if none
	bytes    int64
}

// NewComparable makes a machine from an ordinary step function: step appends the states that op may
// leave when applied in s. weigh, which may be nil, returns the bytes that a state refers to
// besides its own size (the text of a string).
func NewComparable[S comparable](init S, step func(s S, op history.OpID, dst []S) []S, describe func(s S) string,
	weigh func(s S) int64) Machine {
	m := &ComparableMachine[S]{init: init, step: step, describe: describe, weigh: weigh, index: map[S]State{}}
	m.intern(init)
	return m
}

func (m *ComparableMachine[S]) intern(s S) State {
	if k, ok := m.index[s]; ok {
		return k
	}
	k := State(len(m.States))
	m.States = append(m.States, s)
	m.index[s] = k
	m.bytes += 3*int64(unsafe.Sizeof(s)) + 16
	if m.weigh != nil {
		m.bytes += m.weigh(s)
	}
	return k
}

func (m *ComparableMachine[S]) Init() State { return 0 }

func (m *ComparableMachine[S]) Step(s State, op history.OpID, dst []State) []State {
	m.next = m.step(m.States[s], op, m.next[:0])
	return appendDistinct(m, m.next, dst)
}

// appendDistinct interns states and appends those that dst does not contain yet.
func appendDistinct[S comparable](m *ComparableMachine[S], next []S, dst []State) []State {
	from := len(dst)
	for _, n := range next {
		if k := m.intern(n); !slices.Contains(dst[from:], k) {
			dst = append(dst, k)
		}
	}
	return dst
}

// Forget implements Forgetter.
func (m *ComparableMachine[S]) Forget(s State) State {
	if len(m.States) < ForgetFrom {
		return s
	}
	kept := m.States[s]
	clear(m.index)
	m.States, m.bytes = m.States[:0], 0
	return m.intern(kept)
}

// Collect implements Collector.
func (m *ComparableMachine[S]) Collect(keep []State) {
	old := m.States
	m.index, m.States, m.bytes = map[S]State{}, nil, 0
	for i, s := range keep {
		keep[i] = m.intern(old[s])
	}
}

func (m *ComparableMachine[S]) Describe(s State) string { return m.describe(m.States[s]) }
func (m *ComparableMachine[S]) Bytes() int64            { return m.bytes }

// PeekComparable returns the Go state of s, for a Refusal of the same specification.
func PeekComparable[S comparable](m Machine, s State) S {
	return m.(*ComparableMachine[S]).States[s]
}

// VectorMachine executes a step function over states that are sequences of numbers.
type VectorMachine struct {
	Table    vectors
	step     func(s []int32, op history.OpID, yield func(next []int32))
	describe func(s []int32) string
	dst      []State
	from     int
	yield    func(next []int32)
}

// NewVector makes a machine whose states are sequences of numbers (contents of a queue, values of
// the cells of a map): step yields the sequences that op may leave when applied in s. Neither step
// nor yield keeps a slice.
func NewVector(init []int32, step func(s []int32, op history.OpID, yield func(next []int32)),
	describe func(s []int32) string) Machine {
	m := &VectorMachine{step: step, describe: describe}
	m.Table.intern(init)
	m.yield = func(next []int32) {
		if k := m.Table.intern(next); !slices.Contains(m.dst[m.from:], k) {
			m.dst = append(m.dst, k)
		}
	}
	return m
}

// VectorRunner is a VectorMachine that is a Runner.
type VectorRunner struct {
	*VectorMachine
	run func(order []history.OpID) int
}

// NewVectorRunner is NewVector with run as Run.
func NewVectorRunner(init []int32, step func(s []int32, op history.OpID, yield func(next []int32)),
	describe func(s []int32) string, run func(order []history.OpID) int) Machine {
	return &VectorRunner{NewVector(init, step, describe).(*VectorMachine), run}
}

// Run implements Runner.
func (m *VectorRunner) Run(order []history.OpID) int { return m.run(order) }

func (m *VectorMachine) Init() State { return 0 }

func (m *VectorMachine) Step(s State, op history.OpID, dst []State) []State {
	m.dst, m.from = dst, len(dst)
	m.step(m.Table.At(s), op, m.yield)
	dst, m.dst = m.dst, nil
	return dst
}

// Forget implements Forgetter.
func (m *VectorMachine) Forget(s State) State {
	kept := m.Table.At(s)
	if len(m.Table.hash) < ForgetFrom && len(m.Table.arena) < 4*(ForgetFrom+len(kept)) {
		return s
	}
	kept = slices.Clone(kept)
	m.Table.clear()
	return m.Table.intern(kept)
}

// Collect implements Collector.
func (m *VectorMachine) Collect(keep []State) {
	old := m.Table
	m.Table = vectors{}
	kept := slices.Clone(keep)
	kept = inorder.Distinct(kept)
	size := 0
	for _, s := range kept {
		size += len(old.At(s))
	}
	m.Table.reserve(len(kept), size)
	for i, s := range keep {
		keep[i] = m.Table.intern(old.At(s))
	}
}

func (m *VectorMachine) Describe(s State) string { return m.describe(m.Table.At(s)) }
func (m *VectorMachine) Bytes() int64            { return m.Table.bytes() }

// PeekVector returns the sequence of s, for a Refusal; it must not be changed.
func PeekVector(m Machine, s State) []int32 {
	if r, ok := m.(*VectorRunner); ok {
		return r.Table.At(s)
	}
	return m.(*VectorMachine).Table.At(s)
}

// vectors interns sequences of numbers in one arena.
//
// Invariant: sequence k is arena[start[k]:start[k+1]]; slots holds, at the place where probing from
// its hash ends, every sequence's number plus one. An interned sequence never moves within the
// arena, but the arena itself may: a slice from at must not be used after the next intern, except
// as its argument.
type vectors struct {
	arena []int32
	start []int
	hash  []uint32
	slots []int32
}

func (t *vectors) At(k State) []int32 { return t.arena[t.start[k]:t.start[k+1]:t.start[k+1]] }

func (t *vectors) bytes() int64 {
	return int64(cap(t.arena))*4 + int64(cap(t.start))*8 + int64(cap(t.hash)+cap(t.slots))*4
}

func (t *vectors) intern(v []int32) State {
	if t.start == nil {
		t.start = []int{0}
		t.slots = make([]int32, 64)
	}
	h := hashVector(v)
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		if k := State(t.slots[i] - 1); t.hash[k] == h && slices.Equal(t.At(k), v) {
			return k
		}
	}
	k := State(len(t.hash))
	t.arena = append(t.arena, v...)
	t.start = append(t.start, len(t.arena))
	t.hash = append(t.hash, h)
	t.slots[i] = int32(k) + 1
	if 2*len(t.hash) > len(t.slots) {
		t.grow()
	}
	return k
}

// reserve makes room in an empty table for n sequences of so many numbers together.
func (t *vectors) reserve(n, numbers int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	t.arena, t.hash, t.slots = make([]int32, 0, numbers), make([]uint32, 0, n), make([]int32, size)
	t.start = append(make([]int, 0, n+1), 0)
}

func (t *vectors) clear() {
	t.arena, t.start, t.hash = t.arena[:0], t.start[:1], t.hash[:0]
	clear(t.slots)
}

func (t *vectors) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for k, h := range t.hash {
		i := h & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(k) + 1
	}
}

func hashVector(v []int32) uint32 {
	h := uint64(len(v)) + 0x9e3779b97f4a7c15
	for _, x := range v {
		h ^= uint64(uint32(x))
		h *= 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return uint32(h ^ h>>29)
}

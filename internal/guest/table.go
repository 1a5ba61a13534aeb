package guest

import (
	"reflect"

	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/model"
)

// MapTable is a table of states that == compares.
func MapTable[S comparable]() Table[S] { return mapTable[S]{} }

type mapTable[S comparable] map[S]model.State

func (t mapTable[S]) Find(s S) (model.State, bool) {
	k, ok := t[s]
	return k, ok
}

func (t mapTable[S]) Add(s S, k model.State) int64 {
	t[s] = k
	return 0
}

func (t mapTable[S]) Clear() { clear(t) }

// AnyTable is a table of states of which == is known to compare the contents, though their type
// parameter does not say so.
func AnyTable[S any]() Table[S] { return anyTable[S]{} }

type anyTable[S any] map[any]model.State

func (t anyTable[S]) Find(s S) (model.State, bool) {
	k, ok := t[s]
	return k, ok
}

func (t anyTable[S]) Add(s S, k model.State) int64 {
	t[s] = k
	_, bytes := deep.Hash(s)
	return bytes
}

func (t anyTable[S]) Clear() { clear(t) }

// HashTable is a table of states that equal compares, where hash is the same for equal states.
func HashTable[S any](equal func(a, b S) bool, hash func(s S) uint64) Table[S] {
	return &hashTable[S]{equal: equal, hash: hash, first: map[uint64]int{}}
}

type hashTable[S any] struct {
	equal  func(a, b S) bool
	hash   func(s S) uint64
	first  map[uint64]int // where the last state of that hash is
	states []S
	number []model.State // by place: the number of that state
	before []int         // by place: where the state of the same hash before this one is, or -1
	// the hash that was computed last is that of the state that Add is given next
	last struct {
		known bool
		hash  uint64
	}
}

func (t *hashTable[S]) Find(s S) (model.State, bool) {
	h := t.hash(s)
	t.last.known, t.last.hash = true, h
	at, ok := t.first[h]
	if !ok {
		return 0, false
	}
	for ; at >= 0; at = t.before[at] {
		if t.equal(t.states[at], s) {
			return t.number[at], true
		}
	}
	return 0, false
}

func (t *hashTable[S]) Add(s S, k model.State) int64 {
	h := t.last.hash
	before, ok := t.first[h]
	if !ok {
		before = -1
	}
	t.first[h] = len(t.states)
	t.states, t.number, t.before = append(t.states, s), append(t.number, k), append(t.before, before)
	_, bytes := deep.Hash(s)
	return bytes
}

func (t *hashTable[S]) Clear() {
	clear(t.first)
	t.states, t.number, t.before = nil, nil, nil
}

// MixedTable is a table of states that reflect.DeepEqual compares, and == where that is the same.
func MixedTable[S any]() Table[S] {
	return &mixedTable[S]{exact: anyTable[S]{}}
}

// mixedTable keeps exact states and others apart: no two of them are equal.
type mixedTable[S any] struct {
	exact anyTable[S]
	deep  Table[S] // nil until a state needs it
}

func (t *mixedTable[S]) of(s S) Table[S] {
	if deep.Exact(s) {
		return t.exact
	}
	if t.deep == nil {
		t.deep = deepTable(deep.Equal[S]())
	}
	return t.deep
}

// deepTable is a table of states that equal compares, which are deeply equal if they are equal.
func deepTable[S any](equal func(a, b S) bool) Table[S] {
	return HashTable(equal, func(s S) uint64 {
		h, _ := deep.Hash(s)
		return h
	})
}

func (t *mixedTable[S]) Find(s S) (model.State, bool) { return t.of(s).Find(s) }

func (t *mixedTable[S]) Add(s S, k model.State) int64 { return t.of(s).Add(s, k) }

func (t *mixedTable[S]) Clear() {
	t.exact.Clear()
	if t.deep != nil {
		t.deep.Clear()
	}
}

// CoarseTable is a table of states that equal compares and of which no hash is known. States that
// fine finds equal mostly are, so only others are compared with all.
func CoarseTable[S any](fine Table[S], equal func(a, b S) bool) Table[S] {
	return &coarseTable[S]{fine: fine, all: &hashTable[S]{equal: equal, hash: func(S) uint64 {
		return 0
	}, first: map[uint64]int{}}}
}

type coarseTable[S any] struct {
	fine Table[S]
	all  *hashTable[S] // in the order of their numbers
}

func (t *coarseTable[S]) Find(s S) (model.State, bool) {
	if k, ok := t.fine.Find(s); ok && t.all.equal(t.all.states[k], s) { // it may compare pointers
		return k, true
	}
	k, ok := t.all.Find(s)
	if ok {
		t.fine.Add(s, k)
	}
	return k, ok
}

// Add leaves it to Find to note s in fine: only if s equals itself.
func (t *coarseTable[S]) Add(s S, k model.State) int64 { return t.all.Add(s, k) }

func (t *coarseTable[S]) Clear() {
	t.fine.Clear()
	t.all.Clear()
}

// FineTable is a table of states that are one if equal says so and their contents are the same.
// States that do not equal themselves by their contents are in coarse: what holds NaN, or a
// function.
func FineTable[S any](equal func(a, b S) bool, coarse Table[S]) Table[S] {
	same := func(a, b S) bool { return reflect.DeepEqual(a, b) && equal(a, b) }
	return &fineTable[S]{mixedTable: mixedTable[S]{exact: anyTable[S]{}, deep: deepTable(same)}, coarse: coarse}
}

type fineTable[S any] struct {
	mixedTable[S]
	coarse Table[S]
}

func (t *fineTable[S]) of(s S) Table[S] {
	if deep.Exact(s) || reflect.DeepEqual(s, s) {
		return &t.mixedTable
	}
	return t.coarse
}

func (t *fineTable[S]) Find(s S) (model.State, bool) { return t.of(s).Find(s) }

func (t *fineTable[S]) Add(s S, k model.State) int64 { return t.of(s).Add(s, k) }

func (t *fineTable[S]) Clear() {
	t.mixedTable.Clear()
	t.coarse.Clear()
}

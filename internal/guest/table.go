package guest

import (
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
// Without hash every new state is compared with all others.
func HashTable[S any](equal func(a, b S) bool, hash func(s S) uint64) Table[S] {
	if hash == nil {
		hash = func(S) uint64 { return 0 }
	}
	return &hashTable[S]{equal: equal, hash: hash, first: map[uint64]model.State{}}
}

type hashTable[S any] struct {
	equal  func(a, b S) bool
	hash   func(s S) uint64
	first  map[uint64]model.State // the last state of that hash
	states []S
	before []model.State // the state of the same hash before this one, or -1
	// the hash that was computed last is that of the state that Add is given next
	last struct {
		known bool
		hash  uint64
	}
}

func (t *hashTable[S]) Find(s S) (model.State, bool) {
	h := t.hash(s)
	t.last.known, t.last.hash = true, h
	k, ok := t.first[h]
	if !ok {
		return 0, false
	}
	for ; k >= 0; k = t.before[k] {
		if t.equal(t.states[k], s) {
			return k, true
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
	t.first[h] = k
	t.states, t.before = append(t.states, s), append(t.before, before)
	_, bytes := deep.Hash(s)
	return bytes
}

func (t *hashTable[S]) Clear() {
	clear(t.first)
	t.states, t.before = nil, nil
}

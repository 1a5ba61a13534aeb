package model

import "github.com/linsat/linsat/history"

// RevisionTheory describes a store whose states have a number, its revision, that no operation
// lowers, or raises by more than one.
type RevisionTheory struct {
	Of func(m Machine, s State) int64
	// At is the number of the state that the operation leaves, -1 if it is not known. It is known
	// from the result, or, for a pending operation that must have raised it, from other results.
	At []int64
	// Raises marks operations of known number that certainly raise it.
	Raises []bool
	// Fits reports whether an operation can have raised the number to n, as far as all results
	// tell. Operations that never raise it fit nowhere.
	Fits func(op history.OpID, n int64) bool
	// Lenient returns an instance that allows whatever this one allows, and of which states tell
	// less of what operations of unknown outcome may have changed.
	Lenient func() *Instance
	// Silent marks operations that may change the state and not its number.
	Silent []bool
	// About lists the topics of every operation. Where an operation changes the state and not its
	// number, it commutes with those that have none of its topics.
	About [][]int32
}

package program

import (
	"runtime"

	"github.com/linsat/linsat/internal/relaxed/graph"
)

// Op is what a thread asks of the memory.
type Op uint8

const (
	Load Op = iota
	Store
	Swap
	CompareAndSwap
	WeakCompareAndSwap
	Add   // any update that succeeds: Sum gives the new value
	Await // a load that waits until Until holds
	Fence
	ReadCell
	WriteCell
	Initialize // the first write of a location that a running thread makes
	JoinThread
	Choose
	Assume // the thread goes no further
	Spin   // nor here, where a round of a loop that waits ends
)

// Request is one access, before it happens.
type Request struct {
	Op         Op
	Order      graph.Order
	Fail       graph.Order // of a compare-and-swap that fails
	Loc        int32
	Arg        int // JoinThread: the thread; Choose: the number of values
	Value, Old any
	Sum        func(old, delta any) any
	Until      func(value any) bool
	Where      *runtime.Frame // the line of code, if asked for
}

// Result is what a thread gets.
type Result struct {
	Value any
	OK    bool
	N     int
}

// Updates reports whether the access is a read-modify-write.
func (r *Request) Updates() bool { return r.Op >= Swap && r.Op <= Add }

// Reads reports whether the access reads an atomic location.
func (r *Request) Reads() bool { return r.Op == Load || r.Op == Await || r.Updates() }

// Apply returns what an update writes if it reads value, and whether it writes.
func (r *Request) Apply(value any) (any, bool) {
	switch r.Op {
	case Swap:
		return r.Value, true
	case CompareAndSwap, WeakCompareAndSwap:
		return r.Value, value == r.Old
	case Add:
		return r.Sum(value, r.Value), true
	}
	return nil, false
}

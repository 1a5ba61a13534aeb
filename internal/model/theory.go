package model

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/wide"
)

// Theory is a vocabulary for which engines have axioms. A specification that fits one says for each
// partition what every operation means in it. The executable machine and the theory are two
// descriptions of the same thing, and law tests compare them.
type Theory interface{ theory() }

// RegisterTheory: every operation touches one cell that holds one value at a time
// (register, cas-register, kv by key, set by element, mutex).
type RegisterTheory struct {
	Object []int32 // cell of every operation, 0..len(Init)-1
	Init   []int32 // initial value of every cell
	Values int     // values are 0..Values-1, over all cells
	Modes  []Mode  // all modes; see Of
	First  []int32 // modes of operation i are Modes[First[i]:First[i+1]]
	// FromInit says that the values are those reachable from Init, so nothing is known about other
	// initial states.
	FromInit bool
	// Name returns a readable text of a value. Only derived theories have it; values of other
	// theories are written as operations and states write them.
	Name func(v int32) string
}

// Derived reports whether t was derived from the states of a machine. An operation of such a theory
// may have a mode for each state, which makes clauses and arguments expensive.
func Derived(t Theory) bool {
	c, ok := t.(*RegisterTheory)
	return ok && c.Name != nil
}

// Mode is one way in which an operation can take effect. A completed operation has exactly one of
// its modes, a pending one at most one. (An operation without modes contradicts itself.)
type Mode struct {
	Test   Test
	V      int32   // the value in Is and Not
	Others []int32 // further values that Not excludes
	Leaves int32   // value left behind, or Keep
}

// Test is what a mode requires of the value that it finds.
type Test uint8

// The tests.
const (
	Any Test = iota // no condition
	Is              // the value is V
	Not             // the value is neither V nor one of Others
)

// Keep as Leaves: the value does not change.
const Keep int32 = -1

// NewRegisterTheory returns a theory without operations, with capacity for n.
func NewRegisterTheory(n int) *RegisterTheory {
	c := RegisterTheoryIn(make([]int32, 2*n+1), n)
	return &c
}

// RegisterTheoryIn returns the same for n operations, using room, which has space for 2n+1 numbers,
// and with capacity for the given number of modes.
func RegisterTheoryIn(room []int32, modes int) RegisterTheory {
	n := len(room) / 2
	return RegisterTheory{Object: room[:0:n], Modes: make([]Mode, 0, modes), First: room[n : n+1]}
}

// Add adds the next operation.
func (c *RegisterTheory) Add(object int32, modes ...Mode) {
	c.Object = append(c.Object, object)
	if len(modes) == 1 { // as usual
		c.Modes = append(c.Modes, modes[0])
	} else {
		c.Modes = append(c.Modes, modes...)
	}
	c.First = append(c.First, int32(len(c.Modes)))
}

// Of returns the modes of operation i.
func (c *RegisterTheory) Of(i history.OpID) []Mode { return c.Modes[c.First[i]:c.First[i+1]] }

// Allows reports whether the mode accepts value v.
func (m Mode) Allows(v int32) bool {
	switch m.Test {
	case Is:
		return v == m.V
	case Not:
		if v == m.V {
			return false
		}
		for _, o := range m.Others {
			if v == o {
				return false
			}
		}
	}
	return true
}

// Discipline says which value leaves a collection first.
type Discipline uint8

// The disciplines.
const (
	FIFO       Discipline = iota // the oldest
	LIFO                         // the youngest
	ByPriority                   // the one of least Rank, any of equal ones
)

// Action is what an operation does to a collection.
type Action uint8

// The actions.
const (
	Insert Action = iota // puts Value in
	Remove               // takes Value out, or finds Nothing
	Peek                 // sees Value next to leave, or finds Nothing
	Aside                // what no theory tells, and a legal sequence does without: see Taken
)

// The values of a removal or a peek that returned no known value.
const (
	Nothing  int32 = -1 // it found the collection empty
	Anything int32 = -2 // its result is unknown: a value or Nothing
)

// CollectionTheory describes queues, stacks and priority queues.
type CollectionTheory struct {
	Discipline Discipline
	Object     []int32   // collection of every operation, 0..len(Initial)-1
	Does       []Action  // by operation
	Value      []int32   // by operation: a value, Nothing or Anything
	Rank       []int64   // by value: its priority, least first (ByPriority only)
	Initial    [][]int32 // by collection: the values in it at the start, next to leave first
	Values     int       // values are 0..Values-1
}

// Ends says what the operations of a double-ended queue do, and which of them do it at the back. It
// is not a theory: there are no axioms for it.
type Ends struct {
	Does []Action
	Back []bool
}

// Queue says what the operations of a first-in first-out queue do, with values as in
// Instance.Values. What neither inserts nor removes a value is a Peek. It is not a theory: there
// may be operations of which it does not tell everything.
type Queue struct {
	Does  []Action
	Front func(m Machine, s State) int32 // the value next to leave, or Nothing
}

// Log says what the operations of an append-only log do. It is no theory: axioms are known of its
// views only.
type Log struct {
	Initial []history.Value // oldest first
	Ops     []LogOp
}

// LogOp is an operation of a log. An append adds Value at length Offset; a read finds Values from
// Offset on, to the end, or Limited to so many: then there may be more behind. Known is false if
// the offset of an append, or the result of a read, was not recorded.
type LogOp struct {
	Reads, Known bool
	Limited      bool
	Value        history.Value
	Values       []history.Value
	Offset       int64
}

// ReadersWriter says what the operations of a readers-writer lock do. It is no theory: there are no
// axioms for it.
type ReadersWriter struct {
	Readers int64 // that hold it at the start
	Writing bool  // a writer holds it at the start
	Does    []LockAction
}

// LockAction is what an operation does to a readers-writer lock.
type LockAction uint8

// The actions. The first four change the lock. A refused one is a try that failed, as it does where
// the lock cannot be taken; TryRead and TryWrite are tries of unknown result.
const (
	ReadLock LockAction = iota
	ReadUnlock
	WriteLock
	WriteUnlock
	ReadRefused
	WriteRefused
	TryRead
	TryWrite
)

// Ascending says that in every linearization no completed operation comes before one with a smaller
// number. With Distinct, no two have the same one either. Operations with the number 0 have none.
type Ascending struct {
	Numbers  []uint64
	Distinct bool
}

// CountingTheory describes counters. Every operation adds Delta; if Observes is set, the value just
// before it was Observed. Specifications refuse operations that could take a counter out of int64
// in some order, see Exact; Observed may be any number.
type CountingTheory struct {
	Object   []int32 // counter of every operation
	Delta    []int64
	Observes []bool
	Observed []int64
	Init     []int64 // by counter
}

// Exact reports whether every counter stays within int64 whichever of its operations take effect.
func (c *CountingTheory) Exact() bool {
	low, high := make([]wide.Int, len(c.Init)), make([]wide.Int, len(c.Init))
	for k, x := range c.Init {
		low[k], high[k] = wide.Of(x), wide.Of(x)
	}
	for i, d := range c.Delta {
		if k := c.Object[i]; d < 0 {
			low[k] = low[k].Add(d)
		} else {
			high[k] = high[k].Add(d)
		}
	}
	fits := func(x wide.Int) bool { _, ok := x.Int64(); return ok }
	return !slices.ContainsFunc(low, func(x wide.Int) bool {
		return !fits(x)
	}) && !slices.ContainsFunc(high, func(x wide.Int) bool { return !fits(x) })
}

func (*RegisterTheory) theory()   {}
func (*CollectionTheory) theory() {}
func (*CountingTheory) theory()   {}

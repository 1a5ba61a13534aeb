package model

import "github.com/linsat/linsat/history"

// CellID numbers the objects of a theory: cells of registers, collections, counters.
type CellID int32

// RegisterTheory: every operation touches one cell that holds one value at a time
// (register, cas-register, kv by key, set by element, mutex).
type RegisterTheory struct {
	Object []CellID // cell of every operation, 0..len(Init)-1
	Init   []int32  // initial value of every cell
	Values int      // values are 0..Values-1, over all cells
	Modes  []Mode   // all modes; see Of
	First  []int32  // modes of operation i are Modes[First[i]:First[i+1]]
	// FromInit says that the values are those reachable from Init, so nothing is known about other
	// initial states.
	FromInit bool
	// Name returns a readable text of a value. Only derived theories have it; values of other
	// theories are written as operations and states write them.
	Name func(v int32) string
}

// Derived reports whether t was derived from the states of a machine. An operation of such a theory
// may have a mode for each state, which makes clauses and arguments expensive.
func Derived(t Axiomatic) bool {
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
	c := RegisterTheoryIn(make([]int32, n+1), n)
	return &c
}

// RegisterTheoryIn returns the same for n operations, using room, which has space for n+1 numbers,
// and with capacity for the given number of modes.
func RegisterTheoryIn(room []int32, modes int) RegisterTheory {
	return RegisterTheory{Object: make([]CellID, 0, len(room)-1), Modes: make([]Mode, 0, modes), First: room[:1]}
}

// Add adds the next operation. Not inlined: it has many callers.
//
//go:noinline
func (c *RegisterTheory) Add(object CellID, modes ...Mode) {
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

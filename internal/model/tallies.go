package model

import "math"

// Tallies describe an object whose state is a few numbers to which operations add, within ranges:
// permits, readers, how often a lock is held, balances, a length, and 1 for what is in a set. They
// describe the operations of the partition completely, with Contents and Tokens if there are some.
// They are no theory: only the SAT engine reads them.
type Tallies struct {
	// Ways lists the ways in which each operation can take effect: a completed one in exactly
	// one of them, a pending one in at most one.
	Ways [][]Way
	// Init are the numbers at the start. With Open, they are any numbers from 0 on, or any at all
	// if Below is set as well, and Init only says how many there are.
	Init        []int64
	Open, Below bool
	// Contents, unless it is nil, says which values one collection holds besides. An operation that
	// inserts does so in the first of its ways; one that removes and whose result is unknown takes
	// a value in the first, and finds nothing in the second. One that is Aside takes out whatever
	// there is.
	Contents *CollectionTheory
	Back     []bool    // of a deque, by operation: it is at the back; else nil
	Drained  [][]int32 // by operation: all values, which it takes out in this order; or nil
	Tokens   *Fencing
}

// Way is one way in which an operation can take effect.
type Way struct {
	Finds []Found
	Adds  []Added
	// Bits, unless it is nil, says of every number but the last one whether it is 1 or 0.
	Bits []int32
	// Acquires marks what acquires a lock that is free.
	Acquires bool
}

// Found says that a number is in one of some ranges, which ascend, when the operation takes effect.
type Found struct {
	Tally  int32
	Ranges []Range
}

// Range is the numbers from Low to High.
type Range struct{ Low, High int64 }

// Added is what an operation adds to a number, or what it becomes if Sets is set: then the way adds
// nothing else to it.
type Added struct {
	Tally int32
	By    int64
	Sets  bool
}

// Fencing says which tokens operations returned. An acquisition of the free lock gets a greater
// token than all before, and while the lock is held its token stays.
type Fencing struct {
	Numbers []uint64 // by operation; 0: not known
	Init    uint64   // at the start; 0: none
}

// Except says that a number is not n.
func Except(tally int32, n int64) Found {
	f := Found{Tally: tally}
	if n > math.MinInt64 {
		f.Ranges = append(f.Ranges, Range{math.MinInt64, n - 1})
	}
	if n < math.MaxInt64 {
		f.Ranges = append(f.Ranges, Range{n + 1, math.MaxInt64})
	}
	return f
}

// Exactly, AtLeast and AtMost say what a number is when an operation takes effect.
func Exactly(tally int32, n int64) Found { return Between(tally, n, n) }

// AtLeast says that a number is n or more.
func AtLeast(tally int32, n int64) Found { return Between(tally, n, math.MaxInt64) }

// AtMost says that a number is n or less.
func AtMost(tally int32, n int64) Found { return Between(tally, math.MinInt64, n) }

// Between says that a number is in one range.
func Between(tally int32, low, high int64) Found { return Found{tally, []Range{{low, high}}} }

// Allows reports whether n is in one of the ranges.
func (f *Found) Allows(n int64) bool {
	for _, r := range f.Ranges {
		if r.Low <= n && n <= r.High {
			return true
		}
	}
	return false
}

package schedule

import (
	"fmt"
	"math/bits"
)

// Main is the thread of the operations that run serially before and after the threads.
const Main = -1

// MaxThreads is how many threads an execution can have: sets of threads are bit masks.
const MaxThreads = 64

// Outcome is how an execution ended.
type Outcome uint8

// The outcomes. Stuck: every thread that has not ended is blocked (or the strategy picked a blocked
// one). CutOff: a bound on steps was reached. Panicked: a thread panicked, or called
// runtime.Goexit. TimedOut: the time of the Run ran out.
const (
	Completed Outcome = iota
	Stuck
	CutOff
	Panicked
	TimedOut
	Outcomes // how many there are
)

var outcomeNames = [...]string{"completed", "stuck", "cut off", "panicked", "timed out"}

func (o Outcome) String() string { return outcomeNames[o] }

// Strategy chooses the schedules. Run calls Begin before each execution, Pick at each scheduling
// point, Choose at each data choice, End after each execution. A Strategy serves one Run, which
// calls it from one goroutine at a time.
type Strategy interface {
	Public
	// Begin reports whether there is another execution to run.
	Begin() bool
	// Pick chooses the thread that makes the next access. With ok false the execution ends there
	// and is not visited. A live thread that is not enabled may be picked: its operation counts as
	// called, and the execution ends stuck.
	Pick(s *State) (thread int, ok bool)
	// Choose returns a number from 0 to n-1 for Memory.Choose. Choices of a program before its
	// threads run come before the first Pick.
	Choose(n int) int
	// End gets the execution that has just ended, pruned ones included.
	End(e *Finished)
}

// Placed is a Strategy that is told whenever a thread stops before an access. It may ask at which
// line of code, during the call, which takes longer than all the rest of an access.
type Placed interface {
	Stands(thread int, where func() (file string, line int))
}

// Public is what users see of a Strategy. Only types with Sealed implement it.
type Public interface{ sealed() }

// Sealed is embedded in the types of strategies.
type Sealed struct{}

func (Sealed) sealed() {}

// Full returns the whole of a strategy, nil for nil.
func Full(s Public) Strategy {
	full, _ := s.(Strategy)
	return full
}

// State is what a strategy sees at a scheduling point. It is valid during the call. Sets of threads
// are bit masks.
type State struct {
	Depth   int    // picks of this execution so far
	Enabled uint64 // threads to pick from: not blocked, not held back; never empty
	Held    uint64 // threads that could run but yielded, and wait until others ran
	Live    uint64 // threads that have not ended
	Own     uint64 // threads of the object's own: they perform no operations of the test
	Prev    int    // the thread that made the last access, -1 at the start
	// Prev is not inside an operation: it ended, or its next access is the first of an operation
	Boundary bool
	Accesses []Access // of this execution so far; Last is set where the operation has returned
	// by thread: the access it stands before; meaningful for live threads. First says that it calls
	// an operation
	Pending []Access
}

// Finished is an execution that ended, as a strategy sees it. It is valid during the call.
type Finished struct {
	Outcome  Outcome
	Pruned   bool     // Pick said so
	Abrupt   bool     // the bound on the steps of an execution ended it, wherever its threads stood
	Accesses []Access // one for each Pick that was followed, in order
	Live     uint64   // threads that had not ended
	Own      uint64   // threads of the object's own
	Pending  []Access // by thread: the access before which a live thread stands
	Blocked  uint64   // those of Live whose access could not happen
}

// Describe says what a strategy runs.
func Describe(s Public) string {
	if d, ok := s.(fmt.Stringer); ok {
		return d.String()
	}
	return fmt.Sprintf("%T", s)
}

// Lowest returns the lowest thread of a set.
func Lowest(set uint64) int { return bits.TrailingZeros64(set) }

// Has reports whether a thread is in a set; none is at -1.
func Has(set uint64, thread int) bool { return thread >= 0 && set>>uint(thread)&1 == 1 }

package pending

import (
	"github.com/linsat/linsat/internal/layout"
	"math"

	"github.com/linsat/linsat/internal/dual"
)

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes, or what is reported with it.

// DefaultPlan says how long the techniques of the search are at work (search/techniques.go). More
// plain search decides more partitions before anything is prepared. Longer turns pause less often,
// and let what decides wait longer; with four times the steps, histories took 0.6 to 1.25 times as
// many in all. Turns of the dual problem are longer, since its steps take a quarter of the time of
// the others. The searches of registers of many values may have more failed nodes: nothing else
// decides long ones.
var DefaultPlan = Plan{Plain: 300, PlainSteps: 1 << 12, Onward: 1 << 13, Targets: 1 << 13, Dual: 1 << 14,
	Updates: dual.MaxUpdates, Approximate: 1 << 22, FewValues: 1024, valueShare: 4}

// aheadOperations is how many operations the sums before a read are made of at most
// (sums_ahead.go), in all subsets. More prunes where more are open, and takes twice as long for
// each.
const aheadOperations = 12

// StepsPerReturn is about how many steps traversing the partition takes for each return.
const StepsPerReturn = 32

// From longCounted operations on, where states have a number, the search that uses pending
// operations again and again comes first (counted_reuse.go): fewer say more of where a violation
// is. It has countedReuse failed nodes for each return: more decides more there, less begins sooner
// with what may decide others. What it finds is repaired by maxInserted operations before another
// one at most: more takes longer where that does not help.
const (
	LongCounted  = 256
	countedReuse = 8
	maxInserted  = 2
)

// CaseSteps, and StepsPerReturn for each return, are granted to each case of a partition at first
// (search/cases.go): more reaches the right one later, less begins more rounds.
const CaseSteps = 1 << 12

// A readers-writer lock (readers_writer.go): how many configurations are kept after a return, at
// first and at most, and by what factor more if none passes; and what counts how much for keeping
// one, an operation that has taken effect or a pending one that was used. Of 10,000 operations of
// 64 processes with 1 % pending a refutation took 2,185, one of 256 processes found a linearization
// with 256. A set of open operations has rwWords words, for rwOpen of them: more takes more of
// them in, and every configuration is larger.
const (
	rwWords  = 4
	rwOpen   = 64 * rwWords
	rwWidth  = 1 << 8
	rwWidest = 1 << 16
	rwWider  = 1 << 8
	rwTaken  = 1
	rwUsed   = 2
)

// The search with few pending operations at each place (few.go): the ways in which it
// tries to pass a return; after how many steps it stops between two returns, where pending
// operations are tried; how many configurations an attempt may visit, the bytes that one is
// charged, and how many are forgotten one by one; the steps of the whole for each operation, and
// those in any case. More attempts, and more steps for each, find more linearizations, and delay
// what comes last. Of the late operations few are tried first: of 10,000 transfers with 5 %
// unknown, those of five seeds were found with the last 4 and stopped at 665 to 5,859 returns with
// the last 16. One old one among all comes last: of 10,000 transfers with 1 % unknown a seed
// stopped at 4,648 returns without.
var fewAttempts = []fewAttempt{
	{back: 8, ahead: 16, more: 0, last: 0, steps: 1 << 13},
	{back: 8, ahead: 16, more: 1, last: 4, steps: 1 << 13},
	{back: 8, ahead: 16, more: 2, last: 4, steps: 1 << 14},
	{back: 16, ahead: 16, more: 1, last: 16, steps: 1 << 15},
	{back: 16, ahead: 16, more: 2, last: 4, steps: 1 << 16},
	{back: 16, ahead: 6, more: 1, last: math.MaxInt32, steps: 1 << 17},
	{back: 16, ahead: 4, more: 3, last: 4, steps: 1 << 17},
	{back: 16, ahead: 6, more: 2, last: 16, steps: 1 << 17},
	{back: 32, ahead: 16, more: 6, last: 4, steps: 1 << 18},
	{back: 32, ahead: 16, more: 6, last: 16, steps: 1 << 18},
	{back: 64, ahead: 8, more: 2, last: 32, steps: 1 << 19},
	{back: 64, ahead: 4, more: 1, last: math.MaxInt32, steps: 1 << 19},
}

const (
	fewPatience = 1 << 12
	fewSeen     = 1 << 17
	fewBytes    = 32
	fewKept     = 1 << 8
	fewEach     = 1 << 10
	fewLeast    = 1 << 14
)

// The search with jumps (jumps.go): how many states pending operations may lead to for each
// of their classes, and in how many configurations a layer may be; the steps for each operation,
// and those in any case; the bytes that an operation and a state are charged; and of how many
// states on what a kind of operation leaves is found again for the next one. More refutes models
// with more states, and delays what comes last.
const (
	jumpStates         = 8
	jumpConfigurations = 1 << 16
	jumpEach           = 1 << 11
	jumpLeast          = 1 << 16
	jumpBytes          = 64
	jumpLeft           = 8
)

// Plan says how long the techniques of the search are at work.
type Plan struct {
	Plain, PlainSteps     int64 // failed nodes and steps of the first depth-first search
	Onward, Targets, Dual int64 // steps of a turn of each; 0 leaves it out
	Updates               int   // of multipliers
	Approximate           int64 // failed nodes in each of the searches for less and for more
	FewValues             int   // a register of more values has these searches,
	valueShare            int   // and so has one with more than a value for so many operations
}

// fewAttempt is a way to pass the return that stopped the search.
type fewAttempt struct {
	back, ahead layout.LayerID // the window begins so many returns before, and ends so many beyond
	more        int32          // so many pending operations more than the path has
	last        int32          // of so many classes, those with the latest calls
	steps       int64
}

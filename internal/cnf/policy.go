package cnf

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes and what stays unsupported.

// Limits of a formula. Beyond MaxClauses clauses, or MaxPairs pairs that get a literal each
// (concurrent operations; removals with the insertions that they may take), a question is
// unsupported. More decides larger questions and takes clauseBytes for each clause. Beyond maxLoops
// units of work a question is unsupported, too: work need not build clauses.
const (
	MaxClauses = 60_000_000
	MaxPairs   = 20_000_000
	maxLoops   = 4_000_000_000
)

// pollEvery is how many units of work pass between two looks at the clock and the budget, a few
// microseconds. More costs less and notices the end later.
const pollEvery = 1 << 13

// The memory accounted for a clause, and for a pair. Measured with gini, everything included, a
// clause takes 50 bytes from the system, 30 to 45 of them live. More gives up sooner under a memory
// limit, less may exceed it.
const (
	clauseBytes = 50
	pairBytes   = 20
)

// pairwise is the number of literals up to which AtMostOne excludes them pairwise, with clauses
// quadratic in their number. Beyond it, a ladder takes three clauses and one more variable for each
// literal.
const pairwise = 6

// overlapShare is which share of a piece before it may change with it: more of it repairs more
// without another attempt, and takes longer. After maxRepeats times its variables, repeated ones
// counted, a formula is solved as a whole: more repairs more, and is given up later.
const (
	overlapShare = 4
	maxRepeats   = 4
)

// maxSums bounds the partial sums of one number. More decides histories with more concurrent
// additions of different amounts, and takes a literal for each sum.
const maxSums = 1 << 20

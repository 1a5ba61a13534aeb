package cnf

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and what is left unsupported.

// What a formula may have. Beyond MaxClauses, or MaxPairs pairs that get a literal each (concurrent
// operations, removals with the insertions that they may take), a question is unsupported: more
// decides larger questions and takes clauseBytes for each clause. So it is beyond maxLoops units of
// work, which may build no clause.
const (
	MaxClauses = 60_000_000
	MaxPairs   = 20_000_000
	maxLoops   = 4_000_000_000
)

// pollEvery is how many units of work lie between two looks at the clock and the budget: more costs
// less and notices the end later. It is a few microseconds.
const pollEvery = 1 << 13

// What memory is counted for a clause, and for a pair. A clause was measured with gini, all
// included: 50 bytes from the system, 30 to 45 live. More gives up sooner under a memory limit,
// less may pass it.
const (
	clauseBytes = 50
	pairBytes   = 20
)

// pairwise is up to how many literals AtMostOne excludes them two by two: clauses with the square
// of their number, beyond it a ladder of three clauses and one more variable for each.
const pairwise = 6

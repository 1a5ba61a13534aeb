package clausal

// maxClauses and maxLiterals bound a formula, maxHints the work of checking a proof: more accepts
// proofs about longer histories, and lets one keep the verifier busy for longer, with 4 bytes for
// each literal, some 24 for each clause.
const (
	maxClauses  = 8_000_000
	maxLiterals = 32_000_000
	maxHints    = 100_000_000
)

// maxSteps bounds the loops that build a formula, whatever comes of them.
const maxSteps = 200_000_000

// pairwise is the number of literals up to which "at most one" takes a clause for each pair. More
// makes shorter proofs and larger formulas.
const pairwise = 6

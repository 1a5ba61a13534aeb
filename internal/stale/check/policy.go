package check

// few is up to where bounds of lateness are tried one by one: most histories are not far from
// linearizable (docs/decisions/policy.md).
const few = 4

const (
	// mostInClauses is of how many operations clauses are made, where a search gave up or some are
	// in a stated order: more decides more, in time and memory that grow with the third power.
	mostInClauses = 300
	// mostAttempts is how often a smaller core is looked for by clauses: more makes cores smaller.
	mostAttempts = 600
)

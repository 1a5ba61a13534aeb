package solve

// Constants that trade one thing for another (docs/decisions/policy.md).
const (
	// epochSteps bounds the steps of all epochs of an object: a few seconds.
	epochSteps = 3_000_000
	// searchSteps bounds those of the search of an object.
	searchSteps = 2_000_000
	// attemptSteps bounds those of one attempt to make a core of clusters smaller.
	attemptSteps = 20_000
	// coreSteps bounds those of making a core of other operations smaller: what is left is longer
	// to read, and to judge.
	coreSteps = 1_000_000
)

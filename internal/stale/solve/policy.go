package solve

// Constants that trade one thing for another (docs/decisions/policy.md).
const (
	// epochSteps bounds the steps of all epochs of an object: a few seconds.
	epochSteps = 3_000_000
	// searchSteps bounds those of the search of an object.
	searchSteps = 2_000_000
	// coreSteps bounds those of one attempt to make a core smaller.
	coreSteps = 20_000
)

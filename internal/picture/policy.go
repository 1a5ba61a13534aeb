package picture

// What is tuned, and what each number trades: more shows more, in larger pictures.

// States of a replay are shown up to stateLength runes; the middle of longer ones is left out.
const stateLength = 120

// States of a replayed order take up to stateBytes together, and later steps go without; a
// nondeterministic specification is followed through stateChoice states at once. More shows them
// for longer orders, and makes larger pages.
const (
	stateBytes  = 1 << 20
	stateChoice = 64
)

// Columns of drawings: widestLane of the name of a lane, and leastBand is what bars have at least.
const (
	widestLane = 16
	leastBand  = 24
)

// slit is up to how many left-out operations are shown after all: a fold takes more room than two.
const slit = 2

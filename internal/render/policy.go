package render

// What is tuned, and what each number trades. All of it is said in full by the JSON and the
// certificate, and mostly with --witness -1: more says more, in more lines and columns.

// Lists. maxParts parts of a history, maxSentences of an explanation, maxConfigurations of a
// frontier (fewConfigurations beside an explanation, which is more useful), and maxListed results
// or tried configurations.
const (
	maxParts          = 40
	maxSentences      = 20
	maxConfigurations = 8
	fewConfigurations = 3
	maxListed         = 6
)

// Texts, in runes: values and states in a line are shown up to shortText, states of a replay up to
// stateLength; the middle of longer ones is left out.
const (
	shortText   = 60
	stateLength = 120
)

// States of a replayed order take up to stateBytes together, and later steps go without; a
// nondeterministic specification is followed through stateChoice states at once. More shows them
// for longer orders, and makes larger pages.
const (
	stateBytes  = 1 << 20
	stateChoice = 64
)

// Columns of drawings. lineWidth is the width of the two sequences of a quasi-linearization,
// widestLane of the name of a lane, and leastBand what bars have at least.
const (
	lineWidth  = 110
	widestLane = 16
	leastBand  = 24
)

// slit is up to how many left-out operations are shown after all: a fold takes more room than two.
const slit = 2

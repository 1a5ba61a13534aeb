package words

// maxNamed bounds the transactions among which a cycle is looked for. More finds names of more
// anomalies, in time that grows with the square.
const maxNamed = 200

// maxElements is how many elements of a list are said, the last ones, and MaxSaid how many
// transactions, or operations, where nothing is said of each. More is more to read.
const (
	maxElements = 8
	MaxSaid     = 12
)

// maxArgued is how many clauses an argument has at most, and maxCases how many times it divides
// into cases. More is more to read.
const (
	maxArgued = 60
	maxCases  = 7
)

// maxOverwrites bounds the transactions that overwrite what one read shows, as far as a survey
// looks at them; surveyTries from how many edges in a row cycles of a class and length are looked
// for in vain, and surveyWork how many edges are followed in all. More finds more cycles, in more
// time.
const (
	maxOverwrites = 50
	surveyTries   = 20_000
	surveyWork    = 30_000_000
)

// surveyLengths is up to which lengths of cycles are looked for, one after the other.
var surveyLengths = []int{2, 3, 4, 8, maxNamed}

package words

// maxNamed bounds the transactions among which a cycle is looked for. More finds names of more
// anomalies, in time that grows with the square.
const maxNamed = 200

// maxElements is how many elements of a list are said, the last ones, and maxSaid how many
// transactions where nothing is said of each. More is more to read.
const (
	maxElements = 8
	maxSaid     = 12
)

package words

// Constants that trade one thing for another (docs/decisions/policy.md).
const (
	mostNamed = 8  // operations in a sentence
	mostRows  = 12 // of a histogram
	barWidth  = 20 // characters of the longest bar
)

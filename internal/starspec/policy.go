package starspec

// The bounds of one call of a specification's function, and of its file when it is loaded: more
// lets longer computations end, and one that does not end is found out later.
const (
	maxSteps = 10_000_000 // of the interpreter, about a second
	maxDepth = 64         // of a value: lists in lists
)

// What is looked at in the text of a step for one operation: so many ways through it, of so many
// expressions together. More finds out what longer steps touch, and takes longer for each of them.
const (
	maxWays   = 64
	maxLooked = 20_000
)

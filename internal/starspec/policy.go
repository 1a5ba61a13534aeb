package starspec

// The bounds of one call of a specification's function, and of its file when it is loaded: more
// lets longer computations end, and one that does not end is found out later.
const (
	maxSteps = 10_000_000 // of the interpreter, about a second
	maxDepth = 64         // of a value: lists in lists
)

package starspec

// The bounds of one call of a specification's function, and of its file when it is loaded: more
// lets longer computations end, and one that does not end is found out later.
const (
	maxSteps = 10_000_000 // of the interpreter, about a second
	maxDepth = 64         // of a value: lists in lists
)

// memoised is how many answers of step are kept, over all partitions: more saves calls of the
// interpreter where partitions repeat each other, and takes memory.
const memoised = 1 << 18

// What is looked at for the samples of a test: more finds more, in time with their product.
const (
	sampledStates  = 200
	sampledResults = 4
)

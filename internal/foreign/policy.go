package foreign

// memoised is how many answers are kept, over all partitions: more saves calls of the other
// language where partitions repeat each other, and takes memory.
const memoised = 1 << 18

// What is looked at for the samples of a test: more finds more, in time with their product.
const (
	sampledStates  = 200
	sampledResults = 4
)

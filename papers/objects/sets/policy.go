package sets

const (
	// firstBuckets is the number of lists, or buckets, of a new hash table; keysInBucket, how many
	// keys there are for each before it grows. They are so small that small tests reach a resize.
	firstBuckets = 2
	keysInBucket = 2
	// mostBuckets is how far a split-ordered set grows.
	mostBuckets = 16
	// levels is the height of skip lists: enough for the two dozen keys of the recordings.
	levels = 3
)

package verify

// most is how many elements of a list an error shows, the last ones. More is said of longer lists,
// in longer errors.
const most = 6

// lineWords is how many words of 64 transactions are looked at in one pass over a commit order.
// More makes fewer passes with more memory: 64 bytes for each transaction, a line of a cache.
const (
	lineWords = 8
	lineBits  = 64 * lineWords
)

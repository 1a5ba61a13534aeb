package transition

// What is tuned, and what each number trades: memory for calls of the specification.

// Dense rows. All of them together have at most denseCells codes of 4 bytes: more answers more
// states at once, and takes up to 16 MB. Up to sparseCells they are made as states come, beyond
// only where one cell of denseShare is known: a smaller share makes rows that stay empty. The first
// rows have room for firstCells: more copies less as they grow, and takes more for a small part.
const (
	firstCells  = 1 << 8
	denseCells  = 1 << 22
	sparseCells = 1 << 15
	denseShare  = 8
)

// The cache of later states starts with minCached cells of 16 bytes and grows up to maxCached: more
// forgets less, and misses the processor's cache more often.
const (
	minCached = 1 << 10
	maxCached = 1 << 20
)

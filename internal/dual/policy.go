package dual

// What is tuned, and what each number trades. None of them can change a verdict; where a limit is
// reached there is no bound, and the search goes on without.

// MaxUpdates is how often the multipliers are changed: more decides more partitions and takes
// longer where neither a refutation nor a linearization is there. Refutations took 3 to 30 updates,
// linearizations one or two, some matchings 178 (docs/decisions/search.md).
const MaxUpdates = 400

// maxNodes bounds the nodes of the relaxation, of some 30 bytes and their edges: more decides
// longer partitions with more open operations, and takes more memory.
const maxNodes = 1 << 22

// Spaces. maxStates is how many states of the specification are listed: the tables of distances
// take its square. Listing takes at most maxOutcomes outcomes (states × kinds) and maxOutcomesEach
// more for each operation: more has a space for more partitions; listing should not take longer
// than a search.
const (
	maxStates       = 1024
	maxOutcomes     = 1 << 16
	maxOutcomesEach = 64
)

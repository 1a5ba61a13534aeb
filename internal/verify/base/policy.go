package base

// MaxNodes is how many pairs of a set of operations and a state the verifier visits at most: more
// accepts larger exhaustions, and lets one keep it busy for longer.
const MaxNodes = 200_000

// blockOfPlaces is how many numbers of operations the verifiers of pairings get room for at once:
// fewer calls of the allocator, and that much that may be left over.
const blockOfPlaces = 1 << 10

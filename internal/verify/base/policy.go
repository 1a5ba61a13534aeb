package base

// MaxNodes is how many pairs of a set of operations and a state the verifier visits at most: more
// accepts larger exhaustions, and lets one keep it busy for longer.
const MaxNodes = 200_000

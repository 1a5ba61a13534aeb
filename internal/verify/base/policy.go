package base

import "github.com/linsat/linsat/internal/model"

// MaxNodes is how many pairs of a set of operations and a state the verifier visits at most: more
// accepts larger exhaustions, and lets one keep it busy for longer.
const MaxNodes = 200_000

// NodesOf is MaxNodes, or two for each operation of a long partition.
func NodesOf(p *model.Partition) int { return max(MaxNodes, 2*p.Len()) }

// blockOfPlaces is how many numbers of operations the verifiers of pairings get room for at once:
// fewer calls of the allocator, and that much that may be left over.
const blockOfPlaces = 1 << 10

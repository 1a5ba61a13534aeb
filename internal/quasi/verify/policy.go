package verify

// What is tuned, and what each number trades. Beyond a limit a proof is refused as too large to be
// checked, never accepted.

// maxRelaxed bounds the operations, drains included, of a partition that is tried again under a
// factor; maxOptional bounds the pending ones among them, each of which doubles the sets to try.
const (
	maxRelaxed  = 512
	maxOptional = 24
)

// maxSpread bounds the ways that are tried to share drains among objects where removals of unknown
// results leave it open. More accepts more witnesses of many objects in one partition.
const maxSpread = 1 << 10

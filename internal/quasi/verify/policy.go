package verify

// What is tuned, and what each number trades. Beyond a limit a proof is refused as too large to be
// checked, never believed.

// searchNodes bounds what checking one exhausted search may cost: more accepts proofs of longer
// searches, and lets one keep the verifier busy for longer.
const searchNodes = 1 << 21

// maxRelaxed bounds the operations, drains among them, of a partition that is tried under a factor,
// and maxOptional those of them that are pending: each pending one doubles the sets to try.
const (
	maxRelaxed  = 512
	maxOptional = 24
)

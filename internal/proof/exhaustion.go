package proof

// Exhaustion proves that a partition is a violation by trying all orders of what a weakening leaves
// of it; under a quasi factor all pairs ρ′ and ρ″. The verifier tries them again.
type Exhaustion struct {
	Weakening *Weakening
	// Cases is how many pairs of a set of operations and a state that took, or, where pending
	// operations are not told apart, how many returns. The verifier stops after as many pairs.
	Cases int
}

package proof

// Saturation proves that a stack is a violation by listing everything that can be on top after any
// set of operations, whatever lies below. Whoever verifies it lists it again.
type Saturation struct {
	Weakening *Weakening
	// Cases is how many pairs of a place on the stack and a set of operations that took. The
	// verifier stops after as many.
	Cases int
}

package proof

// Pairing proves that a queue is a violation by trying all ways to pair its insertions with its
// removals: the i-th value that leaves is the i-th that was inserted. The verifier tries them
// again.
type Pairing struct {
	Weakening *Weakening
	// Cases is how many pairs of a set of insertions and a set of operations at the front that
	// took. The verifier stops after as many.
	Cases int
}

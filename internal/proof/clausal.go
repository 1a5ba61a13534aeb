package proof

// Clausal proves that a partition is a violation by clauses. The verifier builds a formula from the
// history that can be satisfied if the partition can be explained, and checks that the lemmas
// refute it.
type Clausal struct {
	// Clauses is the number of clauses of the formula, which the lemmas are numbered after.
	Clauses int
	Lemmas  []Lemma
}

// Lemma is a line of an LRAT proof: a clause that follows by unit propagation from the clauses that
// the hints name, one after the other. Clauses are numbered from 1: those of the formula, then the
// lemmas. Literals are those of DIMACS.
type Lemma struct{ Clause, Hints []int32 }

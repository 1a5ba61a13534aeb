package verify

import "github.com/linsat/linsat/internal/isolation"

// Literal is a literal of a clause of a refutation. Without Not it says that event A comes before
// event B (Before), that the read at Place is from A (From), that A takes effect (Effect), or that
// B elements stand in the list Place.Txn before what A appends (Placed).
type Literal struct {
	Before, From, Effect, Placed bool
	Place                        isolation.Place
	A, B                         int32
	Not                          bool
}

// Literals returns the literals of the clauses of a refutation, without those that are false.
func Literals(h *isolation.History, l isolation.Level, r *isolation.Refutation) ([][]Literal, error) {
	c := &clauses{level: l}
	var err error
	if c.index, err = newIndex(h, r.Clauses); err != nil {
		return nil, err
	}
	all := make([][]Literal, len(r.Clauses))
	for k := range r.Clauses {
		lits, err := c.literals(&r.Clauses[k])
		if err != nil {
			return nil, err
		}
		for _, l := range lits {
			if l != always.negated() {
				all[k] = append(all[k], Literal{Before: l.what == isBefore, From: l.what == isFrom,
					Effect: l.what == isEffect, Placed: l.what == isPlaced, Place: l.p, A: l.a, B: l.b, Not: l.not})
			}
		}
	}
	return all, nil
}

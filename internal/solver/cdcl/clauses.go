package cdcl

// Formulas that are lists of clauses, and refutations that need all of one.

import (
	"context"

	"github.com/linsat/linsat/internal/proof"
)

// Clauses is a list of clauses over variables 1..Last.
type Clauses struct {
	Last int
	List [][]int32
}

// Vars, Len and Clause implement Formula.
func (f *Clauses) Vars() int            { return f.Last }
func (f *Clauses) Len() int             { return len(f.List) }
func (f *Clauses) Clause(k int) []int32 { return f.List[k] }

// Uses returns a refutation and the clauses that it uses, ascending; ok is false if there is none
// in time.
func (f *Clauses) Uses(ctx context.Context) (lemmas []proof.Lemma, uses []int, ok bool) {
	status, lemmas, _ := Refute(ctx, f)
	if status != Refuted {
		return nil, nil, false
	}
	used := make([]bool, len(f.List))
	for k := range lemmas {
		for _, h := range lemmas[k].Hints {
			if int(h) <= len(used) {
				used[h-1] = true
			}
		}
	}
	for k := range used {
		if used[k] {
			uses = append(uses, k)
		}
	}
	return lemmas, uses, true
}

// Minimal refutes the clauses, and then those that this used, until it uses all. It returns which
// are left, and the lemmas, whose variables are numbered as they come in these clauses; ok is false
// if there is no refutation in time.
func (f *Clauses) Minimal(ctx context.Context) (lemmas []proof.Lemma, left []int, ok bool) {
	left = make([]int, len(f.List))
	for k := range left {
		left[k] = k
	}
	for now := (&Clauses{f.Last, f.List}); ; {
		lemmas, uses, ok := now.Uses(ctx)
		if !ok {
			return nil, nil, false
		}
		if len(uses) == len(now.List) {
			return now.numbered(lemmas), left, true
		}
		rest := make([][]int32, len(uses))
		for k, n := range uses {
			rest[k], left[k] = now.List[n], left[n]
		}
		now.List, left = rest, left[:len(uses)]
	}
}

// numbered numbers the variables of lemmas as they come in the clauses.
func (f *Clauses) numbered(lemmas []proof.Lemma) []proof.Lemma {
	number := map[int32]int32{}
	for _, lits := range f.List {
		for _, l := range lits {
			if v := max(l, -l); number[v] == 0 {
				number[v] = int32(len(number)/2 + 1)
				number[-v] = -number[v]
			}
		}
	}
	for _, lemma := range lemmas {
		for k, l := range lemma.Clause {
			lemma.Clause[k] = number[l]
		}
	}
	return lemmas
}

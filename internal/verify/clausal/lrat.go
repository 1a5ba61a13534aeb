package clausal

// LRAT: lemmas that follow by unit propagation along hints.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/linsat/linsat/internal/proof"
)

// Check checks that the lemmas refute the formula. Clauses are numbered from 1, those of the
// formula first. Each lemma must follow so: suppose that all its literals are false; then every
// hint but the last has exactly one literal that is not false, which therefore holds, and the last
// hint has none. The last lemma is empty.
func (f *Formula) Check(ctx context.Context, lemmas []proof.Lemma) error {
	switch {
	case !f.Step(0):
		return ErrTooLarge
	case len(lemmas) == 0 || len(lemmas[len(lemmas)-1].Clause) > 0:
		return fmt.Errorf("lemma %d: the last one must be the empty clause", len(lemmas))
	}
	work := 0
	value := make([]int8, f.vars+1) // of variables: 1 true, -1 false
	var set []Lit
	for k := range lemmas {
		if k&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, v := range set {
			value[v] = 0
		}
		set = set[:0]
		// assume makes l true; false if it is false already.
		assume := func(l Lit) bool {
			v, sign := l, int8(1)
			if l < 0 {
				v, sign = -l, -1
			}
			if value[v] == 0 {
				value[v] = sign
				set = append(set, v)
			}
			return value[v] == sign
		}
		for _, l := range lemmas[k].Clause {
			if l == 0 || l > f.vars || l < -f.vars {
				return fmt.Errorf("lemma %d: there is no variable %d, only %d", k+1, l, f.vars)
			}
			if !assume(-l) {
				return fmt.Errorf("lemma %d: it holds literal %d and its negation", k+1, l)
			}
		}
		refuted := false
		for j, hint := range lemmas[k].Hints {
			if refuted {
				return fmt.Errorf("lemma %d: hint %d comes after a contradiction", k+1, hint)
			}
			var clause []Lit
			switch n := int(hint); {
			case n < 1 || n > f.Len()+k:
				return fmt.Errorf("lemma %d: hint %d is no clause before it", k+1, hint)
			case n <= f.Len():
				clause = f.Clause(n - 1)
			default:
				clause = lemmas[n-1-f.Len()].Clause
			}
			if work += len(clause) + 1; work > maxHints {
				return ErrTooLarge
			}
			unit := Lit(0)
			for _, l := range clause {
				if l > 0 && value[l] < 0 || l < 0 && value[-l] > 0 || l == unit {
					continue
				}
				if unit != 0 {
					return fmt.Errorf("lemma %d: hint %d, clause %d, is not unit", k+1, j+1, hint)
				}
				unit = l
			}
			if unit == 0 {
				refuted = true
			} else {
				assume(unit)
			}
		}
		if !refuted {
			return fmt.Errorf("lemma %d: it does not follow from its %d hints", k+1, len(lemmas[k].Hints))
		}
	}
	return nil
}

// WriteLRAT writes lemmas about a formula of so many clauses in the format LRAT.
func WriteLRAT(w io.Writer, clauses int, lemmas []proof.Lemma) error {
	b := bufio.NewWriter(w)
	for k := range lemmas {
		b.WriteString(strconv.Itoa(clauses+k+1) + " ")
		for _, l := range lemmas[k].Clause {
			b.WriteString(strconv.Itoa(int(l)) + " ")
		}
		b.WriteString("0 ")
		writeClause(b, lemmas[k].Hints)
	}
	return b.Flush()
}

// WriteDRAT writes lemmas in the format DRAT: without hints.
func WriteDRAT(w io.Writer, lemmas []proof.Lemma) error {
	b := bufio.NewWriter(w)
	for k := range lemmas {
		writeClause(b, lemmas[k].Clause)
	}
	return b.Flush()
}

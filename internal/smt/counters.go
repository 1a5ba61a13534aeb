package smt

import (
	"math/big"
	"strings"

	"github.com/linsat/linsat/internal/model"
)

// counters adds what is observed: the sum of what was added before.
func (q *question) counters(t *model.CountingTheory) {
	q.logic = "QF_LIA"
	for i, observes := range t.Observes {
		if !observes {
			continue
		}
		terms := []string{number(big.NewInt(t.Init[t.Object[i]]))}
		for j, d := range t.Delta {
			if j == i || d == 0 || t.Object[j] != t.Object[i] {
				continue
			}
			by := number(big.NewInt(d))
			switch before := and(q.in[j], q.open(j, i)); before {
			case no:
			case yes:
				terms = append(terms, by)
			default:
				terms = append(terms, "(ite "+before+" "+by+" 0)")
			}
		}
		sum := terms[0]
		if len(terms) > 1 {
			sum = "(+ " + strings.Join(terms, " ") + ")"
		}
		q.imply([]string{q.in[i]}, "(= "+sum+" "+number(big.NewInt(t.Observed[i]))+")")
		if !q.room() {
			return
		}
	}
}

// number writes an integer.
func number(x *big.Int) string {
	if x.Sign() < 0 {
		return "(- " + new(big.Int).Neg(x).String() + ")"
	}
	return x.String()
}

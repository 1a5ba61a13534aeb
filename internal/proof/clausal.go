package proof

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindClausal is the kind of *Clausal.
const KindClausal Kind = "clausal"

// Clausal proves that a partition is a violation by clauses. The verifier builds a formula from the
// history that can be satisfied if the partition can be explained, and checks that the lemmas
// refute it. With a weakening, the formula is about what that leaves (under a factor only).
type Clausal struct {
	about
	Weakening *Weakening `json:"weakening" none:"nil"`
	// Clauses is the number of clauses of the formula, which the lemmas are numbered after.
	Clauses int     `json:"clauses" min:"1"`
	Lemmas  []Lemma `json:"lemmas" min:"1"`
}

// Lemma is a line of an LRAT proof: a clause that follows by unit propagation from the clauses that
// the hints name, one after the other. Clauses are numbered from 1: those of the formula, then the
// lemmas. Literals are those of DIMACS.
type Lemma struct{ Clause, Hints []int32 }

// MarshalText writes a line as in LRAT, without its number: "1 -2 0 7 9" has the literals 1 and -2
// and the hints 7 and 9.
func (l Lemma) MarshalText() ([]byte, error) {
	var line []byte
	for _, n := range l.Clause {
		line = append(strconv.AppendInt(line, int64(n), 10), ' ')
	}
	line = append(line, '0')
	for _, n := range l.Hints {
		line = strconv.AppendInt(append(line, ' '), int64(n), 10)
	}
	return line, nil
}

// UnmarshalText reads what MarshalText writes.
func (l *Lemma) UnmarshalText(line []byte) error {
	into := &l.Clause
	for word := range strings.SplitSeq(string(line), " ") {
		n, err := strconv.ParseInt(word, 10, 32)
		switch {
		case err != nil:
			return fmt.Errorf("lemma %q: %q is not a number", line, word)
		case n <= 0 && into == &l.Hints:
			return fmt.Errorf("lemma %q: hint %d is no clause", line, n)
		case n == 0:
			into = &l.Hints
		default:
			*into = append(*into, int32(n))
		}
	}
	return nil
}

// Kind implements Proof.
func (*Clausal) Kind() Kind { return KindClausal }

// Refutes implements Proof.
func (c *Clausal) Refutes() *Weakening {
	if c.Weakening == nil {
		return Everything()
	}
	return c.Weakening
}

// Operations implements Proof: those of which a weakening retains something. Without one, the
// formula is about all, and none is named.
func (c *Clausal) Operations(*model.Instance) (left []history.OpID) {
	if c.Weakening != nil {
		for i, kept := range c.Weakening.Retain {
			if kept != RetainNothing {
				left = append(left, history.OpID(i))
			}
		}
	}
	return left
}

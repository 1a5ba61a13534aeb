package clausal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
)

// Lit is a literal as in DIMACS: a variable from 1 on, negative if negated. True and False are
// constants, which no clause of a formula holds.
type Lit = int32

const (
	True  Lit = math.MaxInt32
	False     = -True
)

// Ops are the operations that an instance of an axiom is about, by position in the partition;
// unused places are -1.
type Ops [3]history.OpID

// By returns at most three operations.
func By(ops ...history.OpID) Ops {
	r := Ops{-1, -1, -1}
	copy(r[:], ops)
	return r
}

// Axiom is the name of what a clause states.
type Axiom string

// The axioms of orders and numbers.
const (
	transitive Axiom = "the order has no circle"
	explicit   Axiom = "explicit order"
	counted    Axiom = "a number has one value"
)

// ErrTooLarge is the error of a formula beyond the limits.
var ErrTooLarge = errors.New("the formula is too large to be checked")

// Formula is a conjunction of clauses.
type Formula struct {
	vars    Lit
	lits    []Lit
	clauses []clause
	axioms  []Axiom
	names   []history.OpID // the operations that clauses are about; nil for all
	steps   int64
}

// clause is where a clause ends in the literals, which begin where the one before ends, and what it
// states.
type clause struct {
	end   int32
	axiom int32 // in Formula.axioms
	ops   Ops
}

// NewFormula returns a formula without clauses.
func NewFormula() *Formula { return &Formula{} }

// Vars is the number of variables.
func (f *Formula) Vars() int { return int(f.vars) }

// Len is the number of clauses.
func (f *Formula) Len() int { return len(f.clauses) }

// Clause returns clause k, from 0. It must not be changed.
func (f *Formula) Clause(k int) []Lit {
	from := int32(0)
	if k > 0 {
		from = f.clauses[k-1].end
	}
	return f.lits[from:f.clauses[k].end]
}

// States returns the axiom that clause k states, and of which operations.
func (f *Formula) States(k int) (Axiom, Ops) {
	ops := f.clauses[k].ops
	for j, op := range ops {
		if op >= 0 && f.names != nil {
			ops[j] = f.names[op]
		}
	}
	return f.axioms[f.clauses[k].axiom], ops
}

// Fresh returns the first of n new variables.
func (f *Formula) Fresh(n int32) Lit {
	v := f.vars + 1
	f.vars += n
	return v
}

// Step counts work and reports whether the formula is within the limits.
func (f *Formula) Step(n int) bool {
	f.steps += int64(n)
	return f.steps <= maxSteps && len(f.clauses) <= maxClauses && len(f.lits) <= maxLiterals && f.vars < maxLiterals
}

// Add adds the clause that at least one of the literals holds, unless one is True. Where all are
// False, it adds a variable and its negation: not every checker takes empty clauses.
func (f *Formula) Add(why Axiom, of Ops, lits ...Lit) {
	start := len(f.lits)
	for _, l := range lits {
		switch l {
		case True:
			f.lits = f.lits[:start]
			return
		case False:
		default:
			f.lits = append(f.lits, l)
		}
	}
	if len(f.lits) == start {
		v := f.Fresh(1)
		f.Add(why, of, v)
		start = len(f.lits)
		f.lits = append(f.lits, -v)
	}
	if !f.Step(1) {
		f.lits = f.lits[:start]
		return
	}
	f.clauses = append(f.clauses, clause{int32(len(f.lits)), f.axiom(why), of})
}

// axiom returns the number of an axiom, of which there are few.
func (f *Formula) axiom(why Axiom) int32 {
	k := slices.Index(f.axioms, why)
	if k < 0 {
		k = len(f.axioms)
		f.axioms = append(f.axioms, why)
	}
	return int32(k)
}

// And returns a literal that holds exactly if both do.
func (f *Formula) And(x, y Lit) Lit {
	switch {
	case x == False || y == False:
		return False
	case x == True:
		return y
	case y == True:
		return x
	}
	l := f.Fresh(1)
	f.Add(counted, By(), -l, x)
	f.Add(counted, By(), -l, y)
	f.Add(counted, By(), l, -x, -y)
	return l
}

// AtMostOne adds that no two of the literals hold.
func (f *Formula) AtMostOne(why Axiom, of Ops, lits []Lit) {
	if len(lits) <= pairwise {
		for i, x := range lits {
			for _, y := range lits[:i] {
				f.Add(why, of, -x, -y)
			}
		}
		return
	}
	before := False // one of the literals so far holds
	for i, x := range lits {
		f.Add(why, of, -before, -x)
		if i < len(lits)-1 {
			next := f.Fresh(1)
			f.Add(why, of, -before, next)
			f.Add(why, of, -x, next)
			before = next
		}
	}
}

// WriteDIMACS writes the formula. Comments name the axiom that each clause states and the
// operations that it is about.
func (f *Formula) WriteDIMACS(w io.Writer, name func(history.OpID) string) error {
	b := bufio.NewWriter(w)
	for k := range f.Len() {
		why, ops := f.States(k)
		fmt.Fprintf(b, "c %d %s", k+1, why)
		for _, op := range ops {
			if op >= 0 {
				fmt.Fprintf(b, " #%s", name(op))
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "p cnf %d %d\n", f.vars, f.Len())
	for k := range f.Len() {
		writeClause(b, f.Clause(k))
	}
	return b.Flush()
}

// writeClause writes literals and the 0 that ends them.
func writeClause(b *bufio.Writer, lits []Lit) {
	for _, l := range lits {
		b.WriteString(strconv.Itoa(int(l)))
		b.WriteByte(' ')
	}
	b.WriteString("0\n")
}

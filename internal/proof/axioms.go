package proof

// Axioms: what must hold in every linearization of a window of a history, as clauses over a few
// kinds of literals.
//
// What: an instance of an axiom is a clause, determined by its name and its arguments. The rest
// (which operations could have written a value, what a removal can have taken) is read off the
// window, so an instance does not depend on the proof that uses it. A proof that a window has no
// linearization is a tree of such instances, closed by unit propagation (proof.Node); the verifier
// rebuilds every instance here.
//
// The literals describe one linearization: a<b is a total order of all operations of the window,
// including those that do not take effect (the order of the history allows that). in(p) says that p
// takes effect in the window, mode(p,k) that it has its k-th mode, src(r,w) that w left what r
// found. Literals that are certain anyway (in(p) of a completed operation) are folded: they occur
// in no clause.
//
// Most axioms are clauses of two to four literals. INV, HALL, COUNT and SUM are families: they are
// given literals, and state that these cannot all be true. Each is checked against all legal
// sequences up to length 6 (axioms_law_test.go).

import (
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Axiom is the name of an axiom.
type Axiom string

// The axioms of all theories. Arguments are operations of the window.
const (
	RT Axiom = "RT" // (a,b) a returned before b was called: a<b
	// (a,b) the history gives a before b: a<b, if a takes effect, and b if it has a return
	EDGE   Axiom = "EDGE"
	TR     Axiom = "TR"     // (a,b,c) a<b and b<c: a<c
	EITHER Axiom = "EITHER" // (a,b) a<b or b<a; (p) in(p) or not
)

// The axioms of registers. r finds a value in its mode j, x leaves one in its mode k.
const (
	// (p) one that takes effect has some mode; (p,k) and only then; (p,j,k) not both
	MODE Axiom = "MODE"
	SRC  Axiom = "SRC" // (r,j) an operation left what r found. Collections: (r)
	SB   Axiom = "SB"  // (r,w) what r found was left before r. Collections: the same
	// (r,j,w) by one that took effect, in a mode that leaves a fitting value. Collections: (r,w)
	SI Axiom = "SI"
	BT Axiom = "BT" // (r,j,w,x,k) x puts no other value between w and r
	PP Axiom = "PP" // (r,j,q,k) there is only one unknown value at the start
	// (a,b) given what may happen between a (or INIT) and b, b cannot find what it needs
	INV Axiom = "INV"
	// (a1,b1,…,ak,bk) the value must become v between each a and its b: k operations must do that
	HALL  Axiom = "HALL"
	COUNT Axiom = "COUNT"
	// COUNT of registers: (from,to,t1,…,tm) change the value from v m times after from (or INIT,
	// PAST), up to to (or NONE): it must have become v as often. Of collections: (to,r1,…,rm)
	// remove the same value.
)

// The axioms of collections: i and j are insertions or initial items, r and q removals, z found
// nothing.
const (
	// (r,i,j) a removal takes one item; (r,q,i) an item is taken once: distinguished by their kinds
	ONE Axiom = "ONE"
	PK  Axiom = "PK" // (p,r,i) what p saw had not been taken out
	QF  Axiom = "QF" // (i,r,j,q) first in, first out: i<j, and q takes or sees j: r<q
	QN  Axiom = "QN" // (i,j,q) and if i<j, i is taken at all
	SL  Axiom = "SL" // (i,r,j,q) last in, first out: i<j<r where r takes or sees i: q<r
	SN  Axiom = "SN" // (i,r,j) and j is taken at all
	PF  Axiom = "PF" // (i,r,j,q) j is better than i and j<r: q<r
	PN  Axiom = "PN" // (i,r,j) and j is taken at all
	Z   Axiom = "Z"  // (z,i,r) i<z: r<z
	ZN  Axiom = "ZN" // (z,i) i<z: i is taken at all
)

// SUM is the axiom of counters: (q,r) given what lies between q (or INIT) and r, the observations
// of both do not fit.
const SUM Axiom = "SUM"

// Names for what is not an operation.
const (
	Initial history.OpID = -1 // the state at the start of the partition
	Before  history.OpID = -2 // the state when the window starts
	NoOp    history.OpID = -3 // nothing: a removal that found nothing; no limit
)

// Item is the k-th initial item, over all collections.
func Item(k int) history.OpID { return -10 - history.OpID(k) }

// certainty is what is known of a literal without any argument.
type certainty int8

const (
	open certainty = iota
	certain
	impossible
)

// fold returns a literal in the form that clauses use, or that it is certain or impossible.
func (w *Window) fold(l Literal) (Literal, certainty) {
	c := open
	switch l.Kind {
	case OrderKind:
		c = w.foldOrder(l)
		if c == impossible || c == certain {
			return l, c // the ends are kept in l.Not
		}
		return l, open
	case InKind:
		if l.A < 0 || !w.Optional[l.A] {
			c = certain
		}
	case ModeKind:
		if t, ok := w.Theory.(*model.RegisterTheory); ok && len(t.Of(l.A)) == 1 {
			l.Kind, l.B = InKind, 0
			if !w.Optional[l.A] {
				c = certain
			}
		}
	case SourceKind:
		if t, ok := w.Theory.(*model.CollectionTheory); ok {
			c = w.foldTaken(t, l.A, l.B)
		}
	}
	if l.Not && c != open {
		c = certain + impossible - c
	}
	return l, c
}

// foldOrder decides the order between items and everything else.
func (w *Window) foldOrder(l Literal) certainty {
	a, b := l.Ends()
	switch {
	case a >= 0 && b >= 0:
		return open
	case a < 0 && b < 0 && a > b: // items are numbered downwards
		return certain
	case a < 0 && b < 0:
		return impossible
	case a < 0:
		return certain
	}
	return impossible
}

// clause collects the literals of an instance.
type clause struct {
	w         *Window
	literals  []Literal
	tautology bool
}

func (c *clause) or(literals ...Literal) {
	for _, l := range literals {
		switch l, known := c.w.fold(l); {
		case known == certain:
			c.tautology = true
		case known == impossible || slices.Contains(c.literals, l):
		case slices.Contains(c.literals, l.Negated()):
			c.tautology = true
		default:
			c.literals = append(c.literals, l)
		}
	}
}

func (c *clause) unless(literals ...Literal) {
	for _, l := range literals {
		c.or(l.Negated())
	}
}

// ErrSaysNothing is the error of an instance that is always true.
var ErrSaysNothing = errors.New("the instance is always true, so it proves nothing")

func (c *clause) result() ([]Literal, error) {
	if c.tautology {
		return nil, ErrSaysNothing
	}
	return c.literals, nil
}

// Instance returns the clause that an axiom states for these arguments. Families take given
// literals, other axioms none. The clause is true in every linearization of the window; it is empty
// if there can be none. If the axiom does not apply, it returns an error.
func (w *Window) Instance(axiom Axiom, args []history.OpID, given []Literal) ([]Literal, error) {
	w.prepare()
	if len(given) > 0 && axiom != INV && axiom != HALL && axiom != COUNT && axiom != SUM {
		return nil, fmt.Errorf("%s takes no given literals", axiom)
	}
	switch axiom {
	case RT, EDGE, TR, EITHER:
		return w.general(axiom, args)
	}
	switch t := w.Theory.(type) {
	case *model.RegisterTheory:
		return w.cells(t, axiom, args, given)
	case *model.CollectionTheory:
		return w.collection(t, axiom, args, given)
	case *model.CountingTheory:
		if axiom == SUM {
			return w.sum(t, args, given)
		}
	}
	return nil, fmt.Errorf("the theory has no axiom %s", axiom)
}

// operations checks that there are n arguments, all operations of the window.
func (w *Window) operations(args []history.OpID, n int) error {
	if len(args) != n {
		return fmt.Errorf("it has %d arguments, not %d", len(args), n)
	}
	for _, a := range args {
		if !w.is(a) {
			return fmt.Errorf("%s is not an operation of the window", OperationName(a))
		}
	}
	return nil
}

func (w *Window) general(axiom Axiom, args []history.OpID) ([]Literal, error) {
	n := 2
	switch {
	case axiom == TR:
		n = 3
	case axiom == EITHER && len(args) == 1:
		n = 1
	}
	if err := w.operations(args, n); err != nil {
		return nil, err
	}
	c := clause{w: w}
	switch {
	case n == 1:
		if !w.Optional[args[0]] {
			return nil, ErrSaysNothing
		}
		return []Literal{TakesEffect(args[0]), TakesEffect(args[0]).Negated()}, nil
	case args[0] == args[1] || n == 3 && (args[1] == args[2] || args[0] == args[2]):
		return nil, errors.New("the operations are not distinct")
	case axiom == RT && !w.Precedes(args[0], args[1]):
		return nil, errors.New("real time does not order them so")
	case axiom == EDGE && !w.Given(args[0], args[1]):
		return nil, errors.New("the history does not order them so explicitly")
	case axiom == EITHER:
		return []Literal{LessThan(args[0], args[1]), LessThan(args[1], args[0])}, nil
	case axiom == TR:
		c.unless(LessThan(args[0], args[1]), LessThan(args[1], args[2]))
		c.or(LessThan(args[0], args[2]))
	case axiom == EDGE:
		// One that does not take effect orders nothing: it is placed after everything, or before it
		// if it may have happened before.
		c.unless(TakesEffect(args[0]))
		if !w.Partition.Ops[args[1]].Pending() {
			c.unless(TakesEffect(args[1]))
		}
		c.or(LessThan(args[0], args[1]))
	default:
		c.or(LessThan(args[0], args[1]))
	}
	return c.result()
}

// facts holds the literals given to a family.
type facts struct {
	w     *Window
	known map[Literal]bool
}

// newFacts checks that no literal is trivial.
func (w *Window) newFacts(given []Literal) (*facts, error) {
	f := &facts{w, make(map[Literal]bool, len(given))}
	for _, l := range given {
		if l.Kind == False || !w.is(l.A) || l.Kind == OrderKind && !w.is(l.B) {
			return nil, fmt.Errorf("the given literal %v says nothing", l)
		}
		if _, c := w.fold(l); c != open {
			return nil, fmt.Errorf("the given literal %v is already known or impossible", l)
		}
		f.known[l] = true
	}
	return f, nil
}

func (f *facts) has(l Literal) bool {
	l, c := f.w.fold(l)
	return c == certain || c == open && f.known[l]
}

func (f *facts) less(a, b history.OpID) bool { return f.has(LessThan(a, b)) }

// out reports whether x is known not to take effect.
func (f *facts) out(x history.OpID) bool { return f.has(TakesEffect(x).Negated()) }

// refuted returns the clause that the given literals cannot all be true.
func refuted(given []Literal) []Literal {
	c := make([]Literal, len(given))
	for i, l := range given {
		c[i] = l.Negated()
	}
	return c
}

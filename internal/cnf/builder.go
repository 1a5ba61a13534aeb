package cnf

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/solver"
)

// Ops holds the operations that an instance of an axiom is about, by position in the builder;
// unused places are -1.
type Ops [3]history.OpID

// By returns the given operations, at most three.
func By(ops ...history.OpID) Ops {
	r := Ops{-1, -1, -1}
	copy(r[:], ops)
	return r
}

// sink receives the clauses, each with the instance of an axiom that it states.
type sink interface {
	// take receives a clause that is neither true nor empty. It must not keep the slice.
	take(a Axiom, ops Ops, clause []Lit)
}

// plain passes clauses to a solver as they are.
type plain struct{ solver.Solver }

func (p plain) take(_ Axiom, _ Ops, clause []Lit) { p.Add(clause) }

// nowhere drops clauses.
type nowhere struct{}

func (nowhere) take(Axiom, Ops, []Lit) {}

// Builder adds the clauses of an encoding to a solver. It folds decided literals, counts work, and
// stops at the limits of the question.
type Builder struct {
	ctx      context.Context
	meter    *engine.Budget
	solver   solver.Solver
	sink     sink
	Order    *Order
	Keep     []history.OpID // position here → position in the partition
	In       []Lit          // literal "it takes effect", in a segment: in this segment
	Boundary *Boundary      // of a segment; nil for a whole partition
	// PieceSize is how many operations are decided at a time (pieces.go), 0 for all of them.
	PieceSize history.OpID
	pieces    *pieces

	buf     []Lit
	clauses int64
	work    int64 // since the last poll
	total   int64
	taken   int64 // bytes counted in the budget
	Refuted *Contradiction
	Stopped *engine.Answer
}

// Contradiction is an instance of an axiom that is false without any choice.
type Contradiction struct {
	axiom Axiom
	ops   Ops
}

// NewBuilder returns a builder for the operations of keep, which are positions in ops, ascending.
// boundary is nil except in a segment.
func NewBuilder(ctx context.Context, m *engine.Budget, ops []history.Op, keep []history.OpID,
	boundary *Boundary) *Builder {
	return &Builder{ctx: ctx, meter: m, Keep: keep, Order: newOrder(ops, keep), Boundary: boundary}
}

// Clause adds an instance of an axiom: at least one of the literals holds.
func (b *Builder) Clause(a Axiom, ops Ops, lits ...Lit) {
	b.buf = b.buf[:0]
	for _, l := range lits {
		switch l {
		case True:
			return
		case False:
		default:
			b.buf = append(b.buf, l)
		}
	}
	b.emit(a, ops)
}

// emit adds the clause in buf, which holds no constants.
func (b *Builder) emit(a Axiom, ops Ops) {
	if len(b.buf) == 0 {
		if b.Refuted == nil {
			b.Refuted = &Contradiction{a, ops}
		}
		return
	}
	b.clauses++
	b.sink.take(a, ops, b.buf)
	b.Alive(1)
}

// Force puts operation x before operation y: by a clause for clauses that already contain the pair,
// and by a constant for later ones.
func (b *Builder) Force(a Axiom, x, y history.OpID) {
	b.Clause(a, By(x, y), b.Order.Before(x, y))
	b.Order.fix(x, y)
}

// Refute records an instance that is false by itself.
func (b *Builder) Refute(a Axiom, ops ...history.OpID) {
	b.buf = b.buf[:0]
	b.emit(a, By(ops...))
}

// Imply adds "all of these imply one of those"; the second list may be passed in pieces.
func (b *Builder) Imply(a Axiom, ops Ops, all []Lit, some ...Lit) {
	b.buf = b.buf[:0]
	for _, l := range all {
		switch l {
		case False:
			return
		case True:
		default:
			b.buf = append(b.buf, -l)
		}
	}
	for _, l := range some {
		switch l {
		case True:
			return
		case False:
		default:
			b.buf = append(b.buf, l)
		}
	}
	b.emit(a, ops)
}

// Fresh returns a new variable.
func (b *Builder) Fresh() Lit { return b.solver.NewVar() }

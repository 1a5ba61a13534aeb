package cnf

// Solving: an encoding becomes a formula, and the solver's answer becomes that of the engine.

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

// Encoding adds the clauses of one theory.
type Encoding interface {
	// Outcomes sets b.In for the kept operations.
	Outcomes(b *Builder)
	// Axioms adds the instances of the theory's axioms.
	Axioms(b *Builder)
}

// Build builds the formula of an instance with a solver of factory, until a contradiction or a
// limit.
func (b *Builder) Build(factory func() solver.Solver, bound *model.Instance, enc Encoding) {
	b.estimate()
	if b.Stopped != nil {
		return
	}
	if b.PieceSize > 0 && b.Order.N >= 2*b.PieceSize {
		b.pieces = newPieces(factory, b.Order.N, b.PieceSize)
		b.solver = b.pieces
	} else {
		b.solver = factory()
	}
	if s, ok := b.solver.(interface{ SizeHint(vars, clauses int) }); ok {
		s.SizeHint(int(b.Order.pairs), int(b.Order.triples))
	}
	b.sink = plain{b.solver}
	b.emitAxioms(bound, enc)
	if b.Alive(0) {
		b.transitivity()
	}
}

// Dry runs the encoding without a solver, to find contradictions that need none.
func (b *Builder) Dry(bound *model.Instance, enc Encoding) {
	b.solver = &clauses.Recorder{}
	b.sink = nowhere{}
	b.emitAxioms(bound, enc)
}

func (b *Builder) emitAxioms(bound *model.Instance, enc Encoding) {
	b.Order.number(b.solver)
	if b.pieces != nil {
		for x := range b.Order.N {
			for y := x + 1; y <= b.Order.Last[x]; y++ {
				b.pieces.postpone(b.Order.Before(x, y), 1, y)
			}
			if !b.Alive(int64(b.Order.Last[x] - x)) {
				return
			}
		}
	}
	b.In = make([]Lit, len(b.Keep))
	enc.Outcomes(b)
	b.explicit(bound.Partition)
	b.identical(bound)
	if b.Alive(0) {
		enc.Axioms(b)
	}
}

// Decide solves the formula. Positions of the witness are those of the partition.
func (b *Builder) Decide(part *model.Partition) (engine.Answer, error) {
	switch {
	case b.Refuted != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: b.Effort(),
			Detail: b.Refuted.Text(func(i history.OpID) string { return "#" + part.ID(b.Keep[i]) })}, nil
	case b.Stopped != nil:
		b.Stopped.Effort = b.Effort()
		return *b.Stopped, nil
	}
	status := b.Solve()
	effort := b.Effort()
	switch status {
	case solver.Satisfiable:
		w, err := b.Witness()
		return engine.Answer{Verdict: engine.Linearizable, Witness: w, Effort: effort}, err
	case solver.Unsatisfiable:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: effort}, nil
	}
	a := b.Unknown()
	a.Effort = effort
	return a, nil
}

// Solve asks the solver, under assumptions if there are any.
func (b *Builder) Solve(assumed ...Lit) solver.Status { return b.solver.Solve(b.ctx, assumed...) }

// Failed lists the assumptions of the last solve that refute the formula.
func (b *Builder) Failed() []Lit { return b.solver.Failed() }

// Effort returns the effort of building and solving so far.
func (b *Builder) Effort() engine.Effort {
	e := engine.Effort{Clauses: b.clauses}
	if b.solver != nil {
		e.Vars = int64(b.solver.Stats().Vars)
	}
	return e
}

// Unknown returns the answer with the cause for which the solver did not decide.
func (b *Builder) Unknown() engine.Answer {
	if b.ctx.Err() != nil {
		return engine.Stopped(b.ctx)
	}
	err := b.solver.Err()
	a := engine.Answer{Cause: engine.Undecided}
	if err != nil {
		a.Detail = err.Error()
	}
	if errors.Is(err, clauses.ErrTooLarge) {
		a.Cause = engine.Unsupported
	}
	return a
}

// Text returns the axiom with its operations; name returns the text of an operation, by position in
// the builder.
func (i *Contradiction) Text(name func(i history.OpID) string) string {
	text := string(i.axiom)
	for k, op := range i.ops {
		if op < 0 {
			break
		}
		if k == 0 {
			text += ":"
		}
		text += " " + name(op)
	}
	return text
}

package cnf

import (
	"errors"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// Encoding emits the clauses of one theory.
type Encoding interface {
	// outcomes sets builder.in for the kept operations.
	Outcomes(b *Builder)
	// axioms emits the instances of the theory's axioms.
	Axioms(b *Builder)
}

// Build makes the formula, as far as it gets.
func (b *Builder) Build(factory solver.Factory, bound *model.Instance, enc Encoding) {
	b.estimate()
	if b.Stopped != nil {
		return
	}
	b.solver = factory()
	if s, ok := b.solver.(solver.SizeHinter); ok {
		s.SizeHint(int(b.Order.pairs), int(b.Order.triples))
	}
	b.sink = plain{b.solver}
	b.emitAxioms(bound, enc)
	if b.Alive(0) {
		b.transitivity()
	}
}

// Dry goes through the axioms without a solver, for the contradictions that need none.
func (b *Builder) Dry(bound *model.Instance, enc Encoding) {
	b.solver = &solver.Recorder{}
	b.sink = nowhere{}
	b.emitAxioms(bound, enc)
}

func (b *Builder) emitAxioms(bound *model.Instance, enc Encoding) {
	b.Order.number(b.solver)
	b.In = make([]Lit, len(b.Keep))
	enc.Outcomes(b)
	b.explicit(bound.Partition)
	b.identical(bound)
	if b.Alive(0) {
		enc.Axioms(b)
	}
}

// Decide solves what was built.
func (b *Builder) Decide(part *model.Partition) (engine.Answer, error) {
	switch {
	case b.Refuted != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: b.Effort(), Detail: b.Refuted.Text(func(i int32) string { return "#" + part.ID(b.Keep[i]) })}, nil
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

// Solve asks the solver under assumptions.
func (b *Builder) Solve(assumed ...Lit) solver.Status { return b.solver.Solve(b.ctx, assumed...) }

// Failed lists the assumptions of the last solve that refute the formula.
func (b *Builder) Failed() []Lit { return b.solver.Failed() }

// Effort is what building and solving took so far.
func (b *Builder) Effort() engine.Effort {
	e := engine.Effort{Clauses: b.clauses}
	if b.solver != nil {
		s := b.solver.Stats()
		e.Vars, e.Conflicts = int64(s.Vars), max(0, s.Conflicts)
	}
	return e
}

// Unknown says why the solver did not decide.
func (b *Builder) Unknown() engine.Answer {
	if b.ctx.Err() != nil {
		return engine.Stopped(b.ctx)
	}
	err := b.solver.Err()
	a := engine.Answer{Cause: engine.Undecided}
	if err != nil {
		a.Detail = err.Error()
	}
	if errors.Is(err, solver.ErrTooLarge) {
		a.Cause = engine.Unsupported
	}
	return a
}

// Text puts the instance that is false by itself in words.
func (i *Contradiction) Text(name func(i int32) string) string {
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

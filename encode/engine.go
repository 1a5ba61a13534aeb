package encode

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// sat decides instances by clauses. It is safe for concurrent use if the factory is.
type sat struct {
	factory func() solver.Solver
	size    int // of segments, in operations
}

var _ engine.Engine = (*sat)(nil)

// New returns the engine "sat", with solvers from factory. It is a part of linsat: a check of one's
// own takes solvers by the option linsat.Solver.
func New(factory func() solver.Solver) engine.Sealed { return engine.Seal(newSAT(factory)) }

func newSAT(factory func() solver.Solver) *sat { return &sat{factory, segmentSize} }

// Name implements engine.Engine.
func (e *sat) Name() string { return "sat" }

// encoding is one theory, bound to one partition.
type encoding interface {
	// reduce drops pending operations that cannot help from keep, which is ascending and contains
	// all operations at first. If it finds that there is no linearization, it returns why, else "".
	reduce(keep []history.OpID) (kept []history.OpID, contradiction string)
	cnf.Encoding
}

// Check implements engine.Engine.
func (e *sat) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	if all := objects(p.Instance); all != nil {
		return e.oneByOne(ctx, p.Instance, all, m)
	}
	if q := model.As[*model.BoundedQueueTheory](p.Instance); q != nil && q.Cases != nil {
		return e.cases(ctx, q.Cases(), m)
	}
	return e.decide(ctx, p.Instance, m)
}

// encodingOf returns the encoding of an instance; nil if none but that of its states is known.
func encodingOf(bound *model.Instance) encoding {
	part := bound.Partition
	switch t := bound.Axiomatic().(type) {
	case *model.RegisterTheory:
		return newRegisters(t, part)
	case *model.CollectionTheory:
		return newCollection(t, part)
	case *model.CountingTheory:
		return newCounting(t, part)
	}
	if t := model.As[*model.DequeTheory](bound); t != nil {
		return newDeque(t, part)
	}
	if bound.Tallies == nil {
		return nil
	}
	t := bound.Tallies()
	switch {
	case t == nil:
		return nil
	case t.Contents != nil:
		return newCounted(t, part)
	}
	return newTallying(t, part)
}

// decide decides an instance, as a whole or in segments.
func (e *sat) decide(ctx context.Context, bound *model.Instance, m *engine.Budget) (engine.Answer, error) {
	part := bound.Partition
	enc := encodingOf(bound)
	if enc == nil {
		c, none := explore(ctx, bound, m)
		if c == nil {
			return none, nil
		}
		enc, bound = c, &model.Instance{Partition: part} // in the order of the configurations
	}
	keep := make([]history.OpID, part.Len())
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	keep, contradiction := enc.reduce(keep)
	if contradiction != "" {
		return engine.Answer{Verdict: engine.NotLinearizable, Detail: contradiction}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	if segments := segmentsOf(bound, keep, modesOf(enc), e.size); segments != nil {
		r := newSegmentChain(ctx, e.factory, m, segments)
		if answer, done := r.refuted(part); done {
			return answer, nil
		}
		if _, slow := e.factory().(interface{ NonIncremental() }); !slow {
			return r.run()
		}
	}
	b := cnf.NewBuilder(ctx, m, part.Ops, keep, nil)
	if !b.InTime(func() { b.Build(e.factory, bound, enc) }) {
		return engine.Stopped(ctx), nil
	}
	defer b.Release()
	return b.Decide(part)
}

// modesOf returns the modes of operations on registers, nil for other theories.
func modesOf(enc encoding) [][]model.Mode {
	if c, ok := enc.(*registers); ok {
		return c.modes
	}
	return nil
}

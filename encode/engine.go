package encode

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// Engine decides parts by clauses. It is safe for concurrent use if the factory is.
type Engine struct {
	factory solver.Factory
	size    int // of pieces, in operations
}

var _ engine.Engine = (*Engine)(nil)

// New returns the engine "sat" on top of the solvers that factory makes.
func New(factory solver.Factory) *Engine { return &Engine{factory, pieceSize} }

// Name implements engine.Engine.
func (e *Engine) Name() string { return "sat" }

// encoding is one theory, bound to one part.
type encoding interface {
	// reduce drops pending operations that cannot help from keep (which is ascending; all of them
	// at first), and says why there is no linearization if that is plain to see, or "".
	reduce(keep []int32) (kept []int32, contradiction string)
	// outcomes sets builder.in for the kept operations.
	outcomes(b *builder)
	// axioms emits the instances of the theory's axioms.
	axioms(b *builder)
}

// Check implements engine.Engine. It takes specifications with a theory; collections under a
// relaxation, too.
func (e *Engine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if p.Quasi != nil {
		return e.relaxed(ctx, p, m)
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	if p.Instance.Theory == nil {
		return engine.Answer{Cause: engine.Unsupported, Detail: "no axioms for this specification"}, nil
	}
	if all := objects(p.Instance); all != nil {
		return e.oneByOne(ctx, p.Instance, all, m)
	}
	return e.decide(ctx, p.Instance, m)
}

// decide decides a part, as a whole or in pieces.
func (e *Engine) decide(ctx context.Context, bound *model.Instance, m *engine.Budget) (engine.Answer, error) {
	part := bound.Partition
	var enc encoding
	switch t := bound.Theory.(type) {
	case *model.RegisterTheory:
		enc = newCells(t, part)
	case *model.CollectionTheory:
		enc = newCollection(t, part)
	case *model.CountingTheory:
		enc = newCounting(t, part)
	}
	keep := make([]int32, part.Len())
	for i := range keep {
		keep[i] = int32(i)
	}
	keep, contradiction := enc.reduce(keep)
	if contradiction != "" {
		return engine.Answer{Verdict: engine.NotLinearizable, Detail: contradiction}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	if pieces := cuts(bound, keep, modesOf(enc), e.size); pieces != nil {
		r := newRelay(ctx, e.factory, m, pieces)
		if answer, done := r.refuted(part); done {
			return answer, nil
		}
		if _, slow := e.factory().(solver.NonIncremental); !slow {
			return r.run()
		}
	}
	b := &builder{ctx: ctx, meter: m, keep: keep, order: newOrder(part.Ops, keep)}
	if !b.inTime(func() { b.build(e.factory, bound, enc) }) {
		return engine.Stopped(ctx), nil
	}
	defer b.release()
	return b.decide(part)
}

// modesOf returns the modes of operations on cells, nil for other theories.
func modesOf(enc encoding) [][]model.Mode {
	if c, ok := enc.(*cells); ok {
		return c.modes
	}
	return nil
}

// build makes the formula, as far as it gets.
func (b *builder) build(factory solver.Factory, bound *model.Instance, enc encoding) {
	b.estimate()
	if b.stopped != nil {
		return
	}
	b.solver = factory()
	if s, ok := b.solver.(solver.SizeHinter); ok {
		s.SizeHint(int(b.order.pairs), int(b.order.triples))
	}
	b.sink = plain{b.solver}
	b.emitAxioms(bound, enc)
	if b.alive(0) {
		b.transitivity()
	}
}

// dry goes through the axioms without a solver, for the contradictions that need none.
func (b *builder) dry(bound *model.Instance, enc encoding) {
	b.solver = &solver.Recorder{}
	b.sink = nowhere{}
	b.emitAxioms(bound, enc)
}

func (b *builder) emitAxioms(bound *model.Instance, enc encoding) {
	b.order.number(b.solver)
	b.in = make([]lit, len(b.keep))
	enc.outcomes(b)
	b.explicit(bound.Partition)
	b.identical(bound)
	if b.alive(0) {
		enc.axioms(b)
	}
}

// decide solves what was built.
func (b *builder) decide(part *model.Partition) (engine.Answer, error) {
	effort := engine.Effort{Clauses: b.clauses}
	if b.solver != nil {
		effort.Vars = int64(b.solver.Stats().Vars)
	}
	switch {
	case b.refuted != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: effort, Detail: b.refuted.text(func(i int32) string { return "#" + part.ID(b.keep[i]) })}, nil
	case b.stopped != nil:
		b.stopped.Effort = effort
		return *b.stopped, nil
	}
	status := b.solver.Solve(b.ctx)
	effort.Conflicts = max(0, b.solver.Stats().Conflicts)
	switch status {
	case solver.Satisfiable:
		w, err := b.witness()
		return engine.Answer{Verdict: engine.Linearizable, Witness: w, Effort: effort}, err
	case solver.Unsatisfiable:
		return engine.Answer{Verdict: engine.NotLinearizable, Effort: effort}, nil
	}
	a := b.unknown()
	a.Effort = effort
	return a, nil
}

// unknown says why the solver did not decide.
func (b *builder) unknown() engine.Answer {
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

// text puts the instance that is false by itself in words.
func (i *instance) text(name func(i int32) string) string {
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

// holds reads a literal from the model.
func (b *builder) holds(l lit) bool { return l == yes || l != no && b.solver.Value(l) }

// witness reads the order of the operations that take effect from the model.
func (b *builder) witness() ([]int32, error) {
	holds, o := b.holds, b.order
	all := make([]int32, o.n)
	for i := range all {
		all[i] = int32(i)
	}
	sort.SliceStable(all, func(x, y int) bool { return all[x] != all[y] && holds(o.before(all[x], all[y])) })
	place := make([]int32, o.n)
	for k, i := range all {
		place[i] = int32(k)
	}
	for a := o.n - 1; a >= 0; a-- {
		for c := a + 1; c <= o.hi[a]; c++ {
			if holds(o.before(a, c)) != (place[a] < place[c]) {
				return nil, fmt.Errorf("the model of the solver is no total order")
			}
		}
	}
	// Real time: no operation may stand before one that returned before its call.
	first := o.n // the earliest to return of those that stand later
	for k := o.n - 1; k >= 0; k-- {
		i := all[k]
		if first < o.n && o.ret[first] < o.call[i] {
			return nil, fmt.Errorf("the model of the solver contradicts real time")
		}
		if first == o.n || o.ret[i] < o.ret[first] {
			first = i
		}
	}
	var w []int32
	for _, i := range all {
		if holds(b.in[i]) {
			w = append(w, b.keep[i])
		}
	}
	return w, nil
}

// explicit fixes the explicit edges, those of pending operations if they take effect.
func (b *builder) explicit(part *model.Partition) {
	if len(part.Edges) == 0 {
		return
	}
	local := make([]int32, part.Len())
	for i := range local {
		local[i] = -1
	}
	for i, k := range b.keep {
		local[k] = int32(i)
	}
	for _, e := range part.Edges {
		x, y := local[e.Before], local[e.After]
		switch {
		case x < 0 || y < 0:
		case b.in[x] == yes && b.in[y] == yes:
			b.force(given, x, y)
		default:
			b.clause(given, by(x, y), -b.in[x], -b.in[y], b.order.before(x, y))
		}
	}
}

package sat

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// Engine decides problems with a factor by SAT. It is safe for concurrent use if the factory is.
type Engine struct {
	factory func() solver.Solver
	piece   history.OpID // operations decided at a time
}

var _ engine.Decider = (*Engine)(nil)

// New returns the engine "sat", with solvers from factory.
func New(factory func() solver.Solver) *Engine { return &Engine{factory, pieceSize} }

// Name implements engine.Decider.
func (*Engine) Name() string { return "sat" }

// Check decides histories of collections and counters. It answers Unsupported for other
// specifications, for operations of one kind in several classes, and for peeks that may move under
// slots.
func (e *Engine) Check(ctx context.Context, p *engine.Task, m *engine.Budget) (engine.Answer, error) {
	if p.Quasi != nil && len(p.Quasi.Sets) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "bounds on sets of operations that are no classes"}, nil
	}
	if p.Instance.Class != nil && p.Quasi != nil && p.Instance.Partition.Len() <= mostRearranged {
		if c := model.As[*model.CountingTheory](p.Instance); c != nil {
			return e.counter(ctx, p, c, m)
		}
		if d := model.As[*model.DequeTheory](p.Instance); d != nil {
			return e.deque(ctx, p, d, m)
		}
	}
	t, ok := p.Instance.Theory.(*model.CollectionTheory)
	if !ok || p.Instance.Class == nil || p.Quasi == nil {
		return engine.Answer{Cause: engine.Unsupported,
			Detail: "slots are known of collections, and of deques and counters of 1,000 operations"}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	f, ok := boundsOf(p.Instance, t, p.Quasi.Factor)
	if !ok {
		return engine.Answer{Cause: engine.Unsupported, Detail: "operations of one kind in several classes"}, nil
	}
	if f.peek != 0 && p.Quasi.Meaning == quasi.Slots && slices.Contains(t.Does, model.Peek) {
		return engine.Answer{Cause: engine.Unsupported, Detail: "no encoding for peeks that change places"}, nil
	}
	s := &slots{instance: p.Instance, theory: t, question: p.Quasi, bounds: f}
	if q, bound := window.Collect(p.Instance, p.Quasi); q != nil && q.Fit == window.Exact {
		if a, done := s.narrow(ctx, m, q, bound); done {
			return a, nil
		}
	}
	return s.encode(ctx, e, m)
}

// narrow narrows slots and places by the windows of a queue. It returns an answer, and true, if
// they refute the history or a limit is reached.
func (s *slots) narrow(ctx context.Context, m *engine.Budget, q *window.Queue, bound int32) (engine.Answer, bool) {
	if q.Flaw != nil {
		flaw := *q.Flaw
		flaw.Bound = bound
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: &flaw}, true
	}
	need := int64(s.instance.Partition.Len()) * windowBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}, true
	}
	w := q.Propagate(ctx, bound)
	switch {
	case w == nil:
		return engine.Stopped(ctx), true
	case w.Refuted:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: w.Refutation()}, true
	}
	n := s.instance.Partition.Len()
	s.slotWindows, s.placeWindows = make([]reach, n+q.Initial), make([]reach, n)
	of := func(v window.Variable) reach { return reach{int32(w.Lo[v]), int32(w.Hi[v])} }
	for x, op := range q.InsOp {
		at := int(op)
		if op < 0 {
			at = n - 1 - int(op)
		}
		s.slotWindows[at] = of(window.Variable(x))
	}
	for r, op := range q.RemOp {
		s.slotWindows[op], s.placeWindows[op] = of(q.Content[r]), of(q.Place(window.Removal(r)))
	}
	return engine.Answer{}, false
}

// encode builds the formula and decides by it.
func (s *slots) encode(ctx context.Context, e *Engine, m *engine.Budget) (engine.Answer, error) {
	part := s.instance.Partition
	keep := make([]history.OpID, part.Len())
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	keep, _ = s.reduce(keep)
	s.b = cnf.NewBuilder(ctx, m, part.Ops, keep, nil)
	defer s.b.Release()
	s.b.PieceSize = e.piece
	s.b.Build(e.factory, s.instance, s)
	return s.decide()
}

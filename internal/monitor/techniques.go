package monitor

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/txn"
)

// Engine is the engine named "monitor".
type Engine struct{}

// New returns the engine. It keeps no state and may be shared.
func New() *Engine { return &Engine{} }

// Name returns "monitor".
func (*Engine) Name() string { return "monitor" }

// technique is a row of the table: a procedure for the partitions of one kind of object.
type technique struct {
	name string
	// decide answers, or reports that the technique does not apply.
	decide func(ctx context.Context, p *engine.Problem, m *engine.Budget) (a engine.Answer, applies bool)
}

// techniques are asked from the first that applies to the last, until one decides. An answer names
// it (engine.Answer.By), and each can be left out (engine.LeftOut).
var techniques = []technique{
	{"holds", inAll(0, (*model.Instance).Holding, checkHolds)},
	{"registers", of((*model.Instance).Registers, checkCells)},
	{txn.By, txn.Forced},
	{"growing", inAll(1, model.As[*model.GrowingTheory], checkGrowing)},
	{"log", inAll(1, model.As[*model.LogTheory], checkLog)},
	{"deque", inAll(1, model.As[*model.DequeTheory], checkDeque)},
	{"bounded-queue", of(unlimited, checkBoundedQueue)},
	{"counter", of(model.As[*model.CountingTheory], checkCounter)},
	{"bank", of(model.As[*model.BankTheory], bankUpTo(bankNarrow))},
	{"sums", of(model.As[*model.BankTheory], checkSums)},
	{"bank-wide", of(model.As[*model.BankTheory], bankUpTo(bankWidest))},
	{"collection", of(model.As[*model.CollectionTheory], checkCollection)},
}

// Techniques returns the names of the procedures, each of which can be left out.
func Techniques() []string {
	names := make([]string, len(techniques))
	for i, t := range techniques {
		names[i] = t.name
	}
	return names
}

// of asks a procedure about partitions of one kind: those of which kind returns what they do.
func of[T any](kind func(*model.Instance) *T, decide func(context.Context, *engine.Problem, *T,
	*engine.Budget) engine.Answer) func(context.Context, *engine.Problem, *engine.Budget) (engine.Answer, bool) {
	return func(ctx context.Context, p *engine.Problem, m *engine.Budget) (a engine.Answer, applies bool) {
		t := kind(p.Instance)
		if t == nil {
			return a, false
		}
		return decide(ctx, p, t, m), true
	}
}

// inAll is of for procedures that need memory for as many values as there are operations, times
// each.
func inAll[T any](each int, kind func(*model.Instance) *T, decide func(context.Context, *model.Instance,
	*T) engine.Answer) func(context.Context, *engine.Problem, *engine.Budget) (engine.Answer, bool) {
	return of(kind, func(ctx context.Context, p *engine.Problem, t *T, m *engine.Budget) engine.Answer {
		return admitted(ctx, p, m, each*len(p.Instance.Partition.Ops), func() engine.Answer {
			return decide(ctx, p.Instance, t)
		})
	})
}

// unlimited is what a bounded queue would be without a bound; nil for other objects.
func unlimited(b *model.Instance) *model.CollectionTheory {
	if _, ok := b.Theory.(*model.BoundedQueueTheory); !ok {
		return nil
	}
	return b.Taken()
}

// Check answers the problem if there is a procedure for its theory and its history, else Unknown
// with the cause Unsupported. An incomplete procedure may answer Undecided.
func (*Engine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	a := engine.Answer{Cause: engine.Unsupported}
	for i := range techniques {
		t := &techniques[i]
		if engine.LeftOut(t.name) {
			continue
		}
		x, applies := t.decide(ctx, p, m)
		if !applies {
			continue
		}
		if a = x; a.Verdict != engine.Unknown {
			a.By = t.name
			return a, nil
		}
	}
	return a, nil
}

package monitor

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Engine is the engine named "monitor".
type Engine struct{}

// New returns the engine. It keeps no state and may be shared.
func New() *Engine { return &Engine{} }

// Name returns "monitor".
func (*Engine) Name() string { return "monitor" }

// technique is a row of the table: a procedure for the partitions of one kind of object.
type technique struct {
	name    string
	applies func(b *model.Instance) bool
	decide  func(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer
}

// techniques are asked from the first that applies to the last, until one decides. An answer names
// it (engine.Answer.By), and each can be left out (engine.LeftOut).
var techniques = []technique{
	{"holds", func(b *model.Instance) bool { return b.Holding != nil }, inAll(checkHolds, 0)},
	{"registers", theory[*model.RegisterTheory], func(ctx context.Context, p *engine.Problem,
		m *engine.Budget) engine.Answer {
		return checkCells(ctx, p, p.Instance.Theory.(*model.RegisterTheory), m)
	}},
	{"growing", func(b *model.Instance) bool { return b.Growing != nil }, inAll(checkGrowing, 1)},
	{"log", func(b *model.Instance) bool { return b.Log != nil }, inAll(checkLog, 1)},
	{"deque", func(b *model.Instance) bool { return b.Ends != nil }, inAll(checkDeque, 1)},
	{"bounded-queue", func(b *model.Instance) bool {
		return b.Queue != nil && b.Taken() != nil
	}, func(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer {
		t := p.Instance.Taken()
		return admitted(ctx, p, m, t.Values, func() engine.Answer { return boundedQueue(ctx, p.Instance, t, m) })
	}},
	{"counter", theory[*model.CountingTheory], func(ctx context.Context, p *engine.Problem,
		m *engine.Budget) engine.Answer {
		return checkCounter(ctx, p, p.Instance.Theory.(*model.CountingTheory), m)
	}},
	{"bank", transferring, bankUpTo(bankNarrow)},
	{"sums", func(b *model.Instance) bool {
		return b.Sums != nil
	}, func(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer {
		return checkSums(ctx, p.Instance, m)
	}},
	{"bank-wide", transferring, bankUpTo(bankWidest)},
	{"collection", theory[*model.CollectionTheory], collection},
}

// theory reports whether the specification states a theory of that type.
func theory[T model.Theory](b *model.Instance) bool {
	_, ok := b.Theory.(T)
	return ok
}

// transferring reports whether the partition is a bank.
func transferring(b *model.Instance) bool { return b.Bank != nil }

// bankUpTo looks for a linearization of a bank with a beam of at most that width.
func bankUpTo(widest int) func(context.Context, *engine.Problem, *engine.Budget) engine.Answer {
	return func(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer {
		return checkBank(ctx, p.Instance, m, widest)
	}
}

// inAll asks a procedure if there is memory for as many values as there are operations, times each.
func inAll(decide func(context.Context, *model.Instance) engine.Answer, each int) func(context.Context, *engine.Problem,
	*engine.Budget) engine.Answer {
	return func(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer {
		return admitted(ctx, p, m, each*len(p.Instance.Partition.Ops), func() engine.Answer {
			return decide(ctx, p.Instance)
		})
	}
}

// Check answers the problem if there is a procedure for its theory and its history, else Unknown
// with the cause Unsupported. An incomplete procedure may answer Undecided.
func (*Engine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	a := engine.Answer{Cause: engine.Unsupported}
	for i := range techniques {
		t := &techniques[i]
		if !t.applies(p.Instance) || engine.LeftOut(t.name) {
			continue
		}
		if a = t.decide(ctx, p, m); a.Verdict != engine.Unknown {
			a.By = t.name
			return a, nil
		}
	}
	return a, nil
}

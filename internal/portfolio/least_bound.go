package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/quasi"
)

// minimiser finds the least bound of the free classes over all partitions of a history.
//
// Acceptance is monotone in the bound (K accepted ⇒ K+1 accepted), so the partitions are taken one
// after another: a partition that is accepted at the greatest bound refused so far plus one cannot
// raise it; one that is not raises it as far as it needs (bracket). The refutation one below the
// bound is that of the partition that raised it last.
//
// Invariants: some partition is refused at least.Low-1 if least.Low > 0; every partition seen so
// far is accepted at least.High unless that is quasi.Unbounded.
type minimiser struct {
	p       *Portfolio
	q       *Question
	budget  *engine.Budget
	least   result.Least
	stopped engine.Answer // why the bound is not settled
	result  result.Result // without an answer
}

// leastBound decides the least bound of the free classes.
func (p *Portfolio) leastBound(ctx context.Context, r result.Result, q *Question, b *engine.Budget) (result.Result,
	error) {
	m := &minimiser{p: p, q: q, budget: b, result: r}
	for i := range p.parts {
		x := &p.parts[i]
		if x.Instance == nil { // the time was up
			m.least.High, m.stopped = quasi.Unbounded, engine.Stopped(ctx)
			continue
		}
		var err error
		if x.decision, err = m.partition(ctx, x.Instance); err != nil {
			return r, err
		}
	}
	at := m.at(m.least.High)
	r.Quasi, r.Least = &at, &m.least
	if l := &m.least; l.Below != nil {
		below := m.at(quasi.Unbounded)
		if l.Low != quasi.Unbounded {
			below = m.at(l.Low - 1)
		}
		l.Asked = &below
	}
	r, err := p.merge(ctx, r, q, p.parts)
	if err == nil && r.Verdict != engine.NotLinearizable && !m.least.Settled() {
		r.Verdict, r.Certified, r.Cause, r.Detail = engine.Unknown, false, m.stopped.Cause, m.stopped.Detail
	}
	return r, err
}

// tell makes known what is known of the least bound of the only partition, for the case that an
// engine does not stop in time.
func (m *minimiser) tell(accepted int32) {
	if len(m.p.parts) > 1 || m.p.o.Violation == nil {
		return
	}
	r, least := m.result, m.least
	least.High, least.Below = accepted, nil
	at := m.at(accepted)
	r.Quasi, r.Least, r.Verdict, r.Cause = &at, &least, engine.Unknown, engine.Timeout
	m.p.o.Violation(r)
}

// at is the question at bound k. Not inlined: it has many callers.
//
//go:noinline
func (m *minimiser) at(k int32) quasi.Question {
	at := *m.q.Quasi
	at.Factor = slices.Clone(m.q.Quasi.Factor)
	for c, free := range m.q.Free {
		if free {
			at.Factor[c] = k
		}
	}
	return at
}

// refuse notes that b is refused at k.
func (m *minimiser) refuse(b *model.Instance, a engine.Answer, k int32) {
	low := quasi.Unbounded
	if k != quasi.Unbounded {
		low = k + 1
	}
	if low > m.least.Low {
		m.least.Low, m.least.Refuted, m.least.Below = low, b, &a
	}
}

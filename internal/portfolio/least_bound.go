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
// raise it; one that is not gallops upwards from there and bisects. The refutation one below the
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
}

// leastBound decides the least bound of the free classes.
func (p *Portfolio) leastBound(ctx context.Context, r result.Result, q *Question, b *engine.Budget) (result.Result,
	error) {
	m := &minimiser{p: p, q: q, budget: b}
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

// at is the question at bound k.
func (m *minimiser) at(k int32) quasi.Question {
	at := *m.q.Quasi
	at.Factor = slices.Clone(m.q.Least.Factor)
	for c, free := range m.q.Least.Free {
		if free {
			at.Factor[c] = k
		}
	}
	return at
}

func (m *minimiser) ask(ctx context.Context, b *model.Instance, k int32) (decision, error) {
	at := m.at(k)
	d, err := m.p.one(ctx, &engine.Task{Instance: b, Quasi: &at}, m.budget)
	if err == nil && d.Verdict == engine.Unknown {
		m.stopped = d.Answer
	}
	return d, err
}

// partition raises the bound as far as b needs. Its answer is that at the bound where b is
// accepted, or what the last question got.
func (m *minimiser) partition(ctx context.Context, b *model.Instance) (decision, error) {
	if v, settled, err := m.byItself(ctx, b); settled || err != nil {
		return v, err
	}
	// No operation can move by more places than there are operations and left-over items.
	limit := int32(b.Partition.Len() + b.Items.Stored)
	refused := m.least.Low - 1
	k := m.least.Low
	v, err := m.ask(ctx, b, k)
	for step := int32(1); err == nil && v.Verdict != engine.Linearizable; step *= 2 {
		if v.Verdict == engine.NotLinearizable {
			refused = k
			m.refuse(b, v.Answer, k)
		}
		if k == quasi.Unbounded {
			m.least.High = quasi.Unbounded
			return v, nil
		}
		if ctx.Err() != nil { // a refutation at k says nothing of greater bounds
			m.least.High, m.stopped = quasi.Unbounded, engine.Stopped(ctx)
			return decision{Answer: m.stopped}, nil
		}
		if k += step; k >= limit {
			k = quasi.Unbounded
		}
		v, err = m.ask(ctx, b, k)
	}
	accepted := min(k, limit)
	for err == nil && accepted-refused > 1 && accepted > m.least.Low {
		var w decision
		middle := refused + (accepted-refused)/2
		if w, err = m.ask(ctx, b, middle); err != nil || w.Verdict == engine.Unknown {
			break
		}
		if w.Verdict == engine.Linearizable {
			v, accepted = w, middle
		} else {
			refused = middle
			m.refuse(b, w.Answer, middle)
		}
	}
	m.least.High = max(m.least.High, accepted)
	return v, err
}

// byItself asks an engine that finds least bounds by itself, if one takes b and settles it.
func (m *minimiser) byItself(ctx context.Context, b *model.Instance) (v decision, settled bool, err error) {
	at := m.at(0)
	q := &engine.Task{Instance: b, Quasi: &at}
	for _, e := range m.p.team() {
		minimizer, ok := e.Decider.(engine.Minimizer)
		if !ok || m.p.o.Engines == All {
			continue
		}
		l, err := minimizer.Least(ctx, q, m.q.Least.Free, m.budget)
		if err != nil {
			return v, false, err
		}
		if !l.Settled() {
			continue
		}
		if l.None() {
			v = decision{Answer: *l.No, engine: e.Name()}
			m.refuse(b, *l.No, quasi.Unbounded)
			m.least.High = quasi.Unbounded
			return v, true, nil
		}
		v = decision{Answer: *l.Yes, engine: e.Name()}
		at = m.at(l.High)
		if err := replayed(q, &v); err != nil {
			return v, false, err
		}
		if l.Low > 0 {
			m.refuse(b, *l.No, l.Low-1)
		}
		m.least.High = max(m.least.High, l.High)
		return v, true, nil
	}
	return v, false, nil
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

package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// Least is what is known of the least bound: it lies between Low and High. Both are equal once it
// is settled; quasi.Unbounded stands for "no bound helps".
type Least struct {
	Low, High int32
	// Refuted is the partition that is not quasi-linearizable at Low-1, bound to its specification,
	// and Below the answer that says so, to the question Asked; nil where Low is 0.
	Refuted *model.Instance
	Below   *engine.Answer
	Asked   *quasi.Question
	// Certified reports whether the verifier confirmed that refutation.
	Certified bool
}

// Settled reports whether the least bound is known.
func (l *Least) Settled() bool { return l.Low == l.High }

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
	least   Least
	stopped engine.Answer // why the bound is not settled
}

// leastBound decides the least bound of the free classes.
func (p *Portfolio) leastBound(ctx context.Context, o Outcome, q *Question, parts []*model.Partition,
	bounds []*model.Instance, b *engine.Budget) (Outcome, error) {
	m := &minimiser{p: p, q: q, budget: b}
	decisions := make([]decision, len(parts))
	for i, b := range bounds {
		if b == nil { // the time was up
			m.least.High, m.stopped = quasi.Unbounded, engine.Stopped(ctx)
			continue
		}
		var err error
		if decisions[i], err = m.partition(ctx, b); err != nil {
			return o, err
		}
	}
	at := m.at(m.least.High)
	o.Quasi, o.Least = &at, &m.least
	if l := &m.least; l.Below != nil {
		below := m.at(quasi.Unbounded)
		if l.Low != quasi.Unbounded {
			below = m.at(l.Low - 1)
		}
		l.Asked = &below
	}
	o, err := p.merge(ctx, o, q, parts, bounds, decisions)
	if err == nil && o.Verdict != engine.NotLinearizable && !m.least.Settled() {
		o.Verdict, o.Cause, o.Detail = engine.Unknown, m.stopped.Cause, m.stopped.Detail
	}
	return o, err
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
	d, err := m.p.partition(ctx, &engine.Task{Instance: b, Quasi: &at}, m.budget)
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
	limit := int32(b.Partition.Len() + b.Stored)
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

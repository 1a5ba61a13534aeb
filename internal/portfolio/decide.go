package portfolio

import (
	"context"
	"sync"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/txn"
)

// What: the one loop that decides a partition, by engines of which each takes longer than the one
// before. It may be left before engines run side by side, and go on there.
//
// Monitors come first, on the outline of a partition if there is one: it is all that they look at,
// and where they refute it and the verdict alone is asked for, the partition is never bound. Then
// the search tries for a few steps, which decide most small partitions sooner than a goroutine has
// started. Then engines race.
//
// A theory that takes long to derive, or helps rarely (Partition.TheoryLater), is left out until
// the probe has not found a linearization, or a violation is to be explained. Only then monitors
// have something to look at.
//
// Invariant: a linearizable partition has been replayed by the verifier.

// stage is what comes next for a partition.
type stage uint8

const (
	monitors stage = iota
	probing
	deriving // the theory that was left out, and monitors
	racing
	decided
)

// part is a partition, and how far it is decided.
type part struct {
	of          *model.Partition
	rest        model.Prepared // what is left of binding it; nil if its turn did not come
	engine.Task                // Instance is nil until it is bound
	next        stage
	beamed      bool // a beam was tried
	moves       bool // it is not linearizable
	decision         // so far
}

// bind binds the partition if it is not yet.
func (p *Portfolio) bind(x *part) (err error) {
	if x.Instance == nil {
		x.Instance, err = engine.Finish(p.spec, x.of, x.rest)
	}
	return err
}

// note takes an answer for the decision if it is one, and else keeps what it tells.
func (x *part) note(d decision) error {
	if d.Verdict == engine.Unknown {
		x.decision = better(x.decision, d)
		return nil
	}
	d.Effort = d.Effort.Add(x.Effort)
	x.decision, x.next = d, decided
	return replayed(&x.Task, &x.decision)
}

// one decides a partition that is bound.
func (p *Portfolio) one(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	x := part{of: q.Instance.Partition, Task: *q}
	err := p.decide(ctx, &x, b, false)
	return x.decision, err
}

// decide decides a partition: by one engine after the other, by all to the end, or by the loop.
// With brief it stops where the next engine may take long. Then x is not decided.
func (p *Portfolio) decide(ctx context.Context, x *part, b *engine.Budget, brief bool) error {
	if p.o.Quasi && (x.Quasi == nil || x.Quasi.Plain() && p.o.Engines != All) {
		return p.atZero(ctx, x, b)
	}
	races := p.o.Engines != All && !p.o.Sequential && len(p.team()) > 1 && (x.Quasi == nil || len(x.Quasi.Sets) == 0)
	if !races {
		if err := p.bind(x); err != nil {
			return err
		}
		d, err := p.together(ctx, &x.Task, b)
		x.decision, x.next = d, decided
		return err
	}
	for x.next != decided {
		if brief && x.next >= deriving {
			return nil
		}
		next, known := x.next, x.decision
		if err := p.advance(ctx, x, b, brief); err != nil {
			return err
		}
		if brief && ctx.Err() != nil && (x.Verdict == engine.Unknown || !p.o.VerdictOnly) {
			x.next, x.decision = next, known // it may not be all that the engine finds
			return nil
		}
	}
	return nil
}

// together decides a partition without a race.
func (p *Portfolio) together(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	switch {
	case q.Quasi != nil && len(q.Quasi.Sets) > 0:
		return p.bySets(ctx, q, b)
	case p.o.Engines == All:
		d, err := p.all(ctx, q, b)
		if q.Quasi != nil && q.Quasi.Plain() {
			d.Proof = nil // it is explained as a plain violation
		}
		return d, err
	}
	return sequential(ctx, q, b, p.team())
}

// advance asks what comes next, and says what follows it.
func (p *Portfolio) advance(ctx context.Context, x *part, b *engine.Budget, brief bool) (err error) {
	switch x.next {
	case monitors:
		return p.monitor(ctx, x, b, brief)
	case probing:
		x.next = racing
		if x.Quasi != nil {
			return p.underFactor(ctx, x, b)
		}
		if x.of.Len() >= solverFirst && txn.Applies(x.Instance) && !p.o.Sequential {
			return nil
		}
		return p.probe(ctx, x, b)
	case deriving:
		x.next = racing
		x.of.TheoryLater = false
		if x.Instance, err = engine.Bind(x.Instance.Spec, x.of); err != nil {
			return err
		}
		d, err := inOrder(ctx, &x.Task, b, p.team()[0].Decider)
		if err == nil {
			err = x.note(d)
		}
		if x.Verdict != engine.Unknown { // the probe may have said so
			x.next = decided
		}
		return err
	}
	x.next = decided
	if ctx.Err() != nil {
		x.decision = better(x.decision, decision{Answer: engine.Stopped(ctx)})
		return nil
	}
	x.decision, err = parallel(ctx, x.decision, p.racers(&x.Task), &x.Task, b)
	return err
}

// monitor asks the monitors, and binds x unless that is not needed. An outline of a few operations
// saves nothing.
func (p *Portfolio) monitor(ctx context.Context, x *part, b *engine.Budget, brief bool) (err error) {
	x.next = probing
	on := x.Task
	if x.Instance == nil && x.Quasi == nil && !brief {
		on.Instance = engine.Outline(x.rest)
	}
	if on.Instance == nil {
		if err := p.bind(x); err != nil || x.Instance.TheoryLeft {
			return err
		}
		on = x.Task
	}
	d, err := inOrder(ctx, &on, b, p.team()[0].Decider)
	if err != nil {
		return err
	}
	if x.Instance == nil && d.Verdict == engine.NotLinearizable && p.o.VerdictOnly {
		d.bind = sync.OnceValue(x.rest.Bind)
		x.decision, x.next = d, decided
		return nil
	}
	if err := p.bind(x); err != nil {
		return err
	}
	return x.note(d)
}

// probe lets the search try for a few steps. What stops it is not told.
func (p *Portfolio) probe(ctx context.Context, x *part, b *engine.Budget) error {
	if x.Instance.TheoryLeft && x.rest != nil { // the caller of one knows no other instance
		x.next = deriving
	}
	steps := probeSteps + probeEach*int64(x.of.Len())
	d, err := inOrder(ctx, &x.Task, b.Share(steps), p.probing)
	if err != nil {
		return err
	}
	if d.Verdict == engine.Unknown {
		x.Effort = x.Effort.Add(d.Effort)
		return nil
	}
	after := x.next
	if err = x.note(d); after == deriving && d.Verdict == engine.NotLinearizable && !p.o.VerdictOnly {
		x.next = deriving // it is to be explained
	}
	return err
}

// step is a technique that comes before the engines of a factor. It decides, or answers Unknown.
type step struct {
	name string // as LINSAT_WITHOUT leaves it out
	try  func(*Portfolio, context.Context, *engine.Task, *engine.Budget) (decision, error)
}

var steps = [...]step{
	{"unmoved", (*Portfolio).unmoved},
	{"overtaken", (*Portfolio).overtaken},
	{"widened", (*Portfolio).widened},
	{"beam", (*Portfolio).beamed},
	{"completed", (*Portfolio).completed},
}

// underFactor tries what is simpler than a question under a factor.
func (p *Portfolio) underFactor(ctx context.Context, x *part, b *engine.Budget) error {
	for _, s := range steps {
		if x.moves && s.name == "unmoved" || x.beamed && s.name == "beam" || engine.LeftOut(s.name) {
			continue
		}
		d, err := s.try(p, ctx, &x.Task, b)
		if err != nil {
			return err
		}
		if d.Verdict != engine.Unknown {
			x.decision, x.next = d, decided
			return nil
		}
	}
	return nil
}

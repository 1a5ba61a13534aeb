// Package solve decides whether a history of transactions is at a level of isolation, and says why.
//
// The way: who reads from whom and who writes what (digest.go); the edges that are known; for read
// committed, read atomic and causal consistency what their axioms add (weak.go); for the others
// what follows about the order of writers (prune.go); a solver where choices are left (choose.go,
// weakchoose.go); a commit order, or the clauses that exclude all (refute.go, prove.go).
package solve

import (
	"context"
	"errors"
	"time"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/solver"
)

// Answer is what is known of a level.
type Answer struct {
	// Holds and Fails are both false if the level is not decided; Unclear says why.
	Holds, Fails bool
	Unclear      string
	// Certificate shows it; nil if the level is not decided, or if time did not suffice to prove
	// that it fails.
	Certificate *isolation.Certificate
	// Choices is how many pairs of writers, and reads, were left to a solver.
	Choices int
}

// Decide decides whether h is at level l, asking a solver of factory if choices are left. Its
// tables take half of memory bytes at most; 0 is a limit of its own.
func Decide(ctx context.Context, h *isolation.History, l isolation.Level, factory func() solver.Solver,
	memory int64) Answer {
	d := newDigest(h)
	d.limit = bytesOfReach
	if memory > 0 {
		d.limit = min(d.limit, memory/2)
	}
	a := decide(ctx, d, l, factory)
	if a.Certificate != nil {
		a.Certificate.Level = l.String()
	}
	if !a.Holds && !a.Fails && a.Unclear == "" {
		switch {
		case d.unclear != "":
			a.Unclear = d.unclear
		case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
			a.Unclear = "the time was up"
		case ctx.Err() != nil:
			a.Unclear = context.Cause(ctx).Error()
		default:
			a.Unclear = "the solver has no answer"
		}
	}
	return a
}

func decide(ctx context.Context, d *digest, l isolation.Level, factory func() solver.Solver) Answer {
	switch {
	case d.wrong != nil:
		r := newRefuter(d, newGraph(len(d.h.Txns), false), l.Given, nil)
		r.add(*d.wrong)
		return refuted(r.refutation(ctx))
	case d.unclear != "":
		return Answer{}
	case d.repeats || len(d.optional) > 0:
		return decideCases(ctx, d, l, factory(), func(x *digest) Answer {
			if x.limit = d.limit; x.repeats || len(x.optional) > 0 {
				x.unclear = "a case leaves open what it should not"
			}
			return decide(ctx, x, l, factory)
		})
	case l.Model <= isolation.Causal:
		return decideWeak(ctx, d, l, factory)
	}
	return decideStrong(ctx, d, l, factory)
}

// PartOf is a quarter of the time that is left, longestPart without a limit.
func PartOf(ctx context.Context) (part context.Context, done context.CancelFunc) {
	limit := longestPart
	if until, limited := ctx.Deadline(); limited {
		limit = time.Until(until) / 4
	}
	return context.WithTimeout(ctx, limit)
}

// refuted is the answer that a level does not hold.
func refuted(r *isolation.Refutation) Answer {
	a := Answer{Fails: true}
	if r != nil {
		a.Certificate = &isolation.Certificate{Refutation: r}
	}
	return a
}

func decideWeak(ctx context.Context, d *digest, l isolation.Level, factory func() solver.Solver) Answer {
	for k := range d.reads {
		if len(d.reads[k].from) > 1 {
			c := newWeakChoice(d, l, factory())
			a, no := c.solve(ctx)
			switch {
			case a != nil:
				return c.holds(a, len(d.h.Txns), false)
			case no:
				r := newRefuter(d, newGraph(len(d.h.Txns), false), l.Given, nil)
				return refuted(prove(ctx, r, c.clauses, func(lit) int8 { return 0 }, 0))
			}
			return Answer{}
		}
	}
	live := func(i int32) bool { return !d.gone[i] }
	x := &weak{digest: d, g: newGraph(len(d.h.Txns), false), source: d.only, live: live,
		hubs: make([]hubs, len(d.h.Objects))}
	if sorted := x.saturate(l); sorted != nil {
		return d.holds(&answer{events: sorted, effect: live}, len(d.h.Txns), false)
	}
	r := newRefuter(d, x.g, l.Given, nil)
	r.causes = x.causes
	if x.wrong != nil {
		r.clause(r.clauseOf(*x.wrong, always), always)
	} else {
		r.cycle(r.cycleMacros(x.g.cycle()))
	}
	return refuted(r.refutation(ctx))
}

func decideStrong(ctx context.Context, d *digest, l isolation.Level, factory func() solver.Solver) Answer {
	two := l.Model == isolation.Prefix || l.Model == isolation.Snapshot
	g := newGraph(len(d.h.Txns), two)
	addOwn(g, d)
	addGiven(g, d, l.Given)
	addReads(g, d, d.only)
	addVersions(g, d)
	o := newOrder(d, g, l.Model)
	o.listPairs()
	if l.Given < isolation.RealTime && o.undecided() && g.topological() != nil {
		// A stronger order leaves less open, and what holds with it does without.
		part, done := PartOf(ctx)
		defer done()
		x := newDigest(d.h)
		x.limit = d.limit
		a := decideStrong(part, x, isolation.Level{Model: l.Model, Given: l.Given + 1}, factory)
		if a.Holds {
			return a
		}
	}
	if !o.settle(ctx, d.limit) {
		return Answer{}
	}
	r := newRefuter(d, g, l.Given, o.facts)
	if o.wrong != nil {
		switch w := o.wrong; {
		case w.cycle != nil:
			r.cycle(r.cycleMacros(w.cycle))
		case w.clause != nil:
			r.clause(*w.clause, w.age)
		default:
			r.clause(r.clauseOf(*w.why, w.age), w.age)
		}
		return refuted(r.refutation(ctx))
	}
	uncertain := false
	for _, u := range d.uncertain {
		uncertain = uncertain || u
	}
	choices := len(o.pairs) + len(o.open)
	if choices == 0 && !uncertain {
		a := &answer{events: g.topological(), sources: o.known, effect: func(i int32) bool { return !d.gone[i] }}
		return d.holds(a, int(g.events), two)
	}
	c := newChoosing(o, l.Given, factory())
	found, no := c.solve(ctx)
	switch {
	case found != nil:
		for k, s := range o.known {
			found.sources[k] = s
		}
		a := d.holds(found, int(g.events), two)
		a.Choices = choices
		return a
	case no:
		a := refuted(prove(ctx, r, c.all(), func(l lit) int8 { return c.known(r, l) }, c.base))
		a.Choices = choices
		return a
	}
	return Answer{Choices: choices}
}

// holds is the answer that a commit order shows a level; events are below n, the rest are barriers.
func (d *digest) holds(a *answer, n int, two bool) Answer {
	w := &isolation.Witness{}
	for _, e := range a.events {
		i := e
		if two {
			i = e / 2
		}
		if int(e) >= n || !a.effect(i) {
			continue
		}
		if two && e%2 == 0 {
			i = ^i
		}
		w.Events = append(w.Events, i)
	}
	for k := range d.reads {
		if s, known := a.sources[int32(k)]; known {
			w.Sources = append(w.Sources, isolation.Source{Place: d.reads[k].place, From: s})
		}
	}
	return Answer{Holds: true, Certificate: &isolation.Certificate{Witness: w}}
}

package solve

// The proof that a level does not hold.
//
// What: the clauses (isolation.Rule) from which unit propagation, or a refutation in clauses,
// follows. An edge needs its clause, and what makes the other literals of the clause false: facts,
// or older paths, which become cycles with the literal that they contradict. Only what the conflict
// needs is collected. Steps of the given order that follow one another become one, where the order
// is transitive.
//
// Invariant: clauses come after those that they rest on, so that each is a unit clause, or the
// conflict, after those before it.
//
// Cost: a path, O(edges), for each literal that reachability made false and that is needed.

import (
	"context"
	"math"
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/proof"
)

// fact is a statement about sources that follows from a clause, edges younger than age, and facts
// of lower numbers.
type fact struct {
	true bool
	why
	age    int32
	number int
}

// refuter collects the clauses of a proof.
type refuter struct {
	*formula
	facts map[statement]fact
	order iso.Order
	has   map[lit]bool // literals that follow
	// causes is the age of edges that are not about causality: paths of RuleReached are younger.
	causes int32
	// search says that unit propagation may not suffice.
	search bool
}

func newRefuter(d *digest, g *graph, order iso.Order, facts map[statement]fact) *refuter {
	return &refuter{formula: newFormula(d, g), facts: facts, order: order, has: map[lit]bool{}, causes: always}
}

// always is older than no edge.
const always = math.MaxInt32

// macro is an edge between events whose clause is known: a step, or several of the given order or
// through barriers.
type macro struct {
	from, to int32
	because  why
	age      int32
}

// macros turns a path that starts at an event into edges between events.
func (r *refuter) macros(steps []step) []macro {
	return macros(r.d.h, r.g, r.order, steps, func(age int32) why { return r.g.whys[age] })
}

// macros turns a path that starts at an event into edges between events; whyOf tells the reasons of
// its steps.
func macros(h *iso.History, g *graph, order iso.Order, steps []step, whyOf func(age int32) why) (list []macro) {
	for k := 0; k < len(steps); {
		s := steps[k]
		m := macro{s.from, s.to, whyOf(s.age), s.age}
		if m.because.rule == iso.RuleGiven {
			a := g.txn(s.from)
			last := k
			for n := k; n < len(steps); n++ {
				w := whyOf(steps[n].age)
				to := steps[n].to
				if w.rule == iso.RuleSeen && w.w < 0 {
					if last > k || n > k+1 && steps[n-1].from < g.events {
						break // it entered the barriers of the object later
					}
					m.because, m.age, last = w, steps[n].age, n
					m.because.w = a
					break
				}
				if w.rule != iso.RuleGiven && w.rule != iso.RuleOwn {
					break
				}
				if w.rule == iso.RuleGiven && to < g.events && h.GivenBefore(order, a, g.txn(to)) {
					m.because, m.age, last = why{rule: iso.RuleGiven, t: a, w: g.txn(to)}, s.age, n
				}
			}
			k = last
			m.to = steps[k].to
		}
		list = append(list, m)
		k++
	}
	return list
}

// edge collects the clause of an edge between events, and why its other literals are false.
func (r *refuter) edge(m macro) {
	l := r.before(m.from, m.to)
	if r.has[l] {
		return
	}
	r.collect(r.clauseOf(m.because, m.age), l, m.age)
}

// clauseOf returns the clause of an edge of an age.
func (r *refuter) clauseOf(b why, age int32) iso.Clause {
	c := iso.Clause{Rule: b.rule, Places: []iso.Place{b.place}, Txns: []int32{b.t, b.w}}
	switch b.rule {
	case iso.RuleGiven, iso.RuleConflict:
		c.Places = nil
	case iso.RuleOwn:
		c.Places, c.Txns = nil, []int32{b.t}
	case iso.RuleWritten:
		c.Txns = []int32{b.t}
	case iso.RuleSeen:
		c.Hops = b.hops
	case iso.RuleReached:
		c.Hops = r.hopsOf(b.w, b.place.Txn, r.causes)
	case iso.RuleVisible:
		return r.visibleClause(&b, age)
	}
	return c
}

// visibleClause returns the clause that w, which the reader sees, does not come after t, from which
// it reads what w overwrites.
func (r *refuter) visibleClause(b *why, age int32) iso.Clause {
	i := b.place.Txn
	hops := []iso.Hop{{Kind: iso.Overwrites, To: b.w, Place: b.place, From: b.t}}
	return iso.Clause{Rule: iso.RuleVisible, Txns: []int32{i}, Hops: append(hops, r.hopsOf(b.w, i, age)...)}
}

// collect collects a clause after the reasons why all its literals but one are false.
func (r *refuter) collect(c iso.Clause, but lit, age int32) {
	for _, l := range r.literals(&c) {
		if l != but && l != no {
			r.refute(l, age)
		}
	}
	if !r.has[but] { // it may have followed from older edges meanwhile
		r.has[but] = true
		r.add(c)
	}
}

// refute collects why a literal is false, by edges younger than age.
func (r *refuter) refute(l lit, age int32) {
	s := r.vars[max(l, -l)]
	switch s.kind {
	case isBefore:
		u, v := s.a, s.b
		if l < 0 {
			u, v = v, u
		}
		r.refuteBefore(u, v, age)
	case isEffect:
		r.takesEffect(s.a)
	case isFrom:
		if r.has[-l] {
			return
		}
		f := r.facts[s]
		c := iso.Clause{Rule: f.rule, Places: []iso.Place{r.d.reads[s.a].place}}
		switch f.rule {
		case iso.RuleWritten:
			c.Txns = []int32{s.b}
		case iso.RuleOverwritten:
			c.Txns = []int32{s.b, f.w}
		case iso.RuleVisible:
			c = r.visibleClause(&f.why, f.age)
		}
		r.collect(c, -l, f.age)
	}
}

// refuteBefore collects why u does not come before v: a path from v to u.
func (r *refuter) refuteBefore(u, v, age int32) {
	l := r.before(v, u)
	if r.has[l] {
		return
	}
	way := r.macros(r.g.path(v, u, age, nil))
	for _, m := range way {
		r.edge(m)
	}
	if len(way) > 1 && !r.has[l] {
		r.add(r.cycleClause(way))
	}
	r.has[l] = true
}

// cycleClause returns that events do not come one before the other in a circle.
func (r *refuter) cycleClause(way []macro) iso.Clause {
	c := iso.Clause{Rule: iso.RuleCycle}
	for _, m := range way {
		c.Events = append(c.Events, r.g.name(m.from))
	}
	if last := way[len(way)-1].to; last != way[0].from {
		c.Events = append(c.Events, r.g.name(last))
	}
	return c
}

// takesEffect collects why an open transaction takes effect.
func (r *refuter) takesEffect(i int32) {
	l := r.effect(i)
	if r.has[l] {
		return
	}
	first, p := always, iso.Place{}
	for x := r.d.own[i]; x < r.d.own[i+1]; x++ {
		s := &r.d.slots[x]
		if s.version >= 0 && !r.d.lists[s.object].repeats {
			first, p = -1, r.d.lists[s.object].spine
			break
		}
		for _, k := range s.readers {
			number := -1
			if f, open := r.facts[statement{kind: isFrom, a: k, b: i}]; open {
				number = f.number
			}
			if number < first {
				first, p = number, r.d.reads[k].place
			}
		}
	}
	if first < always {
		r.collect(iso.Clause{Rule: iso.RuleEffect, Places: []iso.Place{p}, Txns: []int32{i}}, l, always)
		return
	}
	r.has[l], r.search = true, true // if it does not take effect, nobody reads from it
	for x := r.d.own[i]; x < r.d.own[i+1]; x++ {
		for _, k := range r.d.slots[x].maybe {
			r.add(iso.Clause{Rule: iso.RuleEffect, Places: []iso.Place{r.d.reads[k].place}, Txns: []int32{i}})
		}
	}
}

// hopsOf returns steps from w to i by edges younger than age.
func (r *refuter) hopsOf(w, i, age int32) []iso.Hop {
	return hopsOf(r.g, r.macros(r.g.path(r.g.commit(w), r.g.start(i), age, nil)))
}

// hopsOf returns the steps of a way between transactions.
func hopsOf(g *graph, way []macro) (hops []iso.Hop) {
	for _, m := range way {
		h := iso.Hop{To: g.txn(m.to)}
		switch m.because.rule {
		case iso.RuleGiven:
		case iso.RuleWritten:
			h.Kind, h.Place = iso.Reads, m.because.place
		default:
			h.Kind = iso.Writes
		}
		hops = append(hops, h)
	}
	return hops
}

// cycleMacros returns the edges between events of a cycle.
func (r *refuter) cycleMacros(steps []step) []macro {
	k := 0 // start at an event
	for steps[k].from >= r.g.events {
		k++
	}
	return r.macros(append(slices.Clone(steps[k:]), steps[:k]...))
}

// cycle collects that the edges of a cycle are known, which is the conflict.
func (r *refuter) cycle(way []macro) {
	for _, m := range way {
		r.edge(m)
	}
	if len(way) > 2 {
		r.add(r.cycleClause(way))
	}
}

// clause collects a clause all of whose literals are false, which is the conflict.
func (r *refuter) clause(c iso.Clause, age int32) {
	delete(r.has, 0)
	r.collect(c, 0, age)
}

// refutation returns the proof by unit propagation: up to the first clause that is false. Where
// that does not suffice a solver finds one; then it is nil if ctx ends.
func (r *refuter) refutation(ctx context.Context) *iso.Refutation {
	if r.search {
		return r.minimal(ctx)
	}
	value := make([]int8, len(r.vars))
	truth := func(l lit) int8 {
		if l < 0 {
			return -value[-l]
		}
		return value[l]
	}
	out := &iso.Refutation{}
	lemma := proof.Lemma{}
	for n, lits := range r.lits {
		open, satisfied := lit(0), false
		several := false
		for _, l := range lits {
			switch truth(l) {
			case 1:
				satisfied = true
			case 0:
				several = several || open != 0
				open = l
			}
		}
		if satisfied || several {
			continue
		}
		out.Clauses = append(out.Clauses, r.clauses[n])
		lemma.Hints = append(lemma.Hints, int32(len(out.Clauses)))
		if open == 0 {
			break
		}
		value[max(open, -open)] = 1
		if open < 0 {
			value[-open] = -1
		}
	}
	if last := len(out.Clauses) - 1; len(r.literalsKept(out.Clauses[last])) == 0 {
		return &iso.Refutation{Clauses: out.Clauses[last:]} // it refutes the history alone
	}
	out.Lemmas = []proof.Lemma{lemma}
	return out
}

// literalsKept returns the literals of a clause that are not constants.
func (r *refuter) literalsKept(c iso.Clause) []lit {
	return slices.DeleteFunc(r.literals(&c), func(l lit) bool { return l == no })
}

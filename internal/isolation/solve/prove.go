package solve

// The proof that a solver left no choice.
//
// What: the clauses that the solver was given, as isolation.Rule states them, are refuted once more
// by a solver that writes proofs: first with what is known as given, then, with the reasons of what
// that refutation used, as a whole, until it uses all.

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/solver/cdcl"
)

// clauseOf returns the clause of an edge that is open; ok is false if it is a variable itself.
func clauseOf(b *why) (c iso.Clause, ok bool) {
	switch b.rule {
	case asChosen:
		return c, false
	case iso.RuleConflict:
		return iso.Clause{Rule: b.rule, Txns: []int32{b.t, b.w}}, true
	case iso.RuleWritten:
		return iso.Clause{Rule: b.rule, Places: []iso.Place{b.place}, Txns: []int32{b.t}}, true
	}
	return iso.Clause{Rule: b.rule, Places: []iso.Place{b.place}, Txns: []int32{b.t, b.w}}, true
}

// all returns the clauses that the solver was given.
func (c *choosing) all() []iso.Clause {
	list := slices.Clone(c.clauses)
	used := make([]bool, len(c.edges))
	use := func(list []macro) {
		for _, m := range list {
			if m.age >= c.base && !used[m.age-c.base] {
				used[m.age-c.base] = true
			}
		}
	}
	for _, cycle := range c.cycles {
		use(cycle)
		events := make([]int32, 0, len(cycle)+1)
		for k, m := range cycle {
			events = append(events, c.g.name(m.from))
			if next := cycle[(k+1)%len(cycle)].from; m.to != next {
				events = append(events, c.g.name(m.to)) // two open edges meet through known ones
			}
		}
		if len(events) > 2 {
			list = append(list, iso.Clause{Rule: iso.RuleCycle, Events: events})
		}
	}
	for _, v := range c.visible {
		use(v.way)
		i := c.reads[v.read].place.Txn
		hops := []iso.Hop{{Kind: iso.Overwrites, To: v.w, Place: c.reads[v.read].place, From: v.s}}
		hops = append(hops, hopsOf(c.g, v.way)...)
		list = append(list, iso.Clause{Rule: iso.RuleVisible, Txns: []int32{i}, Hops: hops})
	}
	ordered := func(b *why) {
		known := b.rule == iso.RuleConflict || b.rule == iso.RuleOverwritten && b.t != iso.Initial
		if c.model == iso.Snapshot && known {
			list = append(list, c.snapshots(b.t, b.w)...)
		}
	}
	for n := range c.edges {
		if b := &c.edges[n].because; used[n] {
			if clause, ok := clauseOf(b); ok {
				list = append(list, clause)
			}
			ordered(b)
		}
	}
	met := slices.Collect(maps.Keys(c.met))
	sort.Slice(met, func(i, j int) bool {
		a, b := met[i], met[j]
		return cmp.Or(cmp.Compare(a.read, b.read), cmp.Compare(a.from, b.from), cmp.Compare(a.w, b.w)) < 0
	})
	for _, n := range met {
		b := why{rule: iso.RuleOverwritten, place: c.reads[n.read].place, t: n.from, w: n.w}
		clause, _ := clauseOf(&b)
		list = append(list, clause)
		ordered(&b)
	}
	return list
}

// snapshots returns the clauses that connect the order of two writers under snapshot isolation: if
// a commits before b starts, then before b commits.
func (c *choosing) snapshots(a, b int32) (all []iso.Clause) {
	all = append(all, iso.Clause{Rule: iso.RuleConflict, Txns: []int32{a, b}})
	for _, p := range [][2]int32{{a, b}, {b, a}} {
		x, y := c.g.name(c.g.commit(p[0])), c.g.name(c.g.start(p[1]))
		all = append(all, iso.Clause{Rule: iso.RuleCycle, Events: []int32{x, y, c.g.name(c.g.commit(p[1]))}},
			iso.Clause{Rule: iso.RuleOwn, Txns: []int32{p[1]}})
	}
	return all
}

// known returns whether a literal is known.
func (c *choosing) known(r *refuter, l lit) int8 {
	s, sign := r.vars[max(l, -l)], int8(1)
	if l < 0 {
		sign = -1
	}
	switch {
	case s.kind == isBefore && c.reach.has(s.a, s.b):
		return sign
	case s.kind == isBefore && c.reach.has(s.b, s.a):
		return -sign
	case s.kind == isEffect && !c.uncertain[s.a]:
		return sign
	case s.kind == isFrom:
		if f, known := c.facts[s]; known {
			if f.true {
				return sign
			}
			return -sign
		}
	}
	return 0
}

// prove returns a refutation of clauses, given what known says of literals; nil if ctx ends it.
func prove(ctx context.Context, r *refuter, clauses []iso.Clause, known func(l lit) int8, age int32) *iso.Refutation {
	given := &cdcl.Clauses{}
	var raw []int
	for n := range clauses {
		if len(r.literalsKept(clauses[n])) == 0 {
			return &iso.Refutation{Clauses: clauses[n : n+1]} // it refutes the history alone
		}
		var open []lit
		satisfied := false
		for _, l := range r.literals(&clauses[n]) {
			switch {
			case l == no:
			case l == yes || known(l) > 0:
				satisfied = true
			case known(l) == 0:
				open = append(open, l)
			}
		}
		if !satisfied {
			given.List, raw = append(given.List, open), append(raw, n)
		}
	}
	given.Last = len(r.vars) - 1
	_, uses, ok := given.Uses(ctx)
	if !ok {
		return nil
	}
	for _, n := range uses {
		c := clauses[raw[n]]
		for _, l := range r.literals(&c) {
			if l != no && known(l) < 0 {
				r.refute(l, age)
			}
		}
		r.add(c)
	}
	return r.minimal(ctx)
}

// minimal refutes what was collected, and leaves out what that does not need; nil if ctx ends it.
func (r *refuter) minimal(ctx context.Context) *iso.Refutation {
	lemmas, left, ok := (&cdcl.Clauses{Last: len(r.vars) - 1, List: r.lits}).Minimal(ctx)
	if !ok {
		return nil
	}
	for k, n := range left {
		r.clauses[k] = r.clauses[n]
	}
	return &iso.Refutation{Clauses: r.clauses[:len(left)], Lemmas: lemmas}
}

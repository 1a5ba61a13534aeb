package solve

// Histories in which more is open than orders and sources: where in a list the appends of a
// transaction stand, as elements repeat, or whether an open transaction that appends takes effect.
//
// What: a solver chooses among these; each case is a history in which no element repeats, and is
// decided as such. If it fails, what its refutation says of the case is excluded, and the clauses
// are kept, with that as literals; when no case is left they refute the history.
//
// Invariant: an answer yes is one of the history itself, as only names of elements differ, and what
// it says of open transactions.
//
// Cost: a decision for each case that is tried.

import (
	"cmp"
	"context"
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/solver"
)

// cases is what is open.
type cases struct {
	*digest
	s       solver.Solver
	f       *formula
	lits    map[statement]solver.Lit
	clauses []iso.Clause
	settled map[iso.Place]bool // reads whose sources are among the clauses
}

// decideCases decides a history of which some lists have elements that repeat, or of which some
// open transactions that append may take effect.
func decideCases(ctx context.Context, d *digest, l iso.Level, s solver.Solver, decide func(x *digest) Answer) Answer {
	if !d.findDoubts() {
		d.unclear = "too many elements of a list repeat"
		return Answer{}
	}
	two := l.Model == iso.Prefix || l.Model == iso.Snapshot
	c := &cases{digest: d, s: s, lits: map[statement]solver.Lit{}, settled: map[iso.Place]bool{},
		f: newFormula(d, newGraph(len(d.h.Txns), two))}
	c.ahead()
	for {
		some, none := ask(ctx, c.s)
		if none {
			r := newRefuter(d, newGraph(len(d.h.Txns), two), l.Given, nil)
			return refuted(prove(ctx, r, c.clauses, func(lit) int8 { return 0 }, 0))
		}
		if !some {
			return Answer{}
		}
		x := newDigest(c.history())
		a := decide(x)
		if a.Holds || !a.Fails && x.unclear == "" {
			return a
		}
		if !a.Fails || a.Certificate == nil || !c.exclude(a.Certificate.Refutation) {
			d.unclear = cmp.Or(x.unclear, "time did not suffice to refute a case")
			return Answer{}
		}
	}
}

// ahead adds what all cases have in common: each element of a list is of one that stands there, no
// two stand in one place, and what stands there takes effect.
func (c *cases) ahead() {
	for x := range c.lists {
		l := &c.lists[x]
		if l.doubts == nil {
			continue
		}
		for k := range l.longest {
			c.give(iso.Clause{Rule: iso.RulePlaced, Places: []iso.Place{l.spine}, At: []int32{int32(k)}})
			over := l.doubts.over[k]
			for n, a := range over {
				for _, b := range over[:n] {
					if s, t := l.doubts.all[b], l.doubts.all[a]; max(s.at, t.at) == int32(k) && s.txn != t.txn {
						c.apart(l, s, t)
					}
				}
			}
		}
		for k, s := range l.doubts.all {
			for k--; k >= 0 && l.doubts.all[k].txn == s.txn; k-- {
				c.apart(l, l.doubts.all[k], s)
			}
			if slices.Contains(c.optional, s.txn) {
				c.give(iso.Clause{Rule: iso.RuleStands, Places: []iso.Place{l.spine}, Txns: []int32{s.txn},
					At: []int32{s.at}})
			}
		}
	}
	done := map[[3]int32]bool{} // by object, how much of it a read shows, and a reader that appends
	for k := range c.reads {
		r := &c.reads[k]
		t := c.lists[r.object].doubts
		if t == nil || r.shown == 0 {
			continue
		}
		n := [3]int32{r.object, r.shown, iso.Initial}
		if t.own[r.place.Txn] != nil {
			n[2] = r.place.Txn
			for _, s := range t.all {
				if s.txn == r.place.Txn && s.at < r.shown {
					c.give(iso.Clause{Rule: iso.RulePlaced, Places: []iso.Place{r.place}, At: []int32{s.at}})
				}
			}
		}
		if !done[n] {
			done[n] = true
			c.give(iso.Clause{Rule: iso.RulePlaced, Places: []iso.Place{r.place}, At: []int32{r.shown - 1}})
		}
	}
}

// apart adds that two do not both stand in a list, as they overlap or are of one transaction.
func (c *cases) apart(l *list, a, b standing) {
	if a.at > b.at {
		a, b = b, a
	}
	clause := iso.Clause{Rule: iso.RulePlaces, Places: []iso.Place{l.spine}, Txns: []int32{a.txn, b.txn},
		At: []int32{a.at, b.at}}
	if a.txn == b.txn {
		clause.Txns = clause.Txns[:1]
	}
	c.give(clause)
}

// give adds a clause that is about cases alone.
func (c *cases) give(clause iso.Clause) {
	var lits []solver.Lit
	for _, l := range c.f.literals(&clause) {
		lits = append(lits, c.literal(l)...)
	}
	c.s.Add(lits)
	c.clauses = append(c.clauses, clause)
}

// literal returns the literal of the solver for one of a clause; none if it is not about cases.
func (c *cases) literal(l lit) []solver.Lit {
	if l == yes || l == no {
		return nil
	}
	s := c.f.vars[max(l, -l)]
	if s.kind != isPlaced && (s.kind != isEffect || !slices.Contains(c.optional, s.a)) {
		return nil
	}
	if c.lits[s] == 0 {
		c.lits[s] = c.s.NewVar()
	}
	if l < 0 {
		return []solver.Lit{-c.lits[s]}
	}
	return []solver.Lit{c.lits[s]}
}

// holds reports whether the solver's answer has a statement.
func (c *cases) holds(s statement) bool { return c.lits[s] != 0 && c.s.Value(c.lits[s]) }

// history returns the history of the case that the solver chose.
func (c *cases) history() *iso.History {
	h := *c.h
	h.Txns, h.Values = slices.Clone(h.Txns), slices.Clone(h.Values)
	for _, i := range c.optional {
		h.Txns[i].Status = iso.Aborted
		if c.holds(statement{kind: isEffect, a: i}) {
			h.Txns[i].Status = iso.Committed
		}
	}
	names := map[[2]int32][]int32{} // by transaction and list: the new names of what it appends
	for i := range h.Txns {
		x := &h.Txns[i]
		if !slices.ContainsFunc(x.Accesses, func(a iso.Access) bool { return c.lists[a.Object].doubts != nil }) {
			continue
		}
		x.Accesses = slices.Clone(x.Accesses)
		for k := range x.Accesses {
			if a := &x.Accesses[k]; a.Kind == iso.Append && c.lists[a.Object].doubts != nil {
				h.Values = append(h.Values, h.Values[a.Value])
				a.Value = int32(len(h.Values)) - 1
				n := [2]int32{int32(i), a.Object}
				names[n] = append(names[n], a.Value)
			}
		}
	}
	longest := make([][]int32, len(c.lists))
	for x := range c.lists {
		if t := c.lists[x].doubts; t != nil {
			longest[x], t.where = slices.Clone(c.lists[x].longest), map[int32]standing{}
			for _, s := range t.all {
				if c.holds(statement{isPlaced, s.txn, s.at, int32(x)}) {
					t.where[s.txn] = s
					copy(longest[x][s.at:], names[[2]int32{s.txn, int32(x)}])
				}
			}
		}
	}
	for k := range c.reads {
		if r := &c.reads[k]; longest[r.object] != nil {
			all := h.Txns[r.place.Txn].Accesses
			shown := slices.Clone(longest[r.object][:r.shown])
			for _, a := range all[:r.place.Access] {
				if a.Kind == iso.Append && a.Object == r.object {
					shown = append(shown, a.Value)
				}
			}
			all[r.place.Access].List = shown
		}
	}
	return &h
}

// exclude excludes what a refutation says of the case at hand, and keeps its clauses. It is false
// if it says what no clause does.
func (c *cases) exclude(r *iso.Refutation) bool {
	var lits []solver.Lit
	note := func(all []lit) {
		for _, l := range all {
			for _, s := range c.literal(l) {
				if !slices.Contains(lits, s) {
					lits = append(lits, s)
				}
			}
		}
	}
	for n := range r.Clauses {
		clause, ok := c.translated(r.Clauses[n])
		if !ok {
			return false
		}
		note(c.f.literals(&clause))
		c.clauses = append(c.clauses, clause)
		places := slices.Clone(clause.Places)
		for _, hop := range clause.Hops {
			if hop.Kind == iso.Reads || hop.Kind == iso.Overwrites {
				places = append(places, hop.Place)
			}
		}
		for _, p := range places {
			note(c.sourcesOf(p))
		}
	}
	c.s.Add(lits)
	return true
}

// sourcesOf returns the literals that those take effect of whom a read of a register may be, and
// that do not in the case at hand; the clauses that say so are kept.
func (c *cases) sourcesOf(p iso.Place) (lits []lit) {
	k, known := c.f.reads[p]
	if !known || c.h.Objects[c.reads[k].object].List {
		return nil
	}
	first := !c.settled[p]
	c.settled[p] = true
	for _, i := range c.reads[k].from {
		if !slices.Contains(c.optional, i) {
			continue
		}
		if !c.holds(statement{kind: isEffect, a: i}) {
			lits = append(lits, c.f.effect(i))
		}
		if first {
			c.clauses = append(c.clauses, iso.Clause{Rule: iso.RuleEffect, Places: []iso.Place{p}, Txns: []int32{i}})
		}
	}
	if first && len(c.reads[k].from) > 1 {
		c.clauses = append(c.clauses, iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{p}})
	}
	return lits
}

// translated returns a clause about a case as one about the history.
func (c *cases) translated(clause iso.Clause) (of iso.Clause, ok bool) {
	if len(clause.Places) == 0 {
		return clause, true
	}
	t := c.lists[c.f.object(clause.Places[0])].doubts
	if t == nil {
		return clause, true
	}
	rules := map[iso.Rule]iso.Rule{iso.RuleVersion: iso.RulePlaces, iso.RuleUnseen: iso.RuleHidden,
		iso.RuleEffect: iso.RuleStands}
	rule, about := rules[clause.Rule]
	switch {
	case clause.Rule == iso.RuleSource, clause.Rule == iso.RuleTwice:
		return clause, false
	case !about:
		return clause, true
	}
	clause.Rule = rule
	for k, i := range clause.Txns {
		if s, stands := t.where[i]; stands {
			clause.At = append(clause.At, s.at)
		} else if rule != iso.RuleHidden || k == 0 {
			return clause, false
		}
	}
	if rule == iso.RuleHidden {
		clause.At = clause.At[:1]
	}
	return clause, true
}

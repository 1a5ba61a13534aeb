package verify

// Refutations.
//
// What: makes of each clause its literals, after checking that it is an instance of its rule, and
// checks that the lemmas refute the clauses.
//
// Why it is right: each clause holds of every commit order that satisfies the axioms of the level
// (isolation.Rule says which and why), if those that do not take effect stand behind all others,
// and from(p, s) says whom p is from there. So an order would satisfy all clauses, and none does.
//
// Cost: one pass over the history, what the places show, the writes of the transactions that a
// clause names, and the lemmas (clausal.Formula.Check).

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// clauses makes literals of the clauses of a refutation.
type clauses struct {
	*index
	level  isolation.Level
	number map[statement]clausal.Lit
}

// statement is what a variable says: that event a comes before event b, that the read at p is from
// a, or that a takes effect; or where the appends of a stand.
type statement struct {
	what kind
	p    isolation.Place
	a, b int32
}

type kind uint8

const (
	isBefore kind = iota
	isFrom
	isEffect
	isPlaced // b elements of the list p.Txn stand before what a appends
	isTrue   // no variable
)

// literal is a statement or its negation.
type literal struct {
	statement
	not bool
}

var always = literal{statement: statement{what: isTrue}}

func (l literal) negated() literal { l.not = !l.not; return l }

// refuted checks that r shows that h is not at a level.
func refuted(ctx context.Context, h *isolation.History, l isolation.Level, r *isolation.Refutation) error {
	c := &clauses{level: l, number: map[statement]clausal.Lit{}}
	var err error
	if c.index, err = newIndex(h, r.Clauses); err != nil {
		return err
	}
	formula := clausal.NewFormula()
	for k := range r.Clauses {
		if k&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		of := &r.Clauses[k]
		clause, err := c.literals(of)
		if err != nil {
			return base.Under(of.Rule.String(), err)
		}
		lits := make([]clausal.Lit, 0, len(clause))
		for _, l := range clause {
			switch {
			case l == always:
				err := base.Faultf(c.about(of), "clause %d says nothing: a literal is true", k+1)
				return base.Under(of.Rule.String(), err)
			case l != always.negated():
				lits = append(lits, c.literal(formula, l))
			}
		}
		if len(lits) == 0 {
			if len(r.Clauses) > 1 || len(r.Lemmas) > 0 {
				return base.Under(of.Rule.String(),
					base.Faultf(c.about(of), "clause %d has no literals, and is not the whole refutation", k+1))
			}
			return nil
		}
		formula.Add(clausal.Axiom(of.Rule.String()), clausal.By(), lits...)
		if !formula.Step(1 + c.work) {
			return clausal.ErrTooLarge
		}
		c.work = 0
	}
	return formula.Check(ctx, r.Lemmas)
}

// literal returns the literal of a formula, with a new variable for a new statement.
func (c *clauses) literal(f *clausal.Formula, l literal) clausal.Lit {
	v, known := c.number[l.statement]
	if !known {
		v = f.Fresh(1)
		c.number[l.statement] = v
	}
	if l.not {
		return -v
	}
	return v
}

// The literals. Events are as in a refutation; that of the initial transaction is negative.

func (c *clauses) before(a, b int32) literal {
	switch {
	case a < 0:
		return always
	case b < 0:
		return always.negated()
	case a < b:
		return literal{statement: statement{what: isBefore, a: a, b: b}}
	}
	return literal{statement{what: isBefore, a: b, b: a}, true}
}

func (c *clauses) effect(t int32) literal {
	if t == isolation.Initial || c.h.Txns[t].Status == isolation.Committed {
		return always
	}
	return literal{statement: statement{what: isEffect, a: t}}
}

func commit(t int32) int32 { return 2*t + 1 }

func (c *clauses) start(t int32) int32 {
	if twoEvents(c.level) {
		return 2 * t
	}
	return commit(t)
}

// about names what a clause is of.
func (c *clauses) about(of *isolation.Clause) string {
	switch {
	case len(of.Places) > 0:
		return c.what(of.Places[0])
	case len(of.Txns) > 0:
		return c.txn(of.Txns...)
	}
	return ""
}

// shape says how many places and transactions a rule takes, and whether it takes hops and events.
type shape struct {
	places, txns int
	at           int
	hops, events bool
	models       []isolation.Model // nil for all
}

var shapes = [...]shape{
	isolation.RuleSource:  {places: 1},
	isolation.RuleEffect:  {places: 1, txns: 1},
	isolation.RuleWritten: {places: 1, txns: 1},
	isolation.RuleOwn:     {txns: 1, models: []isolation.Model{isolation.Prefix, isolation.Snapshot}},
	isolation.RuleGiven:   {txns: 2},
	isolation.RuleVersion: {places: 1, txns: 2},
	isolation.RuleUnseen:  {places: 1, txns: 2},
	isolation.RuleOverwritten: {places: 1, txns: 2,
		models: []isolation.Model{isolation.Prefix, isolation.Snapshot, isolation.Serializable}},
	isolation.RuleConflict: {txns: 2, models: []isolation.Model{isolation.Snapshot}},
	isolation.RuleSeen: {places: 1, txns: 2, hops: true,
		models: []isolation.Model{isolation.ReadCommitted, isolation.ReadAtomic}},
	isolation.RuleReached:      {places: 1, txns: 2, hops: true, models: []isolation.Model{isolation.Causal}},
	isolation.RuleVisible:      {txns: 1, hops: true, models: []isolation.Model{isolation.ParallelSnapshot}},
	isolation.RuleCycle:        {events: true},
	isolation.RuleInternal:     {places: 1},
	isolation.RuleIncompatible: {places: 2},
	isolation.RuleTwice:        {places: 1},
	isolation.RulePlaced:       {places: 1, at: 1},
	isolation.RulePlaces:       {places: 1, txns: 2, at: 2},
	isolation.RuleHidden:       {places: 1, txns: 2, at: 1},
	isolation.RuleStands:       {places: 1, txns: 1, at: 1},
}

// fits checks that a clause has what its rule takes, at a level that it is about.
func (c *clauses) fits(of *isolation.Clause) error {
	if int(of.Rule) >= len(shapes) {
		return base.Faultf("", "there is no rule %d", of.Rule)
	}
	s := shapes[of.Rule]
	alone := of.Rule == isolation.RulePlaces && len(of.Txns) == 1
	if len(of.Places) != s.places || len(of.Txns) != s.txns && !alone || len(of.At) != s.at ||
		(len(of.Hops) > 0) != s.hops || len(of.Events) > 1 != s.events || len(of.Events) == 1 {
		return base.Faultf("", "it takes %d places and %d transactions, hops: %v, events: %v", s.places, s.txns, s.hops,
			s.events)
	}
	if s.models != nil && !slices.Contains(s.models, c.level.Model) {
		return base.Faultf(c.about(of), "it is no rule of %s", c.level.Model)
	}
	for k, t := range of.Txns {
		initial := t == isolation.Initial && k == 0 && s.places == 1 && s.at == 0 &&
			of.Rule != isolation.RuleUnseen && of.Rule != isolation.RuleVersion
		if err := c.exists(t); err != nil && !initial {
			return err
		}
		if slices.Contains(of.Txns[:k], t) {
			return base.Faultf(c.txn(t), "it is named twice")
		}
	}
	return nil
}

// exists checks that there is a transaction, which did not abort.
func (c *clauses) exists(t int32) error {
	switch {
	case t < 0 || int(t) >= len(c.h.Txns):
		return base.Faultf(c.txn(t), "there is no such transaction")
	case c.h.Txns[t].Status == isolation.Aborted:
		return base.Faultf(c.txn(t), "it aborted")
	}
	return nil
}

// literals returns the literals of a clause, in the order that isolation.Rule says.
func (c *clauses) literals(of *isolation.Clause) ([]literal, error) {
	if err := c.fits(of); err != nil {
		return nil, err
	}
	if len(of.Places) > 0 {
		return c.ofRead(of, of.Places[0])
	}
	if of.Rule == isolation.RuleCycle {
		return c.cycle(of.Events)
	}
	a := of.Txns[0]
	switch of.Rule {
	case isolation.RuleOwn:
		return []literal{c.before(c.start(a), commit(a))}, nil
	case isolation.RuleVisible:
		p := path{clauses: c, at: a}
		if err := p.follow(of.Hops, true); err != nil {
			return nil, err
		}
		if p.at != a {
			return nil, base.Faultf(c.txn(p.at), "the hops end there, and not where they began")
		}
		return append(p.effects, p.steps...), nil
	}
	b := of.Txns[1]
	effects := []literal{c.effect(a).negated(), c.effect(b).negated()}
	switch of.Rule {
	case isolation.RuleGiven:
		if !c.h.GivenBefore(c.level.Given, a, b) {
			return nil, base.Faultf(c.txn(a, b), "the history does not give that order")
		}
		return append(effects, c.before(commit(a), c.start(b))), nil
	default: // RuleConflict
		if !c.bothWrite(a, b) {
			return nil, base.Faultf(c.txn(a, b), "they write no object both")
		}
		return append(effects, c.before(commit(a), c.start(b)), c.before(commit(b), c.start(a))), nil
	}
}

// ofRead returns the literals of a clause that is of the read at p.
func (c *clauses) ofRead(of *isolation.Clause, p isolation.Place) ([]literal, error) {
	switch of.Rule {
	case isolation.RuleInternal:
		if c.shown(p).shows != conflict {
			return nil, base.Faultf(c.what(p), "it does not contradict what it wrote before")
		}
		return nil, nil
	case isolation.RuleTwice:
		return nil, c.twice(p)
	}
	if err := c.outside(of.Places...); err != nil {
		return nil, err
	}
	switch of.Rule {
	case isolation.RuleSource:
		return c.source(p)
	case isolation.RuleIncompatible:
		return nil, c.incompatible(p, of.Places[1])
	case isolation.RuleVersion:
		return c.version(p, of.Txns[0], of.Txns[1])
	case isolation.RuleUnseen:
		return c.unseen(p, of.Txns[0], of.Txns[1])
	case isolation.RulePlaced, isolation.RulePlaces, isolation.RuleHidden, isolation.RuleStands:
		return c.ofPlaces(of, p)
	}
	i, t := p.Txn, of.Txns[0]
	if of.Rule == isolation.RuleEffect && c.appended(p, t) {
		return []literal{c.effect(t)}, nil
	}
	source, err := c.from(p, t)
	if err != nil {
		return nil, err
	}
	switch of.Rule {
	case isolation.RuleEffect:
		return []literal{source.negated(), c.effect(t)}, nil
	case isolation.RuleWritten:
		return []literal{source.negated(), c.before(commit(t), c.start(i))}, nil
	}
	w := of.Txns[1]
	if w == i || !c.writes(w, c.access(p).Object) {
		return nil, base.Faultf(c.txn(w), "it is the reader, or does not write %s", c.object(c.access(p).Object))
	}
	h := path{clauses: c, at: w, effects: []literal{c.effect(w).negated()}}
	earlier := c.before(commit(w), commit(t))
	switch of.Rule {
	case isolation.RuleOverwritten:
		return append(h.effects, source.negated(), earlier, c.before(c.start(i), commit(w))), nil
	case isolation.RuleSeen:
		if len(of.Hops) > 1 || c.level.Model == isolation.ReadCommitted &&
			(of.Hops[0].Kind != isolation.Reads || of.Hops[0].Place.Access >= p.Access) {
			return nil, base.Faultf(c.what(p), "it takes one hop, and under read committed an earlier read")
		}
	}
	if err := h.follow(of.Hops, false); err != nil {
		return nil, err
	}
	if h.at != i {
		return nil, base.Faultf(c.txn(h.at), "the hops end there, and not at %s", c.txn(i))
	}
	return append(append(append(h.effects, source.negated()), h.steps...), earlier), nil
}

// cycle returns the literals of a cycle of events.
func (c *clauses) cycle(events []int32) (lits []literal, err error) {
	for k, e := range events {
		next := events[(k+1)%len(events)]
		switch {
		case e < 0 || int(e/2) >= len(c.h.Txns):
			return nil, base.Faultf("", "there is no event %d", e)
		case e%2 == 0 && !twoEvents(c.level):
			return nil, base.Faultf(c.txn(e/2), "there are no starts at this level")
		case e == next:
			return nil, base.Faultf(c.txn(e/2), "an event comes twice in a row")
		}
		if err := c.exists(e / 2); err != nil {
			return nil, err
		}
		lits = append(lits, c.before(e, next).negated())
	}
	return lits, nil
}

package words

// Why no order of writes is possible, where no cycle holds in all of them.
//
// What: the clauses of a refutation as an argument. What follows from them without a choice is said
// first; then one choice is supposed, and what follows from it up to a contradiction; then the
// other one. A step is only said if the contradiction needs it.
//
// Cost: exponential in the choices that are needed; where there are too many there is no argument.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/verify"
)

// argument is a search for contradictions in all cases.
type argument struct {
	speaker
	level   isolation.Level
	clauses []isolation.Clause
	lits    [][]verify.Literal
	value   map[verify.Literal]bool // without Not
	trail   []derived
	left    int // choices that may still be made
}

// derived is a literal that holds: from a clause, or -1 if it is supposed.
type derived struct {
	literal verify.Literal
	clause  int
}

// refuted is a contradiction: which steps of the trail it needs and the clause that is false; or
// what two cases come to.
type refuted struct {
	needs   []int // places in the trail, ascending
	clause  int
	steps   []derived // beyond the trail where the cases divide
	cases   [2]*refuted
	suppose verify.Literal
}

// argue returns why a refutation is one, in sentences; nil if that takes too many.
func argue(s speaker, c *isolation.Certificate) []string {
	l, err := isolation.ParseLevel(c.Level)
	if err != nil || len(c.Refutation.Clauses) > maxArgued {
		return nil
	}
	lits, err := verify.Literals(s.h, l, c.Refutation)
	if err != nil {
		return nil
	}
	a := &argument{speaker: s, level: l, clauses: c.Refutation.Clauses, lits: lits, value: map[verify.Literal]bool{},
		left: maxCases}
	r := a.refute()
	if r == nil {
		return nil
	}
	return a.tell(r, 0, nil)
}

// truth is 1 if a literal holds, -1 if it does not, and 0 if that is open.
func (a *argument) truth(l verify.Literal) int {
	not := l.Not
	l.Not = false
	v, known := a.value[l]
	switch {
	case !known:
		return 0
	case v != not:
		return 1
	}
	return -1
}

func (a *argument) hold(d derived) {
	a.trail = append(a.trail, d)
	l := d.literal
	l.Not = false
	a.value[l] = !d.literal.Not
}

// undo forgets all beyond the first n steps.
func (a *argument) undo(n int) {
	for _, d := range a.trail[n:] {
		d.literal.Not = false
		delete(a.value, d.literal)
	}
	a.trail = a.trail[:n]
}

// refute returns a contradiction; nil if it takes too many choices.
func (a *argument) refute() *refuted {
	choice := -1
	for again := true; again; {
		again, choice = false, -1
		for k, lits := range a.lits {
			open, satisfied := 0, false
			var last verify.Literal
			for _, l := range lits {
				switch a.truth(l) {
				case 1:
					satisfied = true
				case 0:
					open, last = open+1, l
				}
			}
			switch {
			case satisfied:
			case open == 0:
				return a.conflict(k)
			case open == 1:
				a.hold(derived{last, k})
				again = true
			case choice < 0 || len(lits) < len(a.lits[choice]):
				choice = k
			}
		}
	}
	if a.left--; a.left < 0 || choice < 0 {
		return nil
	}
	suppose := a.lits[choice][slices.IndexFunc(a.lits[choice], func(l verify.Literal) bool { return a.truth(l) == 0 })]
	n := len(a.trail)
	var cases [2]*refuted
	for k := range cases {
		l := suppose
		l.Not = l.Not != (k == 1)
		a.hold(derived{l, -1})
		r := a.refute()
		if r == nil {
			return nil
		}
		if !slices.Contains(r.needs, n) {
			a.undo(n)
			r.needs = slices.DeleteFunc(r.needs, func(m int) bool { return m >= n })
			return r // it is one without the choice
		}
		r.steps = slices.Clone(a.trail[n:])
		a.undo(n)
		cases[k] = r
	}
	needs := slices.Concat(cases[0].needs, cases[1].needs)
	needs = slices.DeleteFunc(inorder.Distinct(needs), func(m int) bool { return m >= n })
	return &refuted{needs: needs, clause: -1, cases: cases, suppose: suppose}
}

// conflict returns what makes a clause false: the steps that it needs, and those that they need.
func (a *argument) conflict(k int) *refuted {
	needed := make([]bool, len(a.trail))
	mark := func(clause int, before int) {
		for _, l := range a.lits[clause] {
			for m := range before {
				if d := a.trail[m].literal; d.Place == l.Place && d.A == l.A && d.B == l.B && d.Not != l.Not &&
					d.Before == l.Before && d.From == l.From && d.Effect == l.Effect {
					needed[m] = true
				}
			}
		}
	}
	mark(k, len(a.trail))
	r := &refuted{clause: k}
	for m := len(a.trail) - 1; m >= 0; m-- {
		if needed[m] {
			r.needs = append(r.needs, m)
			if a.trail[m].clause >= 0 {
				mark(a.trail[m].clause, m)
			}
		}
	}
	slices.Reverse(r.needs)
	return r
}

// tell says a contradiction; the trail has been said up to a place, and is as it was there.
func (a *argument) tell(r *refuted, from int, trail []derived) (all []string) {
	if trail == nil {
		trail = a.trail
	}
	for _, m := range r.needs {
		if m >= from && trail[m].clause >= 0 {
			all = append(all, a.because(trail[m])+", so "+a.says(trail[m].literal))
		}
	}
	if r.clause >= 0 {
		return append(all, a.contradiction(r.clause))
	}
	n := len(trail)
	for k, c := range r.cases {
		l := r.suppose
		l.Not = l.Not != (k == 1)
		inner := a.tell(c, n+1, slices.Concat(trail, c.steps))
		inner[0] = [...]string{"Suppose that ", "Otherwise "}[k] + a.says(l) + ": " + inner[0]
		all = append(all, inner...)
	}
	return all
}

// contradiction says that a clause is false.
func (a *argument) contradiction(k int) string {
	switch c := &a.clauses[k]; c.Rule {
	case isolation.RuleCycle:
		return a.way(append(slices.Clone(c.Events), c.Events[0])) + " is a cycle"
	case isolation.RuleOverwritten:
		return a.readFrom(c) + ", and " + a.txn(c.Txns[1]) + " wrote there in between, which cannot be"
	}
	return a.because(derived{clause: k}) + ", which cannot be"
}

// way says events one before the other.
func (a *argument) way(events []int32) string {
	var names []string
	for _, e := range events {
		names = append(names, a.event(e))
	}
	return strings.Join(names, " before ")
}

// readFrom says what the first place of a clause read, and from whom.
func (a *argument) readFrom(c *isolation.Clause) string {
	p := c.Places[0]
	return a.txn(p.Txn) + " read " + a.read(p) + " from " + a.txn(c.Txns[0])
}

// event names an event: a transaction, or its start or commit where that is not the same.
func (a *argument) event(e int32) string {
	name := a.txn(e / 2)
	switch {
	case a.level.Model != isolation.Prefix && a.level.Model != isolation.Snapshot:
		return name
	case e%2 == 0:
		return "the start of " + name
	}
	return "the commit of " + name
}

// says says a literal.
func (a *argument) says(l verify.Literal) string {
	not := ""
	if l.Not {
		not = "not "
	}
	switch {
	case l.Before && l.Not:
		return a.event(l.B) + " comes before " + a.event(l.A)
	case l.Before:
		return a.event(l.A) + " comes before " + a.event(l.B)
	case l.From:
		return "what " + a.txn(l.Place.Txn) + " read, " + a.read(l.Place) + ", is " + not + "from " + a.txn(l.A)
	case l.Effect && l.Not:
		return a.txn(l.A) + " takes no effect"
	case l.Effect:
		return a.txn(l.A) + " takes effect"
	}
	return "what " + a.txn(l.A) + " appended to " + a.object(l.Place.Txn) + " is " + not + "at place " +
		strconv.Itoa(int(l.B)+1)
}

// because says what a step rests on.
func (a *argument) because(d derived) string {
	c := &a.clauses[d.clause]
	var p isolation.Place
	read := ""
	if len(c.Places) > 0 {
		p = c.Places[0]
		read = a.txn(p.Txn) + " read " + a.read(p)
	}
	txn := func(n int) string { return a.txn(c.Txns[n]) }
	from := func() string {
		if d.literal.Not && (d.literal.From || d.literal.Placed) {
			return "if " + a.readFrom(c) // that is refuted
		}
		return a.readFrom(c)
	}
	switch c.Rule {
	case isolation.RuleEffect, isolation.RuleWritten:
		return from()
	case isolation.RuleOwn:
		return txn(0) + " starts before it commits"
	case isolation.RuleGiven:
		kind := isolation.Session
		if !a.h.GivenBefore(isolation.SessionOrder, c.Txns[0], c.Txns[1]) {
			kind = isolation.Time
		}
		return a.why(isolation.Edge{From: c.Txns[0], To: c.Txns[1], Kind: kind})
	case isolation.RuleVersion, isolation.RulePlaces:
		return read + ", to which " + a.list(c.Txns) + " appended"
	case isolation.RuleUnseen, isolation.RuleHidden:
		return read + ", with what " + txn(0) + " appended, and " + txn(1) + " appended to it, too"
	case isolation.RuleOverwritten:
		return from() + ", and " + txn(1) + " wrote there, too"
	case isolation.RuleConflict:
		return txn(0) + " and " + txn(1) + " write one object"
	case isolation.RuleSeen, isolation.RuleReached:
		return from() + ", and sees " + txn(1) + ", which wrote there, too"
	case isolation.RuleVisible:
		var via []int32
		for _, h := range c.Hops {
			via = append(via, h.To)
		}
		return txn(0) + " does not see what overwrote what it read, by way of " + a.list(via)
	case isolation.RuleCycle:
		first, l := d.literal.A, d.literal // the way from one of them round to the other
		if l.Not {
			first = l.B
		}
		k := max(slices.Index(c.Events, first), 0)
		return a.way(slices.Concat(c.Events[k:], c.Events[:k]))
	}
	return read // RuleSource, RulePlaced, RuleStands
}

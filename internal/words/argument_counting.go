package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wide"
)

// aboutCounting tells SUM.
func (t *teller) aboutCounting(c *model.CountingTheory, s *proof.Step) string {
	q, r := s.Args[0], s.Args[1]
	given := map[proof.Literal]bool{}
	for _, g := range s.Given {
		if g != s.So.Negated() {
			given[g] = true
		}
	}
	holds := func(l proof.Literal) bool {
		return given[l] || l.Kind == proof.InKind && !t.w.Optional[l.A] && !l.Not
	}
	inside, maybe, outside := t.sorted(c, q, r, holds)
	// Were the conclusion false, it would not be right.
	sum := claim.Sum{After: t.at(q), By: t.at(r), Since: t.whole.from}
	sure, free, out := t.sorted(c, q, r, func(l proof.Literal) bool { return l == s.So.Negated() || holds(l) })
	sum.Inside, sum.Maybe, sum.Outside = t.allAt(sure), t.allAt(free), t.allAt(out)
	t.claim(sum)
	sees, it := " sees ", "it"
	if view := t.values.view; view != nil {
		sees, it = " sees that "+view.What+" is ", view.What
	}
	text := t.op(r) + sees + strconv.FormatInt(c.Observed[r], 10) + "; "
	if q < 0 {
		text += t.counter + " starts at " + strconv.FormatInt(c.Init[c.Object[r]], 10)
	} else {
		text += "after " + t.op(q)
		if t.plain(q, r) || s.So != proof.LessThan(r, q) {
			text += inParentheses(t.orderOf(q, r, given))
		}
		text += " " + it + " is " + wide.Of(c.Observed[q]).Add(c.Delta[q]).String()
	}
	add := func(head string, ops []history.OpID, adds bool, show func(x history.OpID) string) {
		if len(ops) == 0 {
			return
		}
		var parts, many []string
		var none, low, high wide.Int
		for _, x := range ops {
			why := show(x)
			// in time: not told one by one
			if len(ops) > maxListed && strings.Count(why, "<") == strings.Count(why, " < ") {
				many = append(many, t.op(x))
				low, high = low.Add(min(c.Delta[x], 0)), high.Add(max(c.Delta[x], 0))
				continue
			}
			parts = append(parts, fmt.Sprintf("%s%s", t.op(x), inParentheses(why)))
		}
		switch {
		case len(many) == 1:
			parts = append(parts, many[0])
		case len(many) > 1 && adds:
			parts = append(parts, fmt.Sprintf("%d operations that add up to %v", len(many), low.Plus(high)))
		case len(many) > 1 && low != none && high != none:
			parts = append(parts, fmt.Sprintf("%d operations that add %v to %v", len(many), low, high))
		case len(many) > 1:
			parts = append(parts, fmt.Sprintf("%d operations that add at most %v", len(many), low.Plus(high)))
		}
		text += "; " + head + " " + strings.Join(parts, ", ")
	}
	add("in between come", inside, true, func(x history.OpID) string { return t.placed(q, x, r, given) })
	if len(outside) <= maxListed {
		add("outside are", outside, false, func(x history.OpID) string { return t.placed(q, x, r, given) })
	} else {
		text += fmt.Sprintf("; outside are %d operations", len(outside))
	}
	add("in between may come", maybe, false, func(history.OpID) string { return "" })
	if len(inside)+len(maybe) == 0 {
		text += "; nothing that changes it comes in between"
	}
	if s.Contradiction() {
		return text + ": that cannot make " + strconv.FormatInt(c.Observed[r], 10)
	}
	return text + "; so " + t.statement(s.So)
}

// sorted lists the operations that change the counter: those that come between q and r, those that
// may, and those that do not.
func (t *teller) sorted(c *model.CountingTheory, q, r history.OpID, holds func(l proof.Literal) bool) (inside, maybe,
	outside []history.OpID) {
	for _, x := range t.w.Members(r) {
		switch {
		case x == q || x == r || c.Delta[x] == 0:
		case holds(proof.TakesEffect(x).Negated()) || holds(proof.LessThan(r, x)) || q >= 0 &&
			holds(proof.LessThan(x, q)):
			outside = append(outside, x)
		case holds(proof.TakesEffect(x)) && holds(proof.LessThan(x, r)) && (q < 0 || holds(proof.LessThan(q, x))):
			inside = append(inside, x)
		default:
			maybe = append(maybe, x)
		}
	}
	return inside, maybe, outside
}

// orderOf is the chain a<b if that is given.
func (t *teller) orderOf(a, b history.OpID, given map[proof.Literal]bool) string {
	if a < 0 || b < 0 || !given[proof.LessThan(a, b)] {
		return ""
	}
	return t.chain(a, b)
}

// placed says why x is between q and r or outside.
func (t *teller) placed(q, x, r history.OpID, given map[proof.Literal]bool) string {
	var parts []string
	for _, e := range [][2]history.OpID{{x, q}, {q, x}, {x, r}, {r, x}} {
		if why := t.orderOf(e[0], e[1], given); why != "" {
			parts = append(parts, why)
		}
	}
	for _, l := range []proof.Literal{proof.TakesEffect(x), proof.TakesEffect(x).Negated()} {
		if given[l] {
			parts = append(parts, t.statement(l)+t.number1(l))
		}
	}
	return strings.Join(parts, ", ")
}

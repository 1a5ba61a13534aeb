package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/spec"
)

// laws are the axioms of collections in a few words.
var laws = map[spec.Axiom]string{
	spec.ONE: "what is taken is taken once", spec.PK: "it was still there when it was seen",
	spec.QF: "first in, first out", spec.QN: "first in, first out", spec.SL: "last in, first out", spec.SN: "last in, first out",
	spec.PF: "the best goes first", spec.PN: "the best goes first", spec.SI: "what is found was put in", spec.SB: "what is found was put in before",
}

func (t *teller) aboutCollection(c *spec.Collection, s *check.Step, clause []spec.Literal) string {
	switch s.Axiom {
	case spec.SRC:
		return t.source(s, clause)
	case spec.COUNT:
		return t.returnedTooOften(c, s)
	case spec.SB:
		return t.op(s.Args[0]) + " found what was put in by " + t.op(s.Args[1]) + ", but came before it" + inParentheses(t.chain(s.Args[0], s.Args[1]))
	case spec.QN, spec.SN, spec.PN, spec.ZN:
		if text := t.stays(s, clause); text != "" {
			return text
		}
	case spec.QF, spec.SL, spec.PF, spec.Z, spec.ONE, spec.PK:
		if text := t.law(s); text != "" {
			return text
		}
	}
	return t.generic(s, clause)
}

// law tells an axiom about two orders that are not the same: one makes the other.
func (t *teller) law(s *check.Step) string {
	if s.Axiom == spec.ONE {
		r, q, i := s.Args[0], s.Args[1], s.Args[2]
		switch {
		case !s.Contradiction():
			return ""
		case q >= 0 && t.isRemoval(q):
			return t.op(r) + t.number1(spec.SourceOf(r, i)) + " and " + t.op(q) + t.number1(spec.SourceOf(q, i)) + " both took what was put in by " + t.op(i)
		}
		return t.op(r) + " cannot have found both what was put in by " + t.op(q) + t.number1(spec.SourceOf(r, q)) + " and by " + t.op(i) + t.number1(spec.SourceOf(r, i))
	}
	var early, late int32 // what follows
	switch s.Axiom {
	case spec.QF:
		early, late = s.Args[1], s.Args[3]
	case spec.SL, spec.PF:
		early, late = s.Args[3], s.Args[1]
	case spec.Z:
		early, late = s.Args[2], s.Args[0]
	case spec.PK:
		early, late = s.Args[0], s.Args[1]
	}
	if !s.Contradiction() && s.So != spec.LessThan(early, late) {
		return ""
	}
	var text string
	switch s.Axiom {
	case spec.QF:
		i, j := s.Args[0], s.Args[2]
		switch {
		case i >= 0 && t.plain(i, j):
			text = t.op(i) + " returned before " + t.op(j) + " was called"
		case i >= 0:
			text = t.op(i) + " came before " + t.op(j) + inParentheses(t.chain(i, j))
		default:
			text = t.op(i) + " was in before " + t.op(j)
		}
		text += ", so first in, first out: "
	case spec.SL:
		i, r, j := s.Args[0], s.Args[1], s.Args[2]
		text = t.op(j) + " lies on top of " + t.op(i) + inParentheses(t.between(i, j, r)) + ", so last in, first out: "
	case spec.PF:
		i, r, j := s.Args[0], s.Args[1], s.Args[2]
		text = t.op(j) + " is better than " + t.op(i) + " and there when " + t.op(r) + " comes"
		if j >= 0 {
			text += inParentheses(t.chain(j, r))
		}
		text += ", so "
	case spec.Z:
		z, i := s.Args[0], s.Args[1]
		text = t.op(z) + t.number1(spec.SourceOf(z, spec.Nobody)) + " found nothing, so what was put in before by " + t.op(i)
		if i >= 0 {
			text += inParentheses(t.chain(i, z))
		}
		text += " is out by then: "
	case spec.PK:
		text = t.op(early) + " saw what was put in by " + t.op(s.Args[2]) + ", so it was still there: "
	}
	text += t.op(early) + " comes before " + t.op(late)
	if s.Contradiction() {
		text += "; but " + t.contrary(late, early)
	}
	return text
}

// contrary says that a comes before b.
func (t *teller) contrary(a, b int32) string {
	if t.plain(a, b) {
		return t.op(a) + " returned before " + t.op(b) + " was called"
	}
	return t.chain(a, b)
}

// stays tells that what nobody takes out is in the way of something.
func (t *teller) stays(s *check.Step, clause []spec.Literal) string {
	var y, first, last int32 // y is in the way if it comes after first and before last
	first, last = spec.Nobody, spec.Nobody
	switch s.Axiom {
	case spec.QN:
		y, last = s.Args[0], s.Args[1]
	case spec.SN:
		first, y, last = s.Args[0], s.Args[2], s.Args[1]
	case spec.PN:
		y, last = s.Args[2], s.Args[1]
	case spec.ZN:
		y, last = s.Args[1], s.Args[0]
	}
	var not []string
	for _, l := range clause {
		if l.Kind == spec.SourceKind && l.B == y && !l.Not {
			if _, excluded := t.why[l.Negated()]; !excluded {
				return ""
			}
			not = append(not, "not by "+t.op(l.A)+": "+t.notSource(l.A, y))
		}
	}
	text := t.op(y)
	if s.Axiom == spec.PN {
		text += " is better than " + t.op(s.Args[0]) + " and"
	}
	text += " is never taken out" + inParentheses(strings.Join(not, "; "))
	where := ""
	if y >= 0 {
		switch {
		case !s.Contradiction() && s.So.Kind == spec.OrderKind && first >= 0:
			where = t.because(clause, append(sources(clause), s.So)...)
		case !s.Contradiction() && s.So.Kind == spec.OrderKind:
		case first >= 0:
			where = t.between(first, y, last)
		default:
			where = t.chain(y, last)
		}
	}
	where = inParentheses(where)
	sure := s.Contradiction() || s.So.Kind != spec.OrderKind
	switch s.Axiom {
	case spec.QN:
		if sure {
			text += ", yet in front of " + t.op(last) + where + ", and " + t.op(s.Args[2]) + t.number1(spec.SourceOf(s.Args[2], last)) + " takes what is behind it"
		} else {
			text += ", so it cannot be in front of " + t.op(last) + where + " when " + t.op(s.Args[2]) + " comes"
		}
	case spec.SN:
		if sure {
			text += ", yet on top of " + t.op(first) + where + " when " + t.op(last) + " takes what lies below it"
		} else {
			text += ", so it cannot lie on top of " + t.op(first) + " when " + t.op(last) + " comes" + where
		}
	case spec.PN:
		if sure {
			text += ", yet there when " + t.op(last) + " comes" + where
		} else {
			text += ", so it cannot be there when " + t.op(last) + " comes"
		}
	case spec.ZN:
		if sure {
			text += ", yet " + t.op(last) + " finds nothing after it" + where
		} else {
			text += ", so it cannot be there when " + t.op(last) + " finds nothing"
		}
	}
	if s.Contradiction() {
		return text
	}
	return text + ": " + t.statement(s.So)
}

// sources are the literals of a clause about who took what.
func sources(clause []spec.Literal) []spec.Literal {
	var out []spec.Literal
	for _, l := range clause {
		if l.Kind == spec.SourceKind {
			out = append(out, l)
		}
	}
	return out
}

// generic builds a sentence from premises, the law, and the conclusion.
func (t *teller) generic(s *check.Step, clause []spec.Literal) string {
	law := laws[s.Axiom]
	switch {
	case s.Axiom == spec.Z || s.Axiom == spec.ZN:
		law = t.op(s.Args[0]) + " found nothing"
	case law == "":
		law = string(s.Axiom)
	}
	if s.Contradiction() {
		var about []string
		for _, i := range named(s.Axiom, s.Args) {
			if i != spec.Nobody {
				about = append(about, t.op(i))
			}
		}
		return law + ", which does not fit " + list(about) + inParentheses(t.because(clause))
	}
	return law + ", so " + t.statement(s.So) + inParentheses(t.because(clause, s.So))
}

func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// fewListed is up to how many operations are listed in one sentence.
const fewListed = 8

// some lists operations, the first ones of many.
func (t *teller) some(positions []int32) string {
	if len(positions) <= fewListed {
		return t.ops(positions)
	}
	var words []string
	for _, i := range positions[:fewListed/2] {
		words = append(words, t.op(i))
	}
	return strings.Join(words, ", ") + " … (" + strconv.Itoa(len(positions)) + " operations)"
}

func (t *teller) ops(positions []int32) string {
	var words []string
	for _, i := range positions {
		words = append(words, t.op(i))
	}
	return list(words)
}

func (t *teller) returnedTooOften(c *spec.Collection, s *check.Step) string {
	to, removals := s.Args[0], s.Args[1:]
	var able []int32
	given := map[spec.Literal]bool{}
	for _, g := range s.Given {
		given[g] = true
	}
	for _, i := range t.w.Candidates(removals[0]) {
		if i != spec.Nobody && !given[spec.TakesEffect(i).Negated()] && (to == spec.Nobody || i < 0 || i != to && !given[spec.LessThan(to, i)]) {
			able = append(able, i)
		}
	}
	value := t.values.content(c, removals[0])
	if len(able) == 0 {
		return t.ops(removals) + ": nobody puts in " + value
	}
	return fmt.Sprintf("%s is taken out %s, by %s, but put in only %s, by %s", value, times(len(removals)), t.some(removals), times(len(able)), t.some(able))
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

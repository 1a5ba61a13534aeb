package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// laws are the axioms of collections in a few words.
var laws = map[proof.Axiom]string{
	proof.ONE: "what is taken is taken once", proof.PK: "it was still there when it was seen",
	proof.QF: "first in, first out", proof.QN: "first in, first out", proof.SL: "last in, first out",
	proof.SN: "last in, first out",
	proof.PF: "the best goes first", proof.PN: "the best goes first", proof.SI: "what is found was put in",
	proof.SB: "what is found was put in before",
}

func (t *teller) aboutCollection(c *model.CollectionTheory, s *proof.Step, clause []proof.Literal) string {
	switch s.Axiom {
	case proof.SRC:
		return t.source(s, clause)
	case proof.COUNT:
		return t.returnedTooOften(c, s)
	case proof.SB:
		return t.op(s.Args[0]) + " found what was put in by " + t.op(s.Args[1]) + ", but came before it" +
			inParentheses(t.chain(s.Args[0], s.Args[1]))
	case proof.QN, proof.SN, proof.PN, proof.ZN:
		if text := t.stays(s, clause); text != "" {
			return text
		}
		t.begin()
	case proof.QF, proof.SL, proof.PF, proof.Z, proof.ONE, proof.PK:
		if text := t.law(s); text != "" {
			return text
		}
	}
	return t.generic(s, clause)
}

// law tells an axiom about two orders that are not the same: one makes the other.
func (t *teller) law(s *proof.Step) string {
	if s.Axiom == proof.ONE {
		r, q, i := s.Args[0], s.Args[1], s.Args[2]
		switch {
		case !s.Contradiction():
			return ""
		case q >= 0 && t.isRemoval(q):
			return t.op(r) + t.number1(proof.SourceOf(r, i)) + " and " + t.op(q) + t.number1(proof.SourceOf(q, i)) +
				" both took what was put in by " + t.op(i)
		}
		return t.op(r) + " cannot have found both what was put in by " + t.op(q) + t.number1(proof.SourceOf(r, q)) +
			" and by " + t.op(i) + t.number1(proof.SourceOf(r, i))
	}
	var early, late history.OpID // what follows
	switch s.Axiom {
	case proof.QF:
		early, late = s.Args[1], s.Args[3]
	case proof.SL, proof.PF:
		early, late = s.Args[3], s.Args[1]
	case proof.Z:
		early, late = s.Args[2], s.Args[0]
	case proof.PK:
		early, late = s.Args[0], s.Args[1]
	}
	if !s.Contradiction() && s.So != proof.LessThan(early, late) {
		return ""
	}
	var text string
	switch s.Axiom {
	case proof.QF:
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
	case proof.SL:
		i, r, j := s.Args[0], s.Args[1], s.Args[2]
		text = t.op(j) + " lies on top of " + t.op(i) + inParentheses(t.between(i, j, r)) + ", so last in, first out: "
	case proof.PF:
		i, r, j := s.Args[0], s.Args[1], s.Args[2]
		text = t.op(j) + " is better than " + t.op(i) + " and there when " + t.op(r) + " comes"
		if j >= 0 {
			text += inParentheses(t.chain(j, r))
		}
		text += ", so "
	case proof.Z:
		z, i := s.Args[0], s.Args[1]
		text = t.op(z) + t.number1(proof.SourceOf(z, proof.NoOp)) + " found nothing, so what was put in before by " +
			t.op(i)
		if i >= 0 {
			text += inParentheses(t.chain(i, z))
		}
		text += " is out by then: "
	case proof.PK:
		text = t.op(early) + " saw what was put in by " + t.op(s.Args[2]) + ", so it was still there: "
	}
	text += t.op(early) + " comes before " + t.op(late)
	if s.Contradiction() {
		text += "; but " + t.contrary(late, early)
	}
	return text
}

// contrary says that a comes before b.
func (t *teller) contrary(a, b history.OpID) string {
	if t.plain(a, b) {
		return t.op(a) + " returned before " + t.op(b) + " was called"
	}
	return t.chain(a, b)
}

// stays tells that a value that is never taken out is in the way of something.
func (t *teller) stays(s *proof.Step, clause []proof.Literal) string {
	var y, first, last history.OpID // y is in the way if it comes after first and before last
	first, last = proof.NoOp, proof.NoOp
	switch s.Axiom {
	case proof.QN:
		y, last = s.Args[0], s.Args[1]
	case proof.SN:
		first, y, last = s.Args[0], s.Args[2], s.Args[1]
	case proof.PN:
		y, last = s.Args[2], s.Args[1]
	case proof.ZN:
		y, last = s.Args[1], s.Args[0]
	}
	var not []string
	var except []history.OpID // what is known to take something else
	switch s.Axiom {
	case proof.QN:
		except = append(except, t.at(s.Args[2]))
	case proof.SN, proof.PN:
		except = append(except, t.at(s.Args[1]))
	}
	for _, l := range clause {
		if l.Kind == proof.SourceKind && l.B == y && !l.Not {
			if _, excluded := t.why[l.Negated()]; !excluded {
				return ""
			}
			except = append(except, t.at(l.A))
			not = append(not, "not by "+t.op(l.A)+": "+t.notSource(l.A, y))
		}
	}
	text := t.op(y)
	if s.Axiom == proof.PN {
		text += " is better than " + t.op(s.Args[0]) + " and"
	}
	stays, repeated := t.notTaken(y, except)
	if repeated && !s.Contradiction() {
		return "" // it stays only if what follows is not so
	}
	text += stays + inParentheses(strings.Join(not, "; "))
	where := ""
	if y >= 0 {
		switch {
		case !s.Contradiction() && s.So.Kind == proof.OrderKind && first >= 0:
			where = t.because(clause, append(sources(clause), s.So)...)
		case !s.Contradiction() && s.So.Kind == proof.OrderKind:
		case first >= 0:
			where = t.between(first, y, last)
		default:
			where = t.chain(y, last)
		}
	}
	where = inParentheses(where)
	sure := s.Contradiction() || s.So.Kind != proof.OrderKind
	switch s.Axiom {
	case proof.QN:
		if sure {
			text += ", yet in front of " + t.op(last) + where + ", and " + t.op(s.Args[2]) +
				t.number1(proof.SourceOf(s.Args[2], last)) + " takes what is behind it"
		} else {
			text += ", so it cannot be in front of " + t.op(last) + where + " when " + t.op(s.Args[2]) + " comes"
		}
	case proof.SN:
		if sure {
			text += ", yet on top of " + t.op(first) + where + " when " + t.op(last) + " takes what lies below it"
		} else {
			text += ", so it cannot lie on top of " + t.op(first) + " when " + t.op(last) + " comes" + where
		}
	case proof.PN:
		if sure {
			text += ", yet there when " + t.op(last) + " comes" + where
		} else {
			text += ", so it cannot be there when " + t.op(last) + " comes"
		}
	case proof.ZN:
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
func sources(clause []proof.Literal) []proof.Literal {
	var out []proof.Literal
	for _, l := range clause {
		if l.Kind == proof.SourceKind {
			out = append(out, l)
		}
	}
	return out
}

// generic builds a sentence from premises, the law, and the conclusion.
func (t *teller) generic(s *proof.Step, clause []proof.Literal) string {
	law := laws[s.Axiom]
	switch {
	case s.Axiom == proof.Z || s.Axiom == proof.ZN:
		law = t.op(s.Args[0]) + " found nothing"
	case law == "":
		law = string(s.Axiom)
	}
	if s.Contradiction() {
		var about []string
		for _, i := range s.Operations() {
			if i != proof.NoOp {
				about = append(about, t.op(i))
			}
		}
		return law + ", which does not fit " + join(about) + inParentheses(t.because(clause))
	}
	return law + ", so " + t.statement(s.So) + inParentheses(t.because(clause, s.So))
}

// some lists operations, the first ones of many.
func (t *teller) some(positions []history.OpID) string {
	if len(positions) <= fewListed {
		return t.ops(positions)
	}
	var words []string
	for _, i := range positions[:fewListed/2] {
		words = append(words, t.op(i))
	}
	return strings.Join(words, ", ") + " … (" + strconv.Itoa(len(positions)) + " operations)"
}

func (t *teller) ops(positions []history.OpID) string {
	var words []string
	for _, i := range positions {
		words = append(words, t.op(i))
	}
	return join(words)
}

func (t *teller) returnedTooOften(c *model.CollectionTheory, s *proof.Step) string {
	to, removals := s.Args[0], s.Args[1:]
	var able []history.OpID
	given := map[proof.Literal]bool{}
	for _, g := range s.Given {
		given[g] = true
	}
	for _, i := range t.w.Candidates(removals[0]) {
		if i != proof.NoOp && !given[proof.TakesEffect(i).Negated()] && (to == proof.NoOp || i < 0 || i != to &&
			!given[proof.LessThan(to, i)]) {
			able = append(able, i)
		}
	}
	value := t.values.content(c, removals[0])
	t.claim(claim.TakenOut{Removals: t.allAt(removals)})
	later := t.putInLater(removals[0], able)
	if len(able) == 0 {
		if later == "" {
			t.claim(claim.NeverPutIn{Removal: t.at(removals[0])})
			return t.ops(removals) + ": " + value + " is never put in" + t.into(removals[0])
		}
		return t.ops(removals) + ": " + value + " is not put in" + t.into(removals[0]) + " before that; " + later
	}
	often := times(len(removals))
	exactly := claim.TakenOut{Removals: t.allAt(removals), Exactly: true}
	if holds, err := t.whole.judge.Holds(exactly); err == nil && holds {
		t.claim(exactly)
	} else {
		often = "at least " + often
	}
	if later != "" {
		return fmt.Sprintf("%s is taken out %s, by %s, but until then put in only %s, by %s; %s", value, often,
			t.some(removals), times(len(able)), t.some(able), later)
	}
	return fmt.Sprintf("%s is taken out %s, by %s, but put in only %s, by %s", value, often, t.some(removals),
		times(len(able)), t.some(able))
}

// into names the key that an operation is on, where others are on other keys.
func (t *teller) into(i history.OpID) string {
	p := t.whole.b.Partition
	key := p.Ops[t.at(i)].Key
	if !slices.ContainsFunc(p.Ops, func(o history.Op) bool { return o.Key != key }) {
		return ""
	}
	return "to " + Short(p.History.Values, key)
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

package explain

// Refutations of relaxed queues in sentences.
//
// What: a refutation narrows slots and places until nothing is left (proof.Displacement). If a
// value has slot s, the s-th removal takes it in ρ″; the sentences say that the value is due at the
// s-th removal. The contradiction comes first, then the steps that it rests on, found backwards
// from it (verify.Trace). Of a long chain only the last steps are shown, and the number of earlier
// ones.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/quasi"
)

// Sentences puts a refutation of b's partition under r into English, and lists the operations that
// it mentions, ascending. name returns the full text of an operation. The refutation must be one
// that verify.Displacement accepts.
func Sentences(b *model.Instance, r *quasi.Question, refutation *proof.Displacement,
	name func(op history.OpID) string) (told []claim.Sentence, operations []history.OpID, err error) {
	refutation, trace, err := verify.Trace(b, r, refutation)
	if err != nil {
		return nil, nil, err
	}
	t := newTeller(b, r, refutation, trace, name)
	last := len(refutation.Steps) - 1
	needed := []int{last}
	for k := 0; k < len(needed); k++ {
		for _, p := range trace[needed[k]] {
			if p.Step >= 0 && !slices.Contains(needed, p.Step) {
				needed = append(needed, p.Step)
			}
		}
	}
	slices.Sort(needed)
	chain := needed[:len(needed)-1]
	hidden := 0
	if len(chain) > maxChain+1 {
		hidden = len(chain) - maxChain
		chain = chain[hidden:]
	}
	for k, step := range chain {
		t.number[step] = k + 1
	}
	sentences := []string{"CONTRADICTION: " + t.contradiction(last) + "."}
	if hidden > 0 {
		sentences = append(sentences, fmt.Sprintf("(%d earlier steps narrow the positions likewise)", hidden))
	}
	for _, step := range chain {
		sentences = append(sentences, strconv.Itoa(t.number[step])+". "+t.step(step)+".")
	}
	for op := range t.spoken {
		operations = append(operations, op)
	}
	slices.Sort(operations)
	if slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, " due ") }) {
		sentences = append(sentences, "(A value is due at the removal that takes it in ρ″.)")
	}
	judge := claim.Of(b, 0)
	for k, text := range sentences {
		claims := []claim.Claim{claim.Certified{}}
		if k == 0 {
			claims = append(claims, t.claims...)
		}
		if !judge.All(claims) {
			text, claims = "CONTRADICTION: the positions of the values do not fit each other.", claims[:1]
		}
		told = append(told, claim.Say(text, claims[0], claims[1:]...))
	}
	return told, operations, nil
}

type teller struct {
	b          *model.Instance
	c          *model.CollectionTheory
	r          *quasi.Question
	refutation *proof.Displacement
	trace      [][]verify.Position
	name       func(op history.OpID) string
	number     map[int]int // of the sentence that states a step
	spoken     map[history.OpID]bool
	named      map[history.OpID]bool // in this sentence
	claims     []claim.Claim         // of the contradiction

	insertions, removals []history.OpID
	contents             int
}

func newTeller(b *model.Instance, r *quasi.Question, refutation *proof.Displacement, trace [][]verify.Position,
	name func(op history.OpID) string) *teller {
	t := &teller{b: b, c: b.Theory.(*model.CollectionTheory), r: r, refutation: refutation, trace: trace, name: name,
		number: map[int]int{}, spoken: map[history.OpID]bool{}, named: map[history.OpID]bool{}}
	taken := map[int32]bool{}
	for i := range b.Partition.Ops {
		if t.c.Does[i] == model.Remove && !b.Partition.Ops[i].Pending() {
			t.removals = append(t.removals, history.OpID(i))
			if taken[t.c.Value[i]] = true; t.c.Value[i] == model.Nothing {
				t.contents++
			}
		}
	}
	for k := range t.c.Initial[0] {
		t.insertions = append(t.insertions, -1-history.OpID(k))
	}
	for i := range b.Partition.Ops {
		if t.c.Does[i] == model.Insert && (!b.Partition.Ops[i].Pending() || taken[t.c.Value[i]]) {
			t.insertions = append(t.insertions, history.OpID(i))
		}
	}
	t.contents += len(t.insertions)
	return t
}

// op returns an operation in full the first time in a sentence, then its number.
func (t *teller) op(i history.OpID) string {
	if i < 0 {
		items, _ := t.b.Partition.History.Values.AsList(t.b.Partition.Initial)
		return "the initial item " + t.b.Partition.History.Values.Format(items[-1-i])
	}
	t.spoken[i] = true
	if t.named[i] {
		return "#" + t.b.Partition.ID(i)
	}
	t.named[i] = true
	return t.name(i)
}

func (t *teller) isEmpty(i history.OpID) bool {
	return i >= 0 && t.c.Does[i] == model.Remove && t.c.Value[i] == model.Nothing
}

// subject returns the text of what has a position.
func (t *teller) subject(i history.OpID, place bool) string {
	switch {
	case place:
		return t.op(i)
	case t.isEmpty(i):
		return "the empty result of " + t.op(i)
	case i < 0:
		return t.op(i)
	}
	return "the value of " + t.op(i)
}

// position says where it is, as in "is the 3rd removal or later" or "is due at the 5th removal or
// earlier".
func (t *teller) position(place, upper bool, at int32) string {
	verb := "is due at"
	if place {
		verb = "is"
	}
	return verb + " " + t.range1(upper, at)
}

func (t *teller) range1(upper bool, at int32) string {
	switch {
	case upper && at < 1:
		return "a place before the first removal"
	case upper:
		return t.spot(at) + " or earlier"
	}
	return t.spot(at) + " or later"
}

// spot returns the text of a position; drains follow the removals.
func (t *teller) spot(at int32) string {
	switch removals := int32(len(t.removals)); {
	case at <= removals:
		return "the " + ordinal(at) + " removal"
	case t.r.Drain:
		return "the " + ordinal(at-removals) + " drain"
	default:
		return "the " + ordinal(at-removals) + " place after all removals"
	}
}

func ordinal(n int32) string {
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			return strconv.Itoa(int(n)) + "st"
		case 2:
			return strconv.Itoa(int(n)) + "nd"
		case 3:
			return strconv.Itoa(int(n)) + "rd"
		}
	}
	return strconv.Itoa(int(n)) + "th"
}

// refs returns references to the sentences that state positions.
func (t *teller) refs(ps []verify.Position) string {
	var numbers []int
	for _, p := range ps {
		if n := t.number[p.Step]; p.Step >= 0 && n > 0 && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	text := ""
	for _, n := range numbers {
		text += "[" + strconv.Itoa(n) + "]"
	}
	if text != "" {
		text = " " + text
	}
	return text
}

// because returns the reference for one position, or what in the history gives it.
func (t *teller) because(p verify.Position) string {
	if p.Step >= 0 {
		return t.refs([]verify.Position{p})
	}
	if why := t.counted(p); why != "" {
		return " (" + why + ")"
	}
	return ""
}

// counted says how the history alone gives a position.
func (t *teller) counted(p verify.Position) string {
	before := func(ops []history.OpID) (n int32) {
		for _, i := range ops {
			if t.precedes(i, p.Op) {
				n++
			}
		}
		return n
	}
	after := func(ops []history.OpID) (n int32) {
		for _, i := range ops {
			if t.precedes(p.Op, i) {
				n++
			}
		}
		return n
	}
	removals, contents := int32(len(t.removals)), int32(t.contents)
	switch {
	case !p.Upper && p.At <= 1:
		return "there is none before"
	case !p.Upper && p.Place:
		return manyOf(before(t.removals), "removal returns", "removals return") + " before it is called"
	case p.Place && p.At == removals-after(t.removals):
		return manyOf(after(t.removals), "removal is", "removals are") + " called after it returns, of " +
			strconv.Itoa(len(t.removals))
	case p.Place:
		return manyOf(after(t.insertions), "value is", "values are") + " put in only after it returns" + t.ofContents()
	case t.isEmpty(p.Op):
		return ""
	case !p.Upper && p.At == 1+before(t.insertions):
		return manyOf(before(t.insertions), "value is", "values are") + " put in before it"
	case !p.Upper && p.At == 1+before(t.removals) && t.r.Meaning == quasi.Slots:
		return manyOf(before(t.removals), "removal returns", "removals return") + " before it is put in"
	case !p.Upper:
		return "it is never taken"
	case p.At == contents-after(t.insertions):
		return manyOf(after(t.insertions), "value is", "values are") + " put in after it" + t.ofContents()
	}
	return "a removal takes it"
}

// ofContents says how many positions there are.
func (t *teller) ofContents() string {
	of := ", of " + strconv.Itoa(t.contents)
	if t.contents > len(t.insertions) {
		of += " with the empty results"
	}
	return of
}

func manyOf(n int32, one, more string) string {
	switch n {
	case 0:
		return "no " + one
	case 1:
		return "1 " + one
	}
	return strconv.Itoa(int(n)) + " " + more
}

// precedes reports whether a comes wholly before b. Initial values come in their order before
// everything else.
func (t *teller) precedes(a, b history.OpID) bool {
	switch {
	case a < 0 && b < 0:
		return a > b
	case a < 0 || b < 0:
		return a < 0
	}
	return t.b.Partition.Ops[a].Return != history.Never && t.b.Partition.Precedes(a, b)
}

// list names the operations of some positions: a few of them, each only once.
func (t *teller) list(ps []verify.Position) (text string, n int) {
	var ops []history.OpID
	for _, p := range ps {
		if !slices.Contains(ops, p.Op) {
			ops = append(ops, p.Op)
		}
	}
	var names []string
	for k, i := range ops {
		if k == 3 && len(ops) > 4 {
			names = append(names, strconv.Itoa(len(ops)-3)+" more")
			break
		}
		names = append(names, t.op(i))
	}
	if len(names) < 2 {
		return strings.Join(names, ""), len(ops)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1], len(ops)
}

// each states the position of several operations, and what they do, in the singular or the plural.
// What it needs of their other ends is referred to after that.
func (t *teller) each(ps []verify.Position, upper bool, edge int32, does, do string) string {
	text, n := t.list(ps)
	if !ps[0].Place && !t.isEmpty(ps[0].Op) {
		text = map[bool]string{true: "the value of ", false: "the values of "}[n == 1] + text
	}
	due := ""
	if !ps[0].Place {
		due = "due at "
	}
	each := "each "
	if n == 1 {
		each = ""
	}
	if n > 1 {
		does = do
	}
	var ends [2][]verify.Position
	for _, p := range ps {
		k := 1
		if p.Upper == upper {
			k = 0
		}
		ends[k] = append(ends[k], p)
	}
	return text + " (" + each + due + t.range1(upper, edge) + t.refs(ends[0]) + ") " + does + t.refs(ends[1])
}

func (t *teller) contradiction(at int) string {
	s, uses := t.refutation.Steps[at], t.trace[at]
	switch s.Rule {
	case proof.RuleNeverInserted:
		t.claims = append(t.claims, claim.NeverPutIn{Removal: s.Op})
		return t.op(s.Op) + " takes a value that is never put in"
	case proof.RuleRemovedTwice:
		t.claims = append(t.claims, claim.TakenOut{Removals: []history.OpID{s.Op, s.By}},
			claim.PutInAtMost{Of: s.Op, Times: 1})
		return t.op(s.Op) + " and " + t.op(s.By) + " take the same value, which is put in once"
	case proof.RuleOverfull:
		text, n := t.list(uses)
		what := "the removals " + text + " must all be"
		if !s.Place {
			what = "what belongs to " + text + " must all be due"
		}
		return fmt.Sprintf("%s from %s to %s%s: that is room for %d, but there are %d", what, t.spot(s.Edge),
			t.spot(s.Value), t.refs(uses), s.Value-s.Edge+1, n)
	}
	low, high := uses[0], uses[1]
	return fmt.Sprintf("%s %s%s, and %s%s", t.subject(s.Op, s.Place), t.position(s.Place, false, low.At),
		t.because(low), t.range1(true, high.At), t.because(high))
}

func (t *teller) bound() string { return "bound " + displacement.FormatBound(t.refutation.Bound) }

func (t *teller) step(at int) string {
	clear(t.named)
	s, uses := t.refutation.Steps[at], t.trace[at]
	return t.subject(s.Op, s.Place) + " " + t.position(s.Place, s.Upper, s.Value) + ", since " + t.reason(s, uses)
}

func (t *teller) reason(s proof.DisplacementStep, uses []verify.Position) string {
	switch s.Rule {
	case proof.RuleDisplacement:
		p := uses[0]
		what, near := "its value", "are the same"
		if t.refutation.Bound > 0 {
			near = "differ by " + displacement.FormatBound(t.refutation.Bound) + " at most"
		}
		switch {
		case t.isEmpty(s.Op) && s.Place:
			what = "its empty result"
		case t.isEmpty(s.Op):
			what = "that removal"
		case !s.Place:
			what = t.op(p.Op) + ", which takes it,"
		case p.Op < 0:
			what = t.op(p.Op) + ", which it takes,"
		default:
			what = "its value, that of " + t.op(p.Op) + ","
		}
		return fmt.Sprintf("%s %s%s, and at %s they %s", what, t.position(p.Place, p.Upper, p.At), t.because(p),
			t.bound(), near)
	case proof.RuleOrder:
		when := map[bool]string{false: " before it", true: " after it"}[s.Upper]
		if s.Place {
			return t.each(uses, s.Upper, s.Edge, "comes"+when, "come"+when)
		}
		return t.each(uses, s.Upper, s.Edge, "is put in"+when, "are put in"+when)
	case proof.RuleBalance:
		if s.Upper {
			return t.each(uses, true, s.Edge, "is put in only after it returns", "are put in only after it returns")
		}
		return t.each(uses, false, s.Edge, "returns before it is put in", "return before it is put in")
	case proof.RuleHall:
		own, others := uses[len(uses)-1], uses[:len(uses)-1]
		text, _ := t.list(others)
		from, to := s.Edge, s.Value-1
		if s.Upper {
			from, to = s.Value+1, s.Edge
		}
		span := t.spot(from) + " is"
		if from != to {
			span = t.spot(from) + " to " + t.spot(to) + " are all"
		}
		return fmt.Sprintf("it is not %s%s, and %s needed by %s%s", map[bool]string{true: "later than ",
			false: "earlier than "}[s.Upper]+t.spot(own.At),
			t.because(own), span, text, t.refs(others))
	case proof.RuleEmptyBefore:
		return t.emptyBefore(s, uses)
	}
	return t.emptyAfter(s, uses)
}

// emptyBefore states what follows if a removal comes no later than an empty result.
func (t *teller) emptyBefore(s proof.DisplacementStep, uses []verify.Position) string {
	by := "what is left is drained after that"
	if s.By != proof.Draining {
		by = t.op(s.By) + " " + t.position(true, true, uses[0].At) + t.because(uses[0])
		uses = uses[1:]
	}
	if s.Upper {
		found := t.each(uses, true, s.Edge, "found nothing", "found nothing")
		return found + ", so what was put in before had left; " + by
	}
	if len(uses) > 0 && uses[0].Op == s.Op {
		uses = uses[1:]
	}
	return t.each(uses, false, s.Edge, "must have left when nothing was found; "+by,
		"must have left when nothing was found; "+by)
}

// emptyAfter states what follows if the value of an insertion is due after an empty result.
func (t *teller) emptyAfter(s proof.DisplacementStep, uses []verify.Position) string {
	by := t.subject(s.By, false) + " " + t.position(false, false, uses[0].At) + t.because(uses[0])
	if uses = uses[1:]; len(uses) > 0 && uses[0].Op == s.Op {
		uses = uses[1:]
	}
	if !s.Upper {
		return by + ", so it was put in only after " + t.each(uses, false, s.Edge, "found nothing", "found nothing")
	}
	if by += ", so it was put in after nothing was found"; len(uses) == 0 {
		return by + ", and only drains follow it"
	}
	return by + ", and " + t.each(uses, true, s.Edge, "follows that", "follow that")
}

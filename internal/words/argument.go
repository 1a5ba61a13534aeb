package words

// An argument in sentences.
//
// What: steps that a reader does not need to be shown (real time, transitivity, "comes after what
// it read", why something is not the source of a value) are kept as reasons and put into the
// sentences that use them, as chains a < b < c. Sources, orders that follow from the specification,
// and contradictions get a sentence each, numbered so that later ones can refer to them. A
// contradiction of orders is printed as a circle. An operation's full text is given once a
// sentence, then its number.
//
// The words of each theory are in argument_register.go, argument_collection.go and
// argument_counting.go.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// Argument puts an argument for a weakening about b's partition into English. name gives the full
// text of an operation of the partition ("read → 3 (#37)"); afterwards it is called by its number.
// Sentences of cases are indented. The argument must be one that the verifier accepts. What a
// sentence claims is checked on the whole partition: where that fails, a plainer one says no more
// than the argument does.
func Argument(b *model.Instance, weakening *proof.Weakening, a *proof.Node,
	name func(op history.OpID) string) ([]claim.Sentence, error) {
	whole := recorded{b, claim.Of(b, weakening.View), weakening.From, weakening.Cut, name,
		func(op history.OpID) history.OpID { return op }}
	if few := verify.Select(b, weakening); few != nil && len(few.Left) < b.Partition.Len() {
		if own, ok := few.Argument(a); ok {
			whole.position = few.Whole
			return whole.sentences(few.Instance, few.Weakening, own)
		}
	}
	return whole.sentences(b, weakening, a)
}

// recorded is the partition as it was recorded. An argument is about a part of it: its sentences
// have to be true of the whole.
type recorded struct {
	b        *model.Instance
	judge    *claim.Whole
	from     history.Rank // what returned before is not in the argument
	cut      history.Rank // the argument is about what is called up to here
	name     func(op history.OpID) string
	position func(op history.OpID) history.OpID // of an operation of the argument
}

func (whole recorded) sentences(b *model.Instance, weakening *proof.Weakening, a *proof.Node) ([]claim.Sentence,
	error) {
	w, err := verify.Window(b, weakening)
	if err != nil {
		return nil, err
	}
	if err := verify.ArgumentIn(w, a); err != nil {
		return nil, err
	}
	name := func(op history.OpID) string { return whole.name(whole.position(op)) }
	t := &teller{b: b, w: w, whole: whole, name: name, why: map[proof.Literal]reason{},
		values: newValueNames(b, weakening, w), what: "the value", counter: "the counter"}
	t.before = "what was there before"
	for i := range b.Partition.Ops {
		if weakening.From > 0 && b.Partition.Ops[i].Call >= weakening.From {
			t.before += " " + t.number(history.OpID(i)) + " was called"
			break
		}
	}
	if b.Spec.Info().Name == "mutex" {
		t.what = "the lock"
	}
	if t.values.view != nil {
		t.what, t.counter = t.values.view.What, t.values.view.What
	}
	t.numbered = sentencesIn(a) > 1
	t.tell(a, "", "")
	return t.out, nil
}

// reason is why a literal holds.
type reason struct {
	step   *proof.Step // nil: assumed
	number int         // of the sentence that says so; 0 if it is put in where needed
	label  string      // of the case that assumes it
}

// teller tells one argument.
type teller struct {
	b        *model.Instance
	w        *proof.Window
	whole    recorded
	name     func(op history.OpID) string
	values   *valueNames
	before   string // names the state before a window
	what     string // what a cell holds
	counter  string
	why      map[proof.Literal]reason
	named    map[history.OpID]bool // in this sentence
	claims   []claim.Claim         // of this sentence
	out      []claim.Sentence
	count    int
	numbered bool
}

// silent reports whether a step is put into the sentences that use it.
func silent(s *proof.Step) bool {
	switch s.Axiom {
	case proof.RT, proof.EDGE, proof.TR, proof.SB, proof.SI, proof.MODE:
		return !s.Contradiction()
	case proof.SRC:
		return !s.Contradiction() && s.So.Kind != proof.SourceKind
	case proof.BT, proof.PP, proof.ONE:
		return s.So.Kind == proof.SourceKind && s.So.Not || s.So.Kind == proof.InKind || s.So.Kind == proof.ModeKind
	}
	return false
}

func sentencesIn(a *proof.Node) int {
	n := 0
	a.Each(func(s *proof.Step) {
		if !silent(s) {
			n++
		}
	})
	return n
}

func (t *teller) tell(a *proof.Node, indent, within string) {
	var mine []proof.Literal
	for k := range a.Steps {
		s := &a.Steps[k]
		if _, known := t.why[s.So]; known && !s.Contradiction() {
			continue
		}
		r := reason{step: s}
		if !silent(s) {
			t.begin()
			t.count++
			r.number = t.count
			text := t.sentence(s)
			if !t.whole.judge.All(t.claims) {
				t.begin()
				text = t.stated(s)
			}
			if rest, ok := strings.CutPrefix(text, "so "); s.Contradiction() {
				text = "CONTRADICTION: " + text
			} else if ok {
				text = "So " + rest
			}
			if t.numbered {
				text = strconv.Itoa(r.number) + ". " + text
			}
			t.say(indent + text + ".")
		}
		if !s.Contradiction() {
			t.why[s.So] = r
			mine = append(mine, s.So)
		}
	}
	if a.Split != nil {
		t.cases(a.Split, indent, within)
	}
	for _, l := range mine {
		delete(t.why, l)
	}
}

// begin begins a sentence. Whatever else it claims, the argument states it.
func (t *teller) begin() {
	t.named, t.claims = map[history.OpID]bool{}, []claim.Claim{claim.Certified{}}
}

// claim notes what the sentence says of the whole partition. Not inlined: it has many callers.
//
//go:noinline
func (t *teller) claim(claims ...claim.Claim) { t.claims = append(t.claims, claims...) }

// say ends a sentence.
func (t *teller) say(text string) {
	t.out = append(t.out, claim.Say(text, t.claims[0], t.claims[1:]...))
}

// at is the position in the whole partition of an operation of the argument.
func (t *teller) at(i history.OpID) history.OpID {
	if i < 0 {
		return i
	}
	return t.whole.position(i)
}

func (t *teller) allAt(ops []history.OpID) []history.OpID {
	var at []history.OpID
	for _, i := range ops {
		at = append(at, t.at(i))
	}
	return at
}

// stated is the sentence of a step whose own words do not hold of the whole partition.
func (t *teller) stated(s *proof.Step) string {
	if ops := s.Operations(); s.Contradiction() && len(ops) == 1 {
		return t.op(ops[0]) + " does not fit the others"
	} else if s.Contradiction() {
		return t.some(ops) + " do not fit each other"
	}
	return "so " + t.statement(s.So)
}

func (t *teller) cases(s *proof.Split, indent, within string) {
	clause, err := t.w.Instance(s.Axiom, s.Args, nil)
	if err != nil {
		return // the verifier has accepted the split
	}
	var open []proof.Literal
	for _, l := range clause {
		if _, known := t.why[l.Negated()]; !known {
			open = append(open, l)
		}
	}
	t.begin()
	t.say(indent + t.heading(s, len(open)) + ":")
	for k, l := range open {
		label := within + string(rune('a'+k%26))
		if len(within)%2 == 1 { // a, a1, a1a, …
			label = within + strconv.Itoa(k+1)
		}
		t.begin()
		t.say(indent + " (" + label + ") " + t.statement(l) + ":")
		_, known := t.why[l]
		if !known {
			t.why[l] = reason{label: label}
		}
		t.tell(s.Cases[k], indent+"   ", label)
		if !known {
			delete(t.why, l)
		}
	}
}

func (t *teller) heading(s *proof.Split, n int) string {
	switch {
	case s.Axiom == proof.SRC:
		return t.op(s.Args[0]) + " " + t.got() + " one of " + strconv.Itoa(n)
	case s.Axiom == proof.EITHER && len(s.Args) == 1:
		return t.op(s.Args[0]) + " took effect or not"
	case s.Axiom == proof.EITHER:
		return t.op(s.Args[0]) + " and " + t.op(s.Args[1]) + " took effect in one order or the other"
	case s.Axiom == proof.MODE:
		return t.op(s.Args[0]) + " can have gone in " + strconv.Itoa(n) + " ways"
	}
	return "One of " + strconv.Itoa(n) + " holds"
}

// op names an operation: in full, then by its number.
func (t *teller) op(i history.OpID) string {
	switch {
	case i == proof.Before:
		return t.before
	case i == proof.Initial:
		return "the initial state"
	case i == proof.NoOp:
		return "nothing"
	case i < 0:
		return "the initial " + t.values.item(i)
	case t.named[i]:
		return t.number(i)
	}
	t.named[i] = true
	return t.name(i)
}

func (t *teller) number(i history.OpID) string {
	if i < 0 {
		return t.op(i)
	}
	return "#" + t.b.Partition.ID(i)
}

// got says how a value is found.
func (t *teller) got() string {
	if _, ok := t.w.Theory.(*model.CollectionTheory); ok {
		return "found what was put in by"
	}
	return "got its value from"
}

// statement is a literal in words.
func (t *teller) statement(l proof.Literal) string {
	not := ""
	if l.Not {
		not = " not"
	}
	switch l.Kind {
	case proof.OrderKind:
		a, b := l.Ends()
		return t.op(a) + " comes before " + t.op(b)
	case proof.SourceKind:
		if l.B == proof.NoOp {
			if l.Not {
				return t.op(l.A) + " found something"
			}
			return t.op(l.A) + " found nothing"
		}
		if _, collection := t.w.Theory.(*model.CollectionTheory); collection && l.Not {
			return t.op(l.A) + " did not find what was put in by " + t.op(l.B)
		}
		if l.Not {
			return t.op(l.A) + " did not get its value from " + t.op(l.B)
		}
		return t.op(l.A) + " " + t.got() + " " + t.op(l.B)
	case proof.InKind:
		if l.Not {
			return t.op(l.A) + " did not take effect"
		}
		return t.op(l.A) + " took effect"
	case proof.ModeKind:
		return t.op(l.A) + " did" + not + " go like this: " + t.modeWords(l.A, l.B)
	}
	return "a contradiction"
}

// premise says why a literal holds that a sentence builds on, shortly; "" where the reader sees it.
func (t *teller) premise(l proof.Literal) string {
	if l.Kind == proof.OrderKind {
		a, b := l.Ends()
		return t.chain(a, b)
	}
	r, ok := t.why[l]
	switch {
	case ok && r.step == nil:
		return "case " + r.label
	case ok && r.number > 0:
		return "[" + strconv.Itoa(r.number) + "]"
	case ok && l.Kind == proof.InKind && !l.Not:
		return t.number(l.A) + " took effect"
	}
	return ""
}

// because joins the premises of a step, apart from some.
func (t *teller) because(clause []proof.Literal, except ...proof.Literal) string {
	var parts []string
next:
	for _, l := range clause {
		for _, e := range except {
			if l == e {
				continue next
			}
		}
		if p := t.premise(l.Negated()); p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

func inParentheses(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// sentence is a step that gets one.
func (t *teller) sentence(s *proof.Step) string {
	clause, err := t.w.Instance(s.Axiom, s.Args, s.Given)
	if err != nil {
		return s.String() // the verifier has accepted the step
	}
	if s.Axiom == proof.TR {
		a, b, c := s.Args[0], s.Args[1], s.Args[2]
		hops := append(append(t.hops(a, b), t.hops(b, c)...), t.hops(c, a)...)
		return "a circle: " + t.circle(a, hops)
	}
	if s.Axiom == proof.RT || s.Axiom == proof.EDGE {
		why := "returned before " + t.op(s.Args[1]) + " was called"
		if s.Axiom == proof.RT {
			t.claim(claim.Before{A: t.at(s.Args[0]), B: t.at(s.Args[1])})
		} else {
			t.claim(claim.Given{A: t.at(s.Args[0]), B: t.at(s.Args[1])})
			why = "is given before " + t.op(s.Args[1])
			if a, b := s.Args[0], s.Args[1]; t.revised(a, b) {
				why = fmt.Sprintf("has revision %d, before revision %d of %s", t.w.Partition.Revision(a).Number,
					t.w.Partition.Revision(b).Number, t.op(b))
			}
		}
		return t.op(s.Args[0]) + " " + why + "; but " + t.chain(s.Args[1], s.Args[0])
	}
	switch theory := t.w.Theory.(type) {
	case *model.RegisterTheory:
		return t.aboutCells(theory, s, clause)
	case *model.CollectionTheory:
		return t.aboutCollection(theory, s, clause)
	case *model.CountingTheory:
		return t.aboutCounting(theory, s)
	}
	return s.String()
}

// circle names each operation in full once.
func (t *teller) circle(a history.OpID, hops []hop) string {
	var text strings.Builder
	text.WriteString(t.op(a))
	for _, h := range hops {
		text.WriteString(" " + h.by + " " + t.op(h.to))
	}
	return text.String()
}

// notSource says why w is not what r found.
func (t *teller) notSource(r, w history.OpID) string {
	reason, ok := t.why[proof.SourceOf(r, w).Negated()]
	if !ok {
		return ""
	}
	if reason.step == nil {
		return "case " + reason.label
	}
	s := reason.step
	switch s.Axiom {
	case proof.SB:
		return "it comes later (" + t.chain(r, w) + ")"
	case proof.SI:
		if !t.w.Optional[w] {
			return "it did not leave that"
		}
		return "it did not take effect" + inParentheses(t.because(mustClause(t.w, s), s.So))
	case proof.BT:
		x := s.Args[3]
		return t.op(x) + " came in between (" + t.between(w, x, r) + ")"
	case proof.PP:
		other := s.Args[0]
		if other == r {
			other = s.Args[2]
		}
		return "that is what " + t.op(other) + " found" + t.number1(proof.SourceOf(other, proof.Before))
	case proof.ONE:
		q := s.Args[0]
		if q == r {
			q = s.Args[1]
		}
		if q >= 0 && t.isRemoval(q) {
			return t.op(q) + " took it" + t.number1(proof.SourceOf(q, w))
		}
		return "it found something else" + t.number1(proof.SourceOf(r, q))
	}
	if reason.number > 0 {
		return "[" + strconv.Itoa(reason.number) + "]"
	}
	return s.String()
}

func (t *teller) isRemoval(i history.OpID) bool {
	c, ok := t.w.Theory.(*model.CollectionTheory)
	return ok && c.Does[i] != model.Insert
}

// number1 refers to the sentence that says l.
func (t *teller) number1(l proof.Literal) string {
	if r := t.why[l]; r.number > 0 {
		return " [" + strconv.Itoa(r.number) + "]"
	}
	return ""
}

func mustClause(w *proof.Window, s *proof.Step) []proof.Literal {
	clause, _ := w.Instance(s.Axiom, s.Args, s.Given)
	return clause
}

// wholeMode is the number of a mode of i in the whole partition, -1 if it has others there.
func (t *teller) wholeMode(i history.OpID, k int) int {
	own, ok := t.w.Theory.(*model.RegisterTheory)
	whole, also := t.whole.judge.Theory().(*model.RegisterTheory)
	if !ok || !also || len(own.Of(i)) != len(whole.Of(t.at(i))) {
		return -1
	}
	return k
}

// source says where r got its value, and why not elsewhere.
func (t *teller) source(s *proof.Step, clause []proof.Literal) string {
	r := s.Args[0]
	mode := -1
	if len(s.Args) > 1 {
		mode = t.wholeMode(r, int(s.Args[1]))
	}
	from := claim.OnlyFrom{By: t.at(r), Mode: mode, Since: t.whole.from}
	var not []string
	for _, l := range clause {
		if l.Kind == proof.SourceKind {
			from.From = append(from.From, t.at(l.B))
		}
		if l.Kind != proof.SourceKind || l == s.So {
			continue
		}
		who := t.op(l.B)
		not = append(not, "not "+who+": "+t.notSource(r, l.B))
	}
	reasons := strings.Join(not, "; ")
	if t.claim(from); s.Contradiction() {
		if reasons == "" {
			never := claim.NeverLeft{By: t.at(r), Mode: mode}
			if holds, err := t.whole.judge.Holds(never); err == nil && holds {
				t.claim(never)
				return t.op(r) + " cannot have found that: no operation puts it there"
			}
			return t.op(r) + " cannot have found that: no operation puts it there before"
		}
		return t.op(r) + " " + t.got() + " no operation: " + reasons
	}
	if reasons == "" {
		reasons = "nothing else can have put it there"
	}
	return fmt.Sprintf("%s %s %s: %s", t.op(r), t.got(), t.op(s.So.B), reasons)
}

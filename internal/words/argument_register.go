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

func (t *teller) aboutCells(c *model.RegisterTheory, s *proof.Step, clause []proof.Literal) string {
	switch s.Axiom {
	case proof.SRC:
		return t.source(s, clause)
	case proof.INV:
		return t.invariant(c, s)
	case proof.HALL:
		return t.becomes(c, s)
	case proof.COUNT:
		return t.taken(c, s)
	case proof.SB:
		return t.op(s.Args[0]) + " got its value from " + t.op(s.Args[1]) +
			t.number1(proof.SourceOf(s.Args[0], s.Args[1])) +
			", but came before it" + inParentheses(t.chain(s.Args[0], s.Args[1]))
	case proof.SI:
		if s.Contradiction() {
			return t.op(s.Args[0]) + " got its value from " + t.op(s.Args[2]) +
				t.number1(proof.SourceOf(s.Args[0], s.Args[2])) + ", which cannot have left that"
		}
	case proof.MODE:
		if s.Contradiction() && len(s.Args) == 1 {
			switch {
			case len(c.Of(s.Args[0])) > 0:
				return t.op(s.Args[0]) + " can have left nothing that fits" + inParentheses(t.because(clause))
			case c.Name != nil:
				return t.op(s.Args[0]) + " is allowed in no state that the operations lead to"
			}
			return t.op(s.Args[0]) + " contradicts itself"
		}
	case proof.PP:
		return t.op(s.Args[0]) + " and " + t.op(s.Args[2]) + " both found " + t.op(proof.Before) +
			", but need different values"
	case proof.BT:
		return t.overwritten(s, clause)
	}
	if s.Contradiction() {
		return t.ops(s.Operations()) + " do not fit each other" + inParentheses(t.because(clause))
	}
	return "so " + t.statement(s.So) + inParentheses(t.because(clause, s.So))
}

// overwritten tells BT: x does not come between what r read and r.
func (t *teller) overwritten(s *proof.Step, clause []proof.Literal) string {
	r, w, x := s.Args[0], s.Args[2], s.Args[3]
	read := t.number1(proof.SourceOf(r, w))
	if s.Contradiction() {
		return t.op(x) + " stands between " + t.op(w) + " and " + t.op(r) + ", which got its value from there" + read +
			inParentheses(t.between(w, x, r))
	}
	switch s.So {
	case proof.LessThan(x, w):
		return "so " + t.op(x) + " comes before " + t.op(w) + ": otherwise it would overwrite it before " + t.op(r) +
			" reads" + read + inParentheses(t.chain(x, r))
	case proof.LessThan(r, x):
		why := ""
		if w >= 0 {
			why = t.chain(w, x)
		}
		return "so " + t.op(x) + " comes after " + t.op(r) + ": otherwise it would overwrite " + t.op(w) + read +
			inParentheses(why)
	}
	return "so " + t.statement(s.So) + inParentheses(t.because(clause, s.So))
}

// modeWords says how operation i goes in mode k.
func (t *teller) modeWords(i, k history.OpID) string {
	c, ok := t.w.Theory.(*model.RegisterTheory)
	if !ok || int(k) >= len(c.Of(i)) {
		return "in another way"
	}
	m := c.Of(i)[k]
	name := func(v int32) string {
		if n := t.values.cell(c.Object[i], v); n != "" {
			return n
		}
		return "another value"
	}
	var text string
	switch m.Test {
	case model.Is:
		text = "it found " + name(m.V)
	case model.Not:
		text = "it found another value"
		if but := t.excluded(c.Object[i], m); but != "" {
			text = "it did not find " + but
		}
	default:
		text = "whatever it found"
	}
	if m.Leaves == model.Keep {
		return text + " and left it"
	}
	return text + " and left " + name(m.Leaves)
}

// needs says what b needs, in words; "" if it has no name.
func (t *teller) needs(c *model.RegisterTheory, b history.OpID) string {
	var words []string
	for _, m := range c.Of(b) {
		name := t.values.cell(c.Object[b], m.V)
		if m.Test == model.Any || name == "" {
			return ""
		}
		if m.Test == model.Not {
			name = "something else"
			if but := t.excluded(c.Object[b], m); but != "" {
				name += " than " + but
			}
		}
		words = append(words, name)
	}
	if len(words) > maxSpelled {
		return "something else"
	}
	return strings.Join(words, " or ")
}

// excluded names the values that a mode does not find, "" if one has no name or they are too many
// to spell out.
func (t *teller) excluded(cell model.CellID, m model.Mode) string {
	words := []string{t.values.cell(cell, m.V)}
	for _, v := range m.Others {
		words = append(words, t.values.cell(cell, v))
	}
	if len(words) > maxSpelled || slices.Contains(words, "") {
		return ""
	}
	return strings.Join(words, " or ")
}

// invariant tells INV: from a on the value stays in a set until b.
func (t *teller) invariant(c *model.RegisterTheory, s *proof.Step) string {
	a, b := s.Args[0], s.Args[1]
	there, err := t.w.Reach(c, a, b, s.Given)
	if err != nil || there == nil {
		return s.String() // the verifier has accepted the step
	}
	confined := claim.Confined{After: t.at(a), By: t.at(b), Outside: t.outside(a, b, s.Given), Not: t.notWays(s.Given),
		Since: t.whole.from}
	t.claim(confined)
	for _, is := range there {
		if is {
			confined.Most++
		}
	}
	need := t.needs(c, b)
	set, named := t.values.set(c.Object[b], there)
	if !named || !t.holds(confined) {
		return t.neverFits(c, s, need)
	}
	var text string
	if a == proof.Initial {
		text = "from the start"
	} else {
		text = "after " + t.op(a)
	}
	if confined.Most > 1 {
		text += " " + t.what + " can only be " + set + " until " + t.op(b)
	} else {
		text += " " + t.what + " stays " + set + " until " + t.op(b)
	}
	switch {
	case c.Name != nil:
		text += ", which is not possible then"
	case need != "":
		text += ", which needs " + need
	}
	if a >= 0 && !t.plain(a, b) {
		text += inParentheses(t.chain(a, b))
	}
	why := t.whoCould(c, s, there, func(v int32) bool { return !there[v] })
	switch {
	case why != "":
		return text + ": " + why
	case confined.Most == 1:
		return text + ": nothing else changes it"
	}
	return text + ": nothing " + during(a) + " can leave another value"
}

// during says when what comes after a comes before something else.
func during(a history.OpID) string {
	if a == proof.Initial {
		return "before it"
	}
	return "in between"
}

// neverFits tells INV where the values that are possible have no names, or are too many.
func (t *teller) neverFits(c *model.RegisterTheory, s *proof.Step, need string) string {
	a, b := s.Args[0], s.Args[1]
	there, err := t.w.Reach(c, a, b, s.Given)
	if err != nil {
		return s.String() // the verifier has accepted the step
	}
	that, text := "that", t.op(b)
	switch {
	case c.Name != nil:
		text, that = text+" is not possible", "to a state in which it is"
	case need == "":
		text += " needs what " + t.what + " cannot have become"
	default:
		text += " needs " + need + ", which " + t.what + " cannot have become"
		if len(c.Of(b)) == 1 && c.Of(b)[0].Test == model.Is {
			that = need
		}
	}
	if a != proof.Initial {
		text += " since " + t.op(a)
	} else {
		text += " by then"
	}
	if a >= 0 && !t.plain(a, b) {
		text += inParentheses(t.chain(a, b))
	}
	if why := t.whoCould(c, s, there, t.wanted(c, s, there)); why != "" {
		return text + ": " + why
	}
	leave := " can leave "
	if c.Name != nil {
		leave = " can lead "
	}
	return text + ": nothing " + during(a) + leave + that
}

// wanted marks the values that an operation would have to leave for what s says not to happen: what
// fits its last operation, and what those need that leave such a value.
func (t *teller) wanted(c *model.RegisterTheory, s *proof.Step, there []bool) func(v int32) bool {
	b := s.Args[1]
	wanted := make([]bool, c.Values)
	for _, m := range c.Of(b) {
		for v := range wanted {
			wanted[v] = wanted[v] || !there[v] && m.Allows(int32(v))
		}
	}
	for grown := true; grown; {
		grown = false
		for _, x := range t.w.Members(b) {
			for _, m := range c.Of(x) {
				if m.Test == model.Is && m.Leaves != model.Keep && wanted[m.Leaves] && !there[m.V] && !wanted[m.V] {
					wanted[m.V], grown = true, true
				}
			}
		}
	}
	return func(v int32) bool { return wanted[v] }
}

// outside lists the operations that are given to come before a or after b, or not to take effect.
func (t *teller) outside(a, b history.OpID, given []proof.Literal) []history.OpID {
	var out []history.OpID
	for _, g := range given {
		first, second := g.Ends()
		switch {
		case g.Kind == proof.InKind && g.Not:
			out = append(out, t.at(g.A))
		case g.Kind != proof.OrderKind:
		case second == a && a >= 0:
			out = append(out, t.at(first))
		case first == b && b >= 0:
			out = append(out, t.at(second))
		}
	}
	return out
}

// notWays lists the modes that are given not to be those of an operation, where it has the same in
// the whole partition.
func (t *teller) notWays(given []proof.Literal) map[history.OpID][]int {
	not := map[history.OpID][]int{}
	for _, g := range given {
		if g.Kind != proof.ModeKind || t.wholeMode(g.A, int(g.B)) < 0 {
			continue
		}
		for k := range t.w.Theory.(*model.RegisterTheory).Of(g.A) {
			if (k == int(g.B)) == g.Not {
				not[t.at(g.A)] = append(not[t.at(g.A)], k)
			}
		}
	}
	return not
}

// whoCould lists the operations that could have left one of the wanted values, and why they did
// not; "" if there are none.
func (t *teller) whoCould(c *model.RegisterTheory, s *proof.Step, there []bool, wanted func(v int32) bool) string {
	a, b := s.Args[0], s.Args[1]
	given := map[proof.Literal]bool{}
	for _, g := range s.Given {
		given[g] = true
	}
	var why []string // reasons, and for each the operations
	who := map[string][]string{}
	add := func(x history.OpID, reason string) {
		if who[reason] == nil {
			why = append(why, reason)
		}
		who[reason] = append(who[reason], t.op(x))
	}
	for _, x := range t.w.Members(b) {
		if x == a || x == b || t.keeps(x) {
			continue
		}
		leaves, blocked := false, []string(nil)
		for _, m := range c.Of(x) {
			if m.Leaves == model.Keep || there[m.Leaves] || !wanted(m.Leaves) || m.Test == model.Is && m.V == m.Leaves {
				continue
			}
			leaves = true
			if name := t.values.cell(c.Object[x], m.V); m.Test == model.Is && !slices.Contains(blocked, name) {
				blocked = append(blocked, name)
			}
		}
		if !leaves {
			continue
		}
		out := given[proof.TakesEffect(x).Negated()]
		switch {
		case out:
			add(x, "did not take effect"+t.number1(proof.TakesEffect(x).Negated()))
		case a >= 0 && given[proof.LessThan(x, a)]:
			if t.plain(x, a) {
				add(x, "returned before "+t.number(a))
			} else {
				add(x, "came before ("+t.chain(x, a)+")")
			}
		case given[proof.LessThan(b, x)]:
			if t.plain(b, x) {
				add(x, "was called later")
			} else {
				add(x, "came later ("+t.chain(b, x)+")")
			}
		case len(blocked) != 1 || blocked[0] == "" || c.Name != nil:
			add(x, "cannot have done so")
		case t.waysOf(x) > 1:
			add(x, "would have to find "+blocked[0])
		default:
			add(x, "needs "+blocked[0])
		}
	}
	for k, reason := range why {
		if len(who[reason]) > 1 {
			reason = plural.Replace(reason)
		}
		ops := who[why[k]]
		if len(ops) > fewListed {
			why[k] = strings.Join(ops[:fewListed/2], ", ") + " … (" + strconv.Itoa(len(ops)) + " operations) " + reason
			continue
		}
		why[k] = join(ops) + " " + reason
	}
	return strings.Join(why, "; ")
}

// ofWhole lists the modes that x has in the whole partition; nil if that is not known.
func (t *teller) ofWhole(x history.OpID) []model.Mode {
	if whole, ok := t.whole.judge.Theory().(*model.RegisterTheory); ok {
		return whole.Of(t.at(x))
	}
	return nil
}

// keeps reports whether x leaves what it finds, as its result shows: an argument may do without the
// result.
func (t *teller) keeps(x history.OpID) bool {
	modes := t.ofWhole(x)
	return len(modes) > 0 && !slices.ContainsFunc(modes, func(m model.Mode) bool { return m.Leaves != model.Keep })
}

// waysOf is how many modes x has in the whole partition.
func (t *teller) waysOf(x history.OpID) int { return len(t.ofWhole(x)) }

// plural turns reasons into reasons of several operations.
var plural = strings.NewReplacer("was called", "were called", "needs ", "need ")

// becomes tells HALL.
func (t *teller) becomes(c *model.RegisterTheory, s *proof.Step) string {
	first := s.Args[1]
	value := t.values.cell(c.Object[first], c.Of(first)[0].V)
	if value == "" {
		value = "what " + t.op(first) + " needs"
	}
	var gaps []string
	var v int32 = c.Of(first)[0].V
	for k := 0; k+1 < len(s.Args); k += 2 {
		a, b := s.Args[k], s.Args[k+1]
		if a == proof.Initial {
			gaps = append(gaps, "before "+t.op(b))
		} else {
			gaps = append(gaps, "between "+t.op(a)+" and "+t.op(b))
		}
	}
	given := map[proof.Literal]bool{}
	for _, g := range s.Given {
		given[g] = true
	}
	fillers := claim.Fillers{Times: len(gaps), Since: t.whole.from}
	for k := 1; k < len(s.Args); k += 2 {
		fillers.Needs = append(fillers.Needs, t.at(s.Args[k]))
	}
	var able, not []string
	for _, x := range t.w.Members(first) {
		leaves := false
		for _, m := range c.Of(x) {
			leaves = leaves || m.Leaves == v
		}
		if !leaves {
			continue
		}
		if why, out := t.outsideGaps(s.Args, x, given); out {
			fillers.Outside = append(fillers.Outside, t.at(x))
			not = append(not, t.op(x)+inParentheses(why))
		} else {
			fillers.Able = append(fillers.Able, t.at(x))
			able = append(able, t.op(x))
		}
	}
	t.claim(fillers)
	text := fmt.Sprintf("%s must become %s %s; ", t.what, value, gaps[0])
	if len(gaps) > 1 {
		text = fmt.Sprintf("%s must become %s in each of these spans: %s; ", t.what, value, join(gaps))
	}
	switch len(able) {
	case 0:
		text += "no operation can do that there"
	case 1:
		text += "only " + able[0] + " can do that there"
	default:
		text += "only " + join(able) + " can do that there"
	}
	if len(not) > 0 {
		text += ", not " + join(not)
	}
	return text
}

// outsideGaps says why x lies in none of the gaps.
func (t *teller) outsideGaps(gaps []history.OpID, x history.OpID, given map[proof.Literal]bool) (why string, out bool) {
	if given[proof.TakesEffect(x).Negated()] {
		return "it did not take effect" + t.number1(proof.TakesEffect(x).Negated()), true
	}
	from, to := 0, len(gaps)/2-1
	after, before := proof.NoOp, proof.NoOp
	for k := 0; k+1 < len(gaps); k += 2 {
		if b := gaps[k+1]; b == x || given[proof.LessThan(b, x)] {
			from, after = k/2+1, b
		}
	}
	for k := len(gaps) - 2; k >= 0; k -= 2 {
		if a := gaps[k]; a == x || a >= 0 && given[proof.LessThan(x, a)] {
			to, before = k/2-1, a
		}
	}
	if from <= to {
		return "", false
	}
	switch {
	case after >= 0 && before >= 0 && after != x && before != x:
		return t.between(after, x, before), true
	case after >= 0 && after != x:
		return t.chain(after, x), true
	case before >= 0 && before != x:
		return t.chain(x, before), true
	}
	return "", true
}

// changing has the words for operations that each take the value away from another one: what one or
// several of them do, what brings that value back, and how it can be there.
type changing struct{ one, many, what, back, first, again string }

// locking are those for a mutex, in its holders.
var locking = map[string]changing{
	"free": {"takes", "take", " the lock", "releases it in between", "be free", "be released"},
	"held": {"releases", "release", " the lock", "takes it in between", "be held", "be taken"},
}

// returning are those for ids that are returned once.
var returning = changing{"returns", "return", " the id for the first time", "takes it back", "be unused",
	"be taken back"}

// taken tells COUNT.
func (t *teller) taken(c *model.RegisterTheory, s *proof.Step) string {
	from, to, takings := s.Args[0], s.Args[1], s.Args[2:]
	m := c.Of(takings[0])[0]
	value := t.values.cell(c.Object[takings[0]], m.V)
	if value == "" {
		value = "what " + t.op(takings[0]) + " needs"
	}
	given := map[proof.Literal]bool{}
	for _, g := range s.Given {
		given[g] = true
	}
	var able []history.OpID
	for _, x := range t.w.Members(takings[0]) {
		leaves := false
		for _, m1 := range c.Of(x) {
			leaves = leaves || m1.Leaves == m.V
		}
		if leaves && x != from && x != to && !given[proof.TakesEffect(x).Negated()] &&
			(from < 0 || !given[proof.LessThan(x, from)]) && (to < 0 || !given[proof.LessThan(to, x)]) {
			able = append(able, x)
		}
	}
	say := changing{"takes", "take", " " + t.what + " away from " + value, "brings it back", "be there",
		"be brought back"}
	switch name := t.b.Spec.Info().Name; {
	case name == "mutex" && locking[value].one != "":
		say = locking[value]
	case name == "unique-ids":
		say = returning
	}
	text := ""
	switch {
	case say == locking["free"] && len(takings) == 2 && len(able) == 0:
		text = "the lock is held twice at one time: " + t.op(takings[0]) + " takes it, and so does " + t.op(takings[1])
	case len(takings) == 1:
		text = t.some(takings) + " " + say.one + say.what
	default:
		text = t.some(takings) + " each " + say.many + say.what + ", " + times(len(takings)) + " in all"
	}
	if from >= 0 {
		text += ", after " + t.op(from)
	}
	if to >= 0 {
		text += ", not after " + t.op(to)
	}
	there := from >= 0 || from == proof.Before || c.Init[c.Object[takings[0]]] == m.V
	fillers := claim.Fillers{Needs: t.allAt(takings), Able: t.allAt(able), Outside: t.outside(from, to, s.Given),
		Times: len(takings), Taken: true, Since: t.whole.from}
	if there {
		fillers.Times--
	}
	t.claim(fillers)
	then := "" // until when, where others come later
	never := claim.NeverBack{Needs: fillers.Needs, Able: fillers.Able, Outside: fillers.Outside, Since: t.whole.from}
	if holds, err := t.whole.judge.Holds(never); err != nil || !holds {
		then = " by then"
	} else {
		t.claim(never)
	}
	switch {
	case len(able) == 0 && there:
		return text + "; nothing " + say.back + then
	case len(able) == 0 && say.what == returning.what:
		return text + "; it was used before"
	case len(able) == 0:
		return text + "; nothing brings it there" + then
	case there:
		return text + "; it can " + say.first + " at first and " + say.again + " only " + times(len(able)) + then +
			", by " + t.some(able)
	}
	return text + "; it can be brought there only " + times(len(able)) + then + ", by " + t.some(able)
}

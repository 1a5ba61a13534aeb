package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// triedSentences says what the verifier found when it tried every order of what the core of r
// keeps: how far one gets, and for each configuration why not further. It is nil if the verifier
// did not try.
func triedSentences(r *result.Result) []claim.Sentence {
	if p, ok := r.Proof.(*proof.Pairing); ok {
		return certified(pairingSentence(p))
	}
	if p, ok := r.Proof.(*proof.Saturation); ok {
		return certified(saturationSentence(p))
	}
	if p, ok := r.Proof.(*proof.Clausal); ok {
		return certified(clausalSentence(p))
	}
	tried, ok := r.Proof.(*proof.Exhaustion)
	if !ok {
		return nil
	}
	if pair := alone(r, tried.Weakening); len(r.Furthest) == 0 && len(pair) == 2 {
		return []claim.Sentence{contradictory(r, pair[0], pair[1])}
	}
	if r.Core != nil && r.Core.Argument == nil && slices.Contains(r.Core.Least.Retain, proof.RetainCall) {
		if pair := alone(r, r.Core.Least); len(pair) == 2 {
			return []claim.Sentence{contradictory(r, pair[0], pair[1])}
		}
	}
	head := "CONTRADICTION: none of the orders that the facts allow works; " + Count(tried.Cases, "case was", "cases were") + " tried"
	if len(r.Furthest) == 0 {
		return certified(head + ".")
	}
	var lines []string
	for _, c := range r.Furthest {
		line := "  " + stuckAt(r, c)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	out := certified(head + ". The furthest configurations:")
	if rest := len(lines) - maxListed; rest > 1 {
		lines = append(lines[:maxListed:maxListed], "  … and "+Count(rest, "other configuration")+" like these.")
	}
	return append(out, certified(lines...)...)
}

// alone returns the operations of which a weakening keeps more than the call, if it leaves out
// none.
func alone(r *result.Result, w *proof.Weakening) (ops []history.OpID) {
	for i, kept := range w.Retain {
		switch o := &r.Partition.Ops[i]; {
		case o.Pending() || o.Return > w.Cut:
		case kept == proof.RetainNothing:
			return nil
		case kept == proof.RetainAll, kept == proof.RetainResponse:
			ops = append(ops, history.OpID(i))
		}
	}
	return ops
}

// contradictory says that two operations cannot both be, and what the times tell of their order.
func contradictory(r *result.Result, x, y history.OpID) claim.Sentence {
	p := r.Partition
	if p.Ops[y].Return < p.Ops[x].Call {
		x, y = y, x
	}
	text := "CONTRADICTION: " + Numbered(p, x) + " and " + Numbered(p, y) + " contradict each other, whatever the others did"
	var claims []claim.Claim
	if p.Ops[x].Return < p.Ops[y].Call {
		claims = append(claims, claim.Before{A: x, B: y})
		text += ": the first returned before the second was called"
	}
	if f := r.Failure; f != nil && f.Op == y && len(f.Frontier) > 0 {
		c := f.Frontier[0]
		for _, refusal := range c.Refusals {
			if refusal.Op == y && refusal.Why != "" {
				text += "; then the state is " + cutShort(c.State) + ", where " + cutShort(refusal.Why)
			}
		}
	}
	return claim.Say(text+".", claim.Certified{}, claims...)
}

// pairingSentence says what the verifier found when it tried every pairing of a queue.
func pairingSentence(p *proof.Pairing) string {
	return "CONTRADICTION: no way to pair insertions with removals, oldest first, works; " + Count(p.Cases, "case was", "cases were") + " tried."
}

// saturationSentence says what the verifier found when it listed what can be on top of a stack.
func saturationSentence(p *proof.Saturation) string {
	return "CONTRADICTION: no order of pushes and pops, last in first out, works; " + Count(p.Cases, "case was", "cases were") + " tried."
}

// clausalSentence says of what the clauses of the verifier were refuted.
func clausalSentence(p *proof.Clausal) string {
	return "CONTRADICTION: the " + Count(p.Clauses, "clause that says", "clauses that say") + " what an explanation must be cannot all hold; " + Count(len(p.Lemmas), "lemma shows", "lemmas show") + " it."
}

// stuckAt describes one configuration on a line.
func stuckAt(r *result.Result, c engine.Configuration) string {
	var left []string
	for _, x := range c.Refusals {
		why := x.Why
		if why == "" {
			why = "it comes too late"
		}
		left = append(left, Numbered(r.Partition, x.Op)+" is left, and "+cutShort(why))
	}
	text := "at " + cutShort(c.State)
	if len(c.Linearized) > 0 {
		var names []string
		for _, i := range c.Linearized {
			names = append(names, Numbered(r.Partition, i))
		}
		text += " with " + strings.Join(fewNames(names), ", ")
	}
	return text + ": " + strings.Join(left, "; ") + "."
}

// fewNames returns the first and the last names if all of them would be too long: each is kept
// whole, since half a number names another operation.
func fewNames(names []string) []string {
	first, last, room := 0, len(names), shortText
	for k := 0; first < last; k++ {
		next := names[first]
		if k%2 == 1 {
			next = names[last-1]
		}
		if room -= utf8.RuneCountInString(next) + 2; room < 0 && k > 1 {
			return append(append(slices.Clone(names[:first]), fmt.Sprintf("%d others", last-first)), names[last:]...)
		}
		if k%2 == 1 {
			last--
		} else {
			first++
		}
	}
	return names
}

// cutShort shortens a text that a large state or value could make very long.
func cutShort(text string) string {
	runes := []rune(text)
	if len(runes) <= shortText {
		return text
	}
	return string(runes[:shortText/2]) + " … " + string(runes[len(runes)-shortText/2:])
}

package words

import (
	"cmp"
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
	if few := alone(r, tried.Weakening); len(r.Furthest) == 0 && len(few) == 2 {
		return []claim.Sentence{contradictory(r, tried.Weakening, few)}
	}
	if r.Core != nil && r.Core.Argument == nil && forgets(r.Core.Least) {
		if few := alone(r, r.Core.Least); len(few) > 0 && len(few) <= maxContradictory {
			return []claim.Sentence{contradictory(r, r.Core.Least, few)}
		}
	}
	head := "CONTRADICTION: none of the orders that the facts allow works; " + Count(tried.Cases, "case was",
		"cases were") + " tried"
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

// forgets reports whether a weakening leaves operations out, or keeps no more than calls of them.
func forgets(w *proof.Weakening) bool {
	return slices.Contains(w.Retain, proof.RetainCall) || slices.Contains(w.Retain, proof.RetainNothing)
}

// alone returns the operations of which a weakening keeps more than the call, by return; nil if it
// leaves out operations for the values that they are on.
func alone(r *result.Result, w *proof.Weakening) (ops []history.OpID) {
	for i, kept := range w.Retain {
		switch o := &r.Partition.Ops[i]; {
		case kept == proof.RetainNothing && r.Instance().Contents() != nil && o.Return <= w.Cut:
			return nil
		case o.Pending() || o.Return > w.Cut:
		case kept == proof.RetainAll, kept == proof.RetainResponse:
			ops = append(ops, history.OpID(i))
		}
	}
	slices.SortFunc(ops, func(x, y history.OpID) int {
		return cmp.Compare(r.Partition.Ops[x].Return, r.Partition.Ops[y].Return)
	})
	return ops
}

// contradictory says that operations cannot all be, what the times tell of the order of two, and
// the state before the last.
func contradictory(r *result.Result, w *proof.Weakening, ops []history.OpID) claim.Sentence {
	p := r.Partition
	names := make([]string, len(ops))
	for k, i := range ops {
		names[k] = Numbered(p, i)
	}
	text := "CONTRADICTION: " + join(names) + " contradict each other"
	if len(ops) == 1 {
		text = "CONTRADICTION: " + names[0] + " cannot be"
	}
	if slices.Contains(w.Retain, proof.RetainNothing) {
		text += ", whatever else took effect"
	} else {
		text += ", whatever the others did"
	}
	var claims []claim.Claim
	if len(ops) == 2 && p.Ops[ops[0]].Return < p.Ops[ops[1]].Call {
		claims = append(claims, claim.Before{A: ops[0], B: ops[1]})
		text += ": the first returned before the second was called"
	}
	if f := r.Failure; f != nil && f.Op == ops[len(ops)-1] && len(f.Frontier) > 0 {
		c := f.Frontier[0]
		for _, refusal := range c.Refusals {
			if refusal.Op == f.Op && refusal.Why != "" {
				text += "; then the state is " + cutShort(c.State) + ", where " + cutShort(refusal.Why)
			}
		}
	}
	return claim.Say(text+".", claim.Certified{}, claims...)
}

// pairingSentence says what the verifier found when it tried every pairing of a queue.
func pairingSentence(p *proof.Pairing) string {
	return "CONTRADICTION: no way to pair insertions with removals, oldest first, works; " + Count(p.Cases, "case was",
		"cases were") + " tried."
}

// saturationSentence says what the verifier found when it listed what can be on top of a stack.
func saturationSentence(p *proof.Saturation) string {
	return "CONTRADICTION: no order of pushes and pops, last in first out, works; " + Count(p.Cases, "case was",
		"cases were") + " tried."
}

// clausalSentence says of what the clauses of the verifier were refuted.
func clausalSentence(p *proof.Clausal) string {
	return "CONTRADICTION: the " + Count(p.Clauses, "clause that says", "clauses that say") +
		" what an explanation must be cannot all hold; " + Count(len(p.Lemmas), "lemma shows", "lemmas show") + " it."
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

// cutShort shortens a text that a large state or value could make very long, by whole words where
// it has several.
func cutShort(text string) string {
	if utf8.RuneCountInString(text) <= 2*shortText {
		return text
	}
	if words := strings.Split(text, " "); len(words) > 4 {
		first, last, room := 0, len(words), 2*shortText
		for first < last {
			next := words[first]
			if first > len(words)-last {
				next = words[last-1]
			}
			if room -= utf8.RuneCountInString(next) + 1; room < 0 {
				break
			}
			if first > len(words)-last {
				last--
			} else {
				first++
			}
		}
		if first > 0 && last < len(words) {
			return strings.Join(words[:first], " ") + " … " + strings.Join(words[last:], " ")
		}
	}
	runes := []rune(text)
	return string(runes[:shortText/2]) + " … " + string(runes[len(runes)-shortText/2:])
}

package words

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/proof"
	quasiexplain "github.com/linsat/linsat/internal/quasi/explain"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
)

// QuasiSentences explains why there is no ρ″ within the bounds, the contradiction first, and lists
// the operations that it mentions, by position in the partition; nil if no reason is known.
func QuasiSentences(r *result.Result) (sentences []string, operations []history.OpID) {
	told, operations := quasiSentences(r)
	return claim.Texts(told), operations
}

func quasiSentences(r *result.Result) (told []claim.Sentence, operations []history.OpID) {
	name := func(op history.OpID) string { return Numbered(r.Partition, op) }
	if displacement, ok := r.Proof.(*proof.Displacement); ok {
		told, operations, err := quasiexplain.Sentences(r.Instance(), r.Quasi, displacement, name)
		if err != nil { // the verifier accepted the refutation already
			return certified("the refutation cannot be shown: " + err.Error()), nil
		}
		return told, operations
	}
	if p, ok := r.Proof.(*proof.Pairing); ok {
		return certified(pairingSentence(p)), nil
	}
	if p, ok := r.Proof.(*proof.Widening); ok {
		return widenedSentences(r, p)
	}
	clausal, byClauses := r.Proof.(*proof.Clausal)
	if byClauses && r.Core == nil {
		if operations = clausal.Operations(r.Instance()); len(operations) == 0 {
			return certified(clausalSentence(clausal)), nil
		}
		return noRoom(r, clausal, operations, ", among all others"), operations
	}
	if tried, ok := r.Proof.(*proof.Exhaustion); ok && r.Core == nil {
		return certified(fmt.Sprintf("CONTRADICTION: within %s, no order gives what the operations found.", withinBounds(r)),
			fmt.Sprintf("%s tried.", Count(tried.Cases, "case was", "cases were"))), nil
	}
	if r.Core == nil {
		return nil, nil
	}
	if byClauses && clausal.Weakening != nil {
		return valueSentences(r, clausal)
	}
	var results []string
	responses := 0
	for _, f := range r.Core.Facts {
		operations = append(operations, f.Operations...)
		if f.Kind == explain.ResultFact {
			results = append(results, name(f.Operations[0]))
		} else {
			responses++
		}
	}
	slices.Sort(operations)
	if len(results) > maxListed+1 {
		results = append(results[:maxListed], fmt.Sprintf("%d more", len(results)-maxListed))
	}
	within := withinBounds(r)
	what := "there is no order"
	if len(results) > 0 {
		what = fmt.Sprintf("no order gives %s", join(results))
	}
	sentences := []string{fmt.Sprintf("CONTRADICTION: within %s, %s.", within, what)}
	if byClauses {
		sentences = append(sentences, refutedBy(clausal))
	}
	if tried, ok := r.Proof.(*proof.Exhaustion); ok {
		sentences = append(sentences, fmt.Sprintf("%s tried, %s.", Count(tried.Cases, "case was", "cases were"),
			others(r, tried.Weakening, len(r.Core.Facts)-responses)))
	}
	return certified(sentences...), operations
}

// widenedSentences tells a proof about the widening of the partition.
func widenedSentences(r *result.Result, p *proof.Widening) (told []claim.Sentence, operations []history.OpID) {
	wide, err := verify.Widened(r.Instance(), r.Quasi)
	if err != nil { // the verifier accepted the proof already
		return certified("the proof cannot be shown: " + err.Error()), nil
	}
	plain := *r
	plain.Quasi, plain.Bound, plain.Partition, plain.Proof = nil, wide, wide.Partition, p.Refutation.Proof
	if a, ok := p.Refutation.Proof.(*proof.Argument); ok {
		plain.Core = &explain.Core{Weakening: a.Weakening, Least: a.Weakening, Argument: a.Tree}
	}
	told, named := sentences(&plain, plain.Core)
	if NamesOperations(&plain) {
		told, named, err = (&witnessed{b: wide, name: naming(&plain), ids: true}).tell(p.Refutation.Proof)
		if err != nil { // the verifier accepted the proof already
			return certified("the proof cannot be shown: " + err.Error()), nil
		}
	}
	texts := []string{fmt.Sprintf("In ρ″, within %s:", withinBounds(r))}
	return certified(append(texts, claim.Texts(told)...)...), verify.Narrowed(r.Instance(), wide, named)
}

// withinBounds names the factor and what holds besides.
func withinBounds(r *result.Result) string {
	var with []string
	if r.Quasi.Causal {
		with = append(with, "no value removed before it is inserted")
	}
	if r.Quasi.Drain && r.Instance().Items.Delta != nil {
		with = append(with, "what is left over drained")
	}
	within := r.Quasi.Bounds(r.Spec.Info())
	if len(with) > 0 {
		within += ", with " + join(with)
	}
	return within
}

// valueSentences explains a core of values.
func valueSentences(r *result.Result, p *proof.Clausal) (told []claim.Sentence, operations []history.OpID) {
	for _, f := range r.Core.Facts {
		if f.Kind != explain.EdgeFact {
			operations = append(operations, f.Operations...)
		}
	}
	slices.Sort(operations)
	if over, bound, ok := explain.PassedOver(r.Instance(), r.Quasi, r.Core); ok {
		return passedSentences(r, over, bound), operations
	}
	if o := explain.FindOvertaken(r.Instance(), r.Quasi, r.Core); o != nil {
		return overtakenSentences(r, o), operations
	}
	chain := explain.Contradiction(r.Instance(), r.Quasi, operations)
	if told, named := distanceSentences(r, chain); told != nil {
		operations = append(operations, named...)
		return told, inorder.Distinct(operations)
	}
	whatever := ", whatever the other operations do"
	if !p.Weakening.SomeOrder {
		whatever = ", whatever the values of the others are"
	}
	return noRoom(r, p, operations, whatever), operations
}

// refutedBy counts what refutes a formula.
func refutedBy(p *proof.Clausal) string {
	return fmt.Sprintf("%s refuted by %s.", Count(p.Clauses, "clause was", "clauses were"),
		Count(len(p.Lemmas), "lemma", "lemmas"))
}

// noRoom says that some operations have no place, which clauses show that name them: all of a core.
func noRoom(r *result.Result, p *proof.Clausal, operations []history.OpID, whatever string) []claim.Sentence {
	var names []string
	for _, i := range operations {
		if r.Partition.Ops[i].Pending() {
			continue
		}
		if names = append(names, Numbered(r.Partition, i)); r.Core == nil && len(names) == maxListed &&
			len(operations) > maxListed+1 {
			names = append(names, fmt.Sprintf("%d more", len(operations)-maxListed))
			break
		}
	}
	return certified(fmt.Sprintf("CONTRADICTION: within %s, no order has room for %s%s.", withinBounds(r), join(names),
		whatever), refutedBy(p))
}

// others describes what was tried for the operations whose results do not matter.
func others(r *result.Result, weakening *proof.Weakening, results int) string {
	anytime := 0
	for i := range r.Partition.Ops {
		if !r.Partition.Ops[i].Pending() && weakening.Of(history.OpID(i)) == proof.RetainCall {
			anytime++
		}
	}
	if weakening.Retain == nil || results == r.Partition.Len() {
		return "with all results retained"
	}
	text := "whatever the other operations return"
	if anytime > 0 {
		text += fmt.Sprintf(", and whenever after their call %d of them take effect, or never", anytime)
	}
	return text
}

// quasi prints why there is no ρ″, and which facts that rests on.
func (s Style) quasi(w io.Writer, r *result.Result) {
	sentences, _ := QuasiSentences(r)
	for i, x := range sentences {
		if i == 0 {
			fmt.Fprintln(w)
		}
		escape.Fprintf(w, "    %s\n", x)
	}
	rests := "no small core was found: " + r.NoCore
	switch _, windows := r.Proof.(*proof.Displacement); {
	case r.Core != nil && windows: // which the core does not need
		rests = "another argument" + strings.TrimPrefix(restsOnFacts(r.Core, r.Partition.Len()), "this")
	case r.Core != nil:
		rests = restsOnFacts(r.Core, r.Partition.Len())
	case r.NoCore == "":
		return
	}
	fmt.Fprintln(w)
	escape.Fprintf(w, "  %s\n", s.Paint(Faint, rests))
}

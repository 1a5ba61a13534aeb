package words

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// Reasons returns the explanation of a violation in sentences; nil if there is none.
func Reasons(r *result.Result) []string { return claim.Texts(Told(r)) }

// Told is Reasons, and returns what each sentence claims.
func Told(r *result.Result) []claim.Sentence {
	if !r.Plain() {
		told, _ := quasiSentences(r)
		return told
	}
	told, _ := sentences(r, r.Core)
	return told
}

// Sentences returns the explanation of one core of r in sentences.
func Sentences(r *result.Result, core *explain.Core) []string {
	told, _ := sentences(r, core)
	return claim.Texts(told)
}

// sentences are those of Sentences. Where they tell the evidence of an engine, named lists the
// operations that they name.
func sentences(r *result.Result, core *explain.Core) (told []claim.Sentence, named []history.OpID) {
	if core == nil || core.Argument == nil {
		switch {
		case core != r.Core:
			return nil, nil
		case NamesOperations(r):
			return EvidenceSentences(r)
		}
		return triedSentences(r), nil
	}
	name := naming(r)
	if core == r.Core && r.Held != nil {
		if told, named, err := Evidence(r.Instance(), r.Held, name); err == nil {
			return told, named
		}
	}
	told, err := Argument(r.Instance(), core.Weakening, core.Argument, name)
	if err != nil { // the verifier accepted the argument already
		return certified("the argument cannot be shown: " + err.Error()), nil
	}
	return told, nil
}

// certified are sentences that say no more than the proof of the violation. Not inlined: it has
// many callers.
//
//go:noinline
func certified(texts ...string) (told []claim.Sentence) {
	for _, text := range texts {
		told = append(told, claim.Say(text, claim.Certified{}))
	}
	return told
}

// NamesOperations reports whether the proof of r names the operations of a conflict that a monitor
// or the search found: it is not an argument about a core, and not all orders were tried.
func NamesOperations(r *result.Result) bool {
	switch r.Proof.(type) {
	case *proof.RegisterConflict, *proof.CollectionConflict, *proof.SumConflict, *proof.LogConflict,
		*proof.HoldConflict, *proof.GrowthConflict, *proof.DualBound, *proof.DependencyCycles:
		return true
	}
	return false
}

// EvidenceSentences puts the evidence of an engine into sentences, and lists the operations that
// they name.
func EvidenceSentences(r *result.Result) (told []claim.Sentence, operations []history.OpID) {
	told, operations, err := Evidence(r.Instance(), r.Proof, naming(r))
	if err != nil { // the verifier accepted the evidence already
		return certified("the evidence cannot be shown: " + err.Error()), nil
	}
	return told, operations
}

// restsOnFacts describes what a core of the given number of operations rests on, and whether it is
// minimal.
func restsOnFacts(c *explain.Core, operations int) string {
	text := fmt.Sprintf("this rests on %s of %s", CoreFacts(c), Count(operations, "operation"))
	if len(c.Besides) > 0 {
		text += ", besides " + join(c.Besides)
	}
	return text + " (" + minimality(c) + ")"
}

// CoreFacts counts the facts of a core, in words: "2 responses and 1 edge".
func CoreFacts(c *explain.Core) string {
	var n [7]int
	for _, f := range c.Facts {
		n[f.Kind]++
	}
	var items []string
	for kind, words := range [...][]string{{"value"}, {"empty result"}, {"response"}, {"result"}, {"edge"},
		{"given edge"}, {}} {
		switch {
		case n[kind] == 0:
		case kind == int(explain.InitialFact):
			items = append(items, "the initial state")
		default:
			items = append(items, Count(n[kind], words...))
		}
	}
	return join(items)
}

// minimality describes whether a core is minimal.
func minimality(c *explain.Core) string {
	if c.Minimal && len(c.Besides) > 0 {
		return "minimal: no counted fact can be left out"
	}
	if c.Minimal {
		return "minimal: no fact can be left out"
	}
	return "perhaps not minimal: " + c.NotMinimal
}

func join(items []string) string {
	switch len(items) {
	case 0:
		return "nothing"
	case 1:
		return items[0]
	}
	out := items[0]
	for k := 1; k < len(items)-1; k++ {
		out += ", " + items[k]
	}
	return out + " and " + items[len(items)-1]
}

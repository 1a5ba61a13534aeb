package render

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/proof"
)

// Reasons returns the explanation of a violation in sentences; nil if there is none.
func Reasons(r *linsat.Result) []string {
	if r.Quasi != nil {
		words, _ := quasiSentences(r)
		return words
	}
	return sentences(r, r.Core)
}

// sentences returns the explanation of one core of r in sentences.
func sentences(r *linsat.Result, core *explain.Core) []string {
	if core == nil || core.Argument == nil {
		switch {
		case core != r.Core:
			return nil
		case namesOperations(r):
			words, _ := evidenceSentences(r)
			return words
		}
		return triedSentences(r)
	}
	name := func(op history.OpID) string { return Numbered(r.Part, op) }
	sentences, err := explain.Sentences(r.Instance, core.Weakening, core.Argument, name)
	if err != nil { // the verifier accepted the argument already
		return []string{"the argument cannot be shown: " + err.Error()}
	}
	return sentences
}

// namesOperations reports whether the proof of r names the operations of a conflict that a monitor
// or the search found: it is not an argument about a core, and not all orders were tried.
func namesOperations(r *linsat.Result) bool {
	switch r.Proof.(type) {
	case *proof.RegisterConflict, *proof.CollectionConflict, *proof.ToggleCount, *proof.SumConflict, *proof.DualBound:
		return true
	}
	return false
}

// evidenceSentences puts the evidence of an engine into sentences, and lists the operations that
// they name.
func evidenceSentences(r *linsat.Result) (words []string, operations []history.OpID) {
	words, operations, err := explain.EvidenceSentences(r.Instance, r.Proof, func(op history.OpID) string { return Numbered(r.Part, op) })
	if err != nil { // the verifier accepted the evidence already
		return []string{"the evidence cannot be shown: " + err.Error()}, nil
	}
	return words, operations
}

// CoreHighlight returns the highlight of a violation with a core: the operations of its facts, the
// order that the explanation uses, and the explanation in sentences. Without a core it is
// FailureHighlight.
func CoreHighlight(r *linsat.Result) Highlight {
	if _, ok := r.Proof.(*proof.Displacement); ok {
		words, operations := quasiSentences(r)
		hl := Highlight{Sentences: words}
		for _, i := range operations {
			hl.Operations = append(hl.Operations, r.Part.Global(i))
		}
		slices.Sort(hl.Operations)
		return hl
	}
	if r.Core == nil || len(r.Core.Facts) == 0 {
		hl := FailureHighlight(r)
		if r.Verdict != engine.NotLinearizable {
			return hl
		}
		if namesOperations(r) {
			_, operations := evidenceSentences(r)
			for _, i := range operations {
				hl.Operations = append(hl.Operations, r.Part.Global(i))
			}
			slices.Sort(hl.Operations)
			hl.Operations = slices.Compact(hl.Operations)
		}
		hl.Sentences = Reasons(r)
		return hl
	}
	hl := Highlight{Sentences: Reasons(r)}
	if r.Failure != nil {
		hl.Fails, hl.HasFails = r.Part.Global(r.Failure.Op), true
	}
	for _, f := range r.Core.Facts {
		for _, i := range f.Operations {
			hl.Operations = append(hl.Operations, r.Part.Global(i))
		}
		switch f.Kind {
		case explain.EdgeFact:
			hl.Edges = append(hl.Edges, [2]history.OpID{r.Part.Global(f.Operations[0]), r.Part.Global(f.Operations[1])})
		case explain.GivenFact:
			hl.Given = append(hl.Given, [2]history.OpID{r.Part.Global(f.Operations[0]), r.Part.Global(f.Operations[1])})
		}
	}
	slices.Sort(hl.Operations)
	hl.Operations = slices.Compact(hl.Operations)
	return hl
}

// restsOnFacts describes what a core of the given number of operations rests on, and whether it is
// minimal.
func restsOnFacts(c *explain.Core, operations int) string {
	text := fmt.Sprintf("this rests on %s of %s", CoreFacts(c), count(operations, "operation"))
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
	for kind, words := range [...][]string{{"value"}, {"empty result"}, {"response"}, {"result"}, {"edge"}, {"given edge"}, {}} {
		switch {
		case n[kind] == 0:
		case kind == int(explain.InitialFact):
			items = append(items, "the initial state")
		default:
			items = append(items, count(n[kind], words...))
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

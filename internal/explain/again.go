package explain

// Trying the facts of a small core once more, each with more effort.
//
// What: while a core is sought, one question of very many has little time, and a fact that it does
// not decide is kept. What is left at the end is small: each fact is left out of it alone, and an
// engine, or the prover with all its nodes, is asked again. If that decides all, the core is
// minimal, whatever was open before.
//
// Why: without a fact more is possible the less is retained. So a fact that is needed stays needed
// while others go, and what was open about larger weakenings does not matter.

import (
	"slices"

	"github.com/linsat/linsat/internal/engine"
)

// again leaves out of the core what it can do without, and calls it minimal if nothing stays open.
func (f *finder) again() {
	core := &f.core
	if core.Minimal || core.lasting || core.Argument == nil || len(core.Facts) > manyFacts {
		return
	}
	past, few := f.pastOrder(core.Least)
	for k := 0; k < len(core.Facts); {
		if few && f.needed(core.Facts[k], past) {
			k++
			continue
		}
		try := withoutFact(core.Least, core.Facts[k])
		proof, err := f.prove(try, DefaultNodes)
		switch {
		case f.ctx.Err() != nil, err != nil, proof.Argument == nil && proof.Cause != engine.Undecided,
			proof.Argument != nil && core.Weakening != core.Least:
			return
		case proof.Argument == nil:
			k++
		default:
			*core.Least, core.Argument = *try, proof.Argument
			gone := core.Facts[k]
			core.Facts = slices.DeleteFunc(core.Facts, func(x Fact) bool {
				return x.Kind >= gone.Kind && x.Kind <= ResultFact && x.Operations[0] == gone.Operations[0] ||
					x.Kind == gone.Kind && slices.Equal(x.Operations, gone.Operations)
			})
		}
	}
	core.Minimal, core.NotMinimal = true, ""
}

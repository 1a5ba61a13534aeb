package explain

// Cores: which facts of a history already refute it.
//
// What: facts are forgotten as long as what is left is still refuted: all explicit order; the
// future, a prefix instead of the whole; the past, any state at a late moment instead of everything
// before it; all operations of a value of a collection; that an operation returned; what it
// returned; what was given before what; that one returned before another was called; the initial
// state. Forgetting is monotone, so one pass of deletion, in halves, quarters and so on, leaves a
// minimal set.
//
// Who decides: for parts, the engines that the caller gives; for windows with a forgotten past or
// forgotten order, a search over cells (register_search.go) or the prover, which is complete on the
// few operations that are left by then. What is not decided within the budget is kept, and the core
// is not called minimal.
//
// Minimal is not always clearest: of collections with known values the whole values are kept or
// forgotten, not single responses ("some removal that was called too late" says less than "the
// removal of 1"), and the argument may use a result that is not a fact, of an operation whose
// response is one, where it is shorter for it.
//
// Invariants: claim is refuted after every step. The facts refute by themselves: Least forgets
// everything else but what Besides names.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Decide reports whether a part is linearizable; Unknown if that takes too long. It must be sound.
type Decide func(ctx context.Context, b *model.Instance) engine.Verdict

// Core explains a violation: the facts that are left when as much as possible is forgotten.
type Core struct {
	// Claim is what the argument refutes.
	Claim *proof.Weakening
	// Least keeps the facts and what Besides names, and no more; it is refuted, too. Claim may keep
	// more results.
	Least *proof.Weakening
	// Facts are those that Least keeps: without any of them it is not refuted any more, if Minimal.
	Facts []Fact
	// Besides says what else the core rests on, which was not forgotten piece by piece: "all order
	// in time".
	Besides []string
	Minimal bool
	// NotMinimal says why it may not be minimal.
	NotMinimal string
	// Argument refutes what the weakening leaves; nil if none was found, NoArgument says why.
	Argument   *proof.Node
	NoArgument string
	// Calls counts the questions to the engines, Proofs those to the prover.
	Calls, Proofs int
}

// Proof returns the argument with what it refutes, nil where there is none.
func (c *Core) Proof() proof.Proof {
	if c.Argument == nil {
		return nil
	}
	return &proof.Argument{Weakening: c.Claim, Tree: c.Argument}
}

// FactKind is what can be forgotten one by one.
type FactKind uint8

// The kinds of facts.
const (
	ValueFact    FactKind = iota // all operations of a value
	EmptyFact                    // an operation that found a collection empty
	ResponseFact                 // that the operation returned
	ResultFact                   // what it returned
	EdgeFact                     // that the first returned before the second was called
	GivenFact                    // that the history gives the first before the second
	InitialFact                  // the initial state that the history states
)

// What Besides can name.
const (
	AllResponses = "all responses"
	AllOrder     = "all order in time"
	AllGiven     = "the given order"
	TheStart     = "the initial state"
)

// Fact is something that a core keeps. Operations are positions in the part.
type Fact struct {
	Kind       FactKind
	Operations []history.OpID
}

// noAxioms is why there is no argument for a part without a theory.
const noAxioms = "the specification has no axioms for this part"

// Find looks for a minimal core of b's part, which is not linearizable. failure, if an engine found
// one, saves the search for the shortest prefix. The facts in without, and others about their
// operations, are not used. It returns nil if nothing is refuted without them, or if that could not
// be decided.
func Find(ctx context.Context, b *model.Instance, failure *engine.Failure, without []Fact, decide Decide) (*Core, error) {
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	if c, ok := b.Theory.(*model.CountingTheory); ok && nearEnds(c) {
		f.doubt("a start that explains the rest may lie beyond the numbers of 64 bits")
	}
	claim := &proof.Weakening{Cut: history.Never}
	if !f.leaveOut(without, claim) {
		return nil, nil
	}
	claim.Retain = slices.Clone(f.base)
	if b.Theory == nil && len(without) == 0 && f.fewValues(claim) {
		f.future(claim)
		if !f.leaveValues(claim) {
			f.results(claim)
		}
		f.core.NoArgument = noAxioms
		return &f.core, nil
	}
	if failure == nil && len(without) == 0 && f.twoObservations(claim) {
		f.finish(claim, f.responses(claim))
		if f.core.Argument == nil {
			f.settle()
		}
		return &f.core, nil
	}
	if failure != nil && len(without) == 0 {
		claim.Cut = failure.Cut
		if !f.refuted(claim) { // the engine's word is not taken for granted
			claim.Cut = history.Never
			failure = nil
		}
	}
	if failure == nil || len(without) > 0 {
		if !f.refuted(claim) {
			return nil, nil
		}
		f.future(claim)
	}
	f.given(claim)
	_, collection := b.Theory.(*model.CollectionTheory)
	switch {
	case b.Theory == nil:
		if !f.byView(claim) {
			f.withoutAxioms(claim)
			f.core.NoArgument = noAxioms
		}
	case model.Derived(b.Theory):
		if !f.byDerived(claim) {
			f.withoutAxioms(claim)
			f.core.NoArgument = "no short argument was found"
		}
	case collection:
		f.finish(claim, f.values(claim))
	default:
		f.past(claim)
		f.proved(claim, searchNodes)
		f.finish(claim, f.responses(claim))
	}
	if f.core.Argument == nil && f.inHand != nil {
		f.settle()
	}
	return &f.core, nil
}

package explain

// Cores: small sets of facts of a history that suffice to refute it.
//
// What: facts are dropped as long as the rest is still refuted. A fact is: explicit order as a
// whole; the future (leaving a prefix); the past (leaving an arbitrary state at a late moment); all
// operations on one value of a collection; that an operation returned; what it returned; one pair
// of explicit order; that one operation returned before another was called; the initial state.
// Dropping facts is monotone, so one pass of deletion, in halves, quarters and so on, leaves a
// minimal set.
//
// Decision procedures: for partitions, the engines that the caller passes; for windows whose past
// or order was dropped, a search over registers (register_search.go) or the prover, which is
// complete on the few operations left by then. A fact that cannot be decided within the budget is
// kept, and the core is then not called minimal.
//
// Minimal is not always clearest. For collections with known values, values are kept or dropped as
// a whole, not response by response ("some removal that was called too late" says less than "the
// removal of 1"). And where it shortens the argument, it may use the result of an operation of
// which only the response is a fact.
//
// Invariants: the weakening is refuted after every step. The facts alone suffice: Least retains
// only them and what Besides names.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Decide reports whether a partition is linearizable; Unknown if that takes too long. It must be
// sound.
type Decide func(ctx context.Context, b *model.Instance) engine.Verdict

// Core explains a violation: the facts that are left after dropping as many as possible.
type Core struct {
	// Weakening is what the argument refutes.
	Weakening *proof.Weakening
	// Least retains the facts and what Besides names, and no more; it is refuted, too. Weakening
	// may retain more results.
	Least *proof.Weakening
	// Facts are those that Least retains. If Minimal, it is not refuted without any one of them.
	Facts []Fact
	// Besides says what else the core rests on that was not dropped piece by piece: "all order in
	// time".
	Besides []string
	Minimal bool
	// NotMinimal says why it may not be minimal.
	NotMinimal string
	lasting    bool // more effort cannot tell
	// Argument refutes the weakened partition. If none was found it is nil, and NoArgument says
	// why.
	Argument   *proof.Node
	NoArgument string
	// Calls counts the calls of engines, Proofs those of the prover.
	Calls, Proofs int
}

// Proof returns the argument together with the weakening that it refutes, or nil if there is none.
func (c *Core) Proof() proof.Proof {
	if c.Argument == nil {
		return nil
	}
	return &proof.Argument{Weakening: c.Weakening, Tree: c.Argument}
}

// FactKind is a kind of fact that can be dropped individually.
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

// Fact is a fact that a core retains. Operations are positions in the partition.
type Fact struct {
	Kind       FactKind
	Operations []history.OpID
}

// noAxioms says why there is no argument for a partition without a theory.
const noAxioms = "the specification has no axioms for this partition"

// Find looks for a minimal core of b's partition, which is not linearizable. A failure reported by
// an engine, if any, saves the search for the shortest prefix. The facts in without, and others
// about their operations, are not used. Find returns nil if the rest is not refuted without them,
// or if that could not be decided.
func Find(ctx context.Context, b *model.Instance, failure *engine.Failure, without []Fact,
	decide Decide) (*Core, error) {
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	if c, ok := b.Theory.(*model.CountingTheory); ok && nearEnds(c) {
		f.doubt("a start that explains the rest may lie beyond the numbers of 64 bits")
	}
	weakening := &proof.Weakening{Cut: history.Never}
	if !f.leaveOut(without, weakening) {
		return nil, nil
	}
	weakening.Retain = slices.Clone(f.base)
	if !axiomatic(b) && len(without) == 0 && f.fewValues(weakening) {
		f.future(weakening)
		if !f.leaveValues(weakening) {
			f.results(weakening)
		}
		f.core.NoArgument = noAxioms
		return &f.core, nil
	}
	if failure == nil && len(without) == 0 && f.twoObservations(weakening) {
		f.finish(weakening, f.responses(weakening))
		if f.core.Argument == nil {
			f.settle()
		}
		return &f.core, nil
	}
	if failure != nil && len(without) == 0 {
		weakening.Cut = failure.Cut
		if !f.refuted(weakening) { // the engine's answer is checked
			weakening.Cut = history.Never
			failure = nil
		}
	}
	if failure == nil || len(without) > 0 {
		if !f.refuted(weakening) {
			return nil, nil
		}
		f.future(weakening)
	}
	f.given(weakening)
	_, collection := b.Theory.(*model.CollectionTheory)
	switch {
	case !axiomatic(b):
		if !f.byView(weakening) {
			f.withoutAxioms(weakening)
			f.core.NoArgument = noAxioms
		}
	case model.Derived(b.Axiomatic()):
		if !f.byDerived(weakening) {
			f.withoutAxioms(weakening)
			f.core.NoArgument = "no short argument was found"
		}
	case collection:
		f.finish(weakening, f.values(weakening))
	default:
		if !f.alone(weakening) {
			f.past(weakening)
			f.proved(weakening, searchNodes)
		}
		f.finish(weakening, f.responses(weakening))
	}
	if f.core.Argument == nil && f.inHand != nil {
		f.settle()
	}
	return &f.core, nil
}

package proof

import (
	"maps"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Proof shows that one partition of a history is a violation. The kinds of proofs are those of this
// package and no others. Positions are those of the partition. Package verify checks a proof
// against the history and the question.
type Proof interface {
	// Kind is the name of the kind of proof, as it is written in JSON.
	Kind() Kind
	// Refutes is what the proof refutes: the partition after facts of it have been forgotten.
	// Proofs of most kinds are about the partition as it stands.
	Refutes() *Weakening
	// Operations lists the operations that the proof names, ascending and without repetition. b is
	// the partition that it refutes. Others may matter as well: the proof may say something of all
	// operations on an object.
	Operations(b *model.Instance) []history.OpID

	sealed()
}

// Kind is the name of a kind of proof.
type Kind string

// The kinds of proofs.
const (
	KindArgument           Kind = "argument"            // *Argument
	KindExhaustion         Kind = "exhaustion"          // *Exhaustion
	KindRegisterConflict   Kind = "register-conflict"   // *RegisterConflict
	KindCollectionConflict Kind = "collection-conflict" // *CollectionConflict
	KindToggleCount        Kind = "toggle-count"        // *ToggleCount
	KindSumConflict        Kind = "sum-conflict"        // *SumConflict
	KindLogConflict        Kind = "log-conflict"        // *LogConflict
	KindHoldConflict       Kind = "hold-conflict"       // *HoldConflict
	KindGrowthConflict     Kind = "growth-conflict"     // *GrowthConflict
	KindDualBound          Kind = "dual-bound"          // *DualBound
	KindDisplacement       Kind = "displacement"        // *Displacement
	KindPairing            Kind = "pairing"             // *Pairing
	KindSaturation         Kind = "saturation"          // *Saturation
	KindClausal            Kind = "clausal"             // *Clausal
)

// Kinds lists all kinds of proofs in alphabetical order.
func Kinds() []Kind { return slices.Sorted(maps.Keys(registry)) }

// Kind implements Proof.
func (*Argument) Kind() Kind           { return KindArgument }
func (*Exhaustion) Kind() Kind         { return KindExhaustion }
func (*RegisterConflict) Kind() Kind   { return KindRegisterConflict }
func (*CollectionConflict) Kind() Kind { return KindCollectionConflict }
func (*ToggleCount) Kind() Kind        { return KindToggleCount }
func (*SumConflict) Kind() Kind        { return KindSumConflict }
func (*LogConflict) Kind() Kind        { return KindLogConflict }
func (*HoldConflict) Kind() Kind       { return KindHoldConflict }
func (*GrowthConflict) Kind() Kind     { return KindGrowthConflict }
func (*DualBound) Kind() Kind          { return KindDualBound }
func (*Displacement) Kind() Kind       { return KindDisplacement }
func (*Pairing) Kind() Kind            { return KindPairing }
func (*Saturation) Kind() Kind         { return KindSaturation }
func (*Clausal) Kind() Kind            { return KindClausal }

// Refutes implements Proof.
func (a *Argument) Refutes() *Weakening         { return a.Weakening }
func (e *Exhaustion) Refutes() *Weakening       { return e.Weakening }
func (*RegisterConflict) Refutes() *Weakening   { return Everything() }
func (*CollectionConflict) Refutes() *Weakening { return Everything() }
func (*ToggleCount) Refutes() *Weakening        { return Everything() }
func (*SumConflict) Refutes() *Weakening        { return Everything() }
func (*LogConflict) Refutes() *Weakening        { return Everything() }
func (*HoldConflict) Refutes() *Weakening       { return Everything() }
func (*GrowthConflict) Refutes() *Weakening     { return Everything() }
func (*DualBound) Refutes() *Weakening          { return Everything() }
func (*Displacement) Refutes() *Weakening       { return Everything() }
func (p *Pairing) Refutes() *Weakening          { return p.Weakening }
func (s *Saturation) Refutes() *Weakening       { return s.Weakening }
func (*Clausal) Refutes() *Weakening            { return Everything() }

func (*Argument) sealed()           {}
func (*Exhaustion) sealed()         {}
func (*RegisterConflict) sealed()   {}
func (*CollectionConflict) sealed() {}
func (*ToggleCount) sealed()        {}
func (*SumConflict) sealed()        {}
func (*LogConflict) sealed()        {}
func (*HoldConflict) sealed()       {}
func (*GrowthConflict) sealed()     {}
func (*DualBound) sealed()          {}
func (*Displacement) sealed()       {}
func (*Pairing) sealed()            {}
func (*Saturation) sealed()         {}
func (*Clausal) sealed()            {}

// Operations implements Proof: the operations that the axioms are applied to.
func (a *Argument) Operations(b *model.Instance) []history.OpID {
	_, collection := b.Theory.(*model.CollectionTheory)
	var ops []history.OpID
	a.Tree.axioms(func(axiom Axiom, args []history.OpID) {
		for k, op := range args {
			if collection || !axiom.isMode(k) {
				ops = append(ops, op)
			}
		}
	})
	return positions(ops)
}

// Operations implements Proof: none is named, since all orders are tried.
func (*Exhaustion) Operations(*model.Instance) []history.OpID { return nil }

// Operations implements Proof: none is named, since all pairings are tried.
func (*Pairing) Operations(*model.Instance) []history.OpID { return nil }

// Operations implements Proof: none is named, since everything that can be on top is listed.
func (*Saturation) Operations(*model.Instance) []history.OpID { return nil }

// Operations implements Proof: none is named, since the formula is about all.
func (*Clausal) Operations(*model.Instance) []history.OpID { return nil }

// Operations implements Proof.
func (r *RegisterConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// Operations implements Proof: those of the runs.
func (r *ToggleCount) Operations(*model.Instance) []history.OpID {
	return positions(slices.Concat(r.Runs...))
}

// Operations implements Proof: the observations. All operations that add something matter, too.
func (r *SumConflict) Operations(*model.Instance) []history.OpID {
	return positions([]history.OpID{r.After, r.Op})
}

// Operations implements Proof: the two, and the reads. Appends beside them may matter, too.
func (r *LogConflict) Operations(*model.Instance) []history.OpID {
	return positions(append([]history.OpID{r.First, r.Second}, r.Reads...))
}

// Operations implements Proof: those of the rule. What else their owners did matters, too.
func (r *HoldConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// Operations implements Proof: those of the rule. All adds of an element may matter, too.
func (r *GrowthConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// Operations implements Proof: those that have a multiplier.
func (r *DualBound) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// Operations implements Proof: those whose slots or places the steps narrow, and those by which
// they do.
func (d *Displacement) Operations(*model.Instance) []history.OpID {
	var ops []history.OpID
	for _, s := range d.Steps {
		if s.Rule != RuleOverfull && s.Rule != RuleExhausted {
			ops = append(ops, s.Op)
		}
		switch s.Rule {
		case RuleEmptyBefore, RuleEmptyAfter, RuleRemovedTwice:
			ops = append(ops, s.By)
		}
	}
	return positions(ops)
}

// Operations implements Proof: all operations on the values that are named, the operation that the
// rule is about, and all removals whose result is unknown.
func (r *CollectionConflict) Operations(b *model.Instance) []history.OpID {
	t := b.Taken()
	if t == nil {
		return nil
	}
	named := map[int32]bool{}
	for _, v := range r.Values {
		named[v] = true
	}
	if r.Via >= 0 {
		named[r.Via] = true
	}
	if r.Op >= 0 && int(r.Op) < len(t.Value) && t.Value[r.Op] >= 0 {
		named[t.Value[r.Op]] = true
	}
	var ops []history.OpID
	for i, v := range t.Value {
		if v >= 0 && named[v] || v == model.Anything || history.OpID(i) == r.Op {
			ops = append(ops, history.OpID(i))
		}
	}
	return ops
}

// positions sorts a list of operations and leaves out repetitions and what stands for the start,
// the end and items.
func positions(ops []history.OpID) []history.OpID {
	ops = slices.DeleteFunc(slices.Clone(ops), func(i history.OpID) bool { return i < 0 })
	slices.Sort(ops)
	return slices.Compact(ops)
}

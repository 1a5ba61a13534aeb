package proof

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
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

// about is what proofs about a partition as it stands have in common.
type about struct{}

// Refutes implements Proof.
func (about) Refutes() *Weakening { return Everything() }
func (about) sealed()             {}

// kinds holds a proof of every kind.
var kinds = []Proof{
	(*Argument)(nil), (*Clausal)(nil), (*CollectionConflict)(nil), (*DependencyCycles)(nil), (*Displacement)(nil),
	(*DualBound)(nil), (*Exhaustion)(nil), (*GrowthConflict)(nil), (*HoldConflict)(nil), (*LogConflict)(nil),
	(*Pairing)(nil), (*RegisterConflict)(nil), (*Saturation)(nil), (*SumConflict)(nil), (*Widening)(nil),
}

// Kinds lists all kinds of proofs in alphabetical order.
func Kinds() []Kind {
	var all []Kind
	for _, p := range kinds {
		all = append(all, p.Kind())
	}
	return all
}

// positions sorts a list of operations and leaves out repetitions and what stands for the start,
// the end and items.
func positions(ops []history.OpID) []history.OpID {
	ops = slices.DeleteFunc(slices.Clone(ops), func(i history.OpID) bool { return i < 0 })
	return inorder.Distinct(ops)
}

package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The kinds of proofs by trying again: what the verifier tries, it finds in the history.
const (
	KindExhaustion Kind = "exhaustion"
	KindPairing    Kind = "pairing"
	KindSaturation Kind = "saturation"
)

type (
	// Exhaustion proves that a partition is a violation by trying all orders of what a weakening
	// leaves of it; under a quasi factor all pairs ρ′ and ρ″. Cases are pairs of a set of
	// operations and a state, or, where all states that pending ones lead to are one, returns.
	Exhaustion = Retrial[ofOrders]
	// Pairing proves that a queue is a violation by trying all ways to pair its insertions with its
	// removals: the i-th value that leaves is the i-th that was inserted. Cases are pairs of a set
	// of insertions and a set of operations at the front.
	Pairing = Retrial[ofPairs]
	// Saturation proves that a stack is a violation by listing everything that can be on top after
	// any set of operations, whatever lies below. Cases are pairs of a value on top and a set.
	Saturation = Retrial[ofTops]
)

// Retrial proves that what a weakening leaves of a partition is a violation: nothing of one kind is
// left to be tried. The verifier tries it again.
type Retrial[K retrialKind] struct {
	Weakening *Weakening `json:"weakening"`
	// Cases is how many that took. The verifier stops after as many.
	Cases int `json:"cases" min:"1"`
}

type retrialKind interface{ kind() Kind }

type ofOrders struct{}
type ofPairs struct{}
type ofTops struct{}

func (ofOrders) kind() Kind { return KindExhaustion }
func (ofPairs) kind() Kind  { return KindPairing }
func (ofTops) kind() Kind   { return KindSaturation }

// Kind implements Proof.
func (*Retrial[K]) Kind() Kind {
	var k K
	return k.kind()
}

// Refutes implements Proof.
func (p *Retrial[K]) Refutes() *Weakening { return p.Weakening }

// Operations implements Proof: none is named, since everything is tried.
func (*Retrial[K]) Operations(*model.Instance) []history.OpID { return nil }

func (*Retrial[K]) sealed() {}

package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindExhaustion is the kind of *Exhaustion.
const KindExhaustion Kind = "exhaustion"

// Exhaustion proves that a partition is a violation by trying all orders of what a weakening leaves
// of it; under a quasi factor all pairs ρ′ and ρ″. The verifier tries them again.
type Exhaustion struct {
	Weakening *Weakening `json:"weakening"`
	// Cases is how many pairs of a set of operations and a state that took, or, where pending
	// operations are not told apart, how many returns. The verifier stops after as many pairs.
	Cases int `json:"cases" min:"1"`
}

// Kind implements Proof.
func (*Exhaustion) Kind() Kind { return KindExhaustion }

// Refutes implements Proof.
func (p *Exhaustion) Refutes() *Weakening { return p.Weakening }

// Operations implements Proof: none is named, since all orders are tried.
func (*Exhaustion) Operations(*model.Instance) []history.OpID { return nil }

func (*Exhaustion) sealed() {}

package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindSaturation is the kind of *Saturation.
const KindSaturation Kind = "saturation"

// Saturation proves that a stack is a violation by listing everything that can be on top after any
// set of operations, whatever lies below. Whoever verifies it lists it again.
type Saturation struct {
	Weakening *Weakening `json:"weakening"`
	// Cases is how many pairs of a place on the stack and a set of operations that took. The
	// verifier stops after as many.
	Cases int `json:"cases" min:"1"`
}

// Kind implements Proof.
func (*Saturation) Kind() Kind { return KindSaturation }

// Refutes implements Proof.
func (p *Saturation) Refutes() *Weakening { return p.Weakening }

// Operations implements Proof: none is named, since everything that can be on top is listed.
func (*Saturation) Operations(*model.Instance) []history.OpID { return nil }

func (*Saturation) sealed() {}

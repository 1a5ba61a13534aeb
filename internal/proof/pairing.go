package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindPairing is the kind of *Pairing.
const KindPairing Kind = "pairing"

// Pairing proves that a queue is a violation by trying all ways to pair its insertions with its
// removals: the i-th value that leaves is the i-th that was inserted. The verifier tries them
// again.
type Pairing struct {
	Weakening *Weakening `json:"weakening"`
	// Cases is how many pairs of a set of insertions and a set of operations at the front that
	// took. The verifier stops after as many.
	Cases int `json:"cases" min:"1"`
}

// Kind implements Proof.
func (*Pairing) Kind() Kind { return KindPairing }

// Refutes implements Proof.
func (p *Pairing) Refutes() *Weakening { return p.Weakening }

// Operations implements Proof: none is named, since all pairings are tried.
func (*Pairing) Operations(*model.Instance) []history.OpID { return nil }

func (*Pairing) sealed() {}

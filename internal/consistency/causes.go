package consistency

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// Causality of objects of any kind.
//
// Source: Bouajjani, Enea, Guerraoui and Hamza, On Verifying Causal Consistency (POPL 2017, section
// 3). There is a strict partial order co that contains the order of each process (AxCausal), such
// that for each operation o the specification has a sequence ρ with
//
//   - CC (weakly-causal), AxCausalValue: CausalHist(o){o} ⪯ ρ
//   - CM (causal), AxCausalSeq: CausalHist(o){POPast(o)} ⪯ ρ
//   - CCv (causal-convergence), AxCausalArb: CausalArb(o){o} ⪯ ρ, where arb is a total order that
//     contains co (AxArb)
//
// CausalHist(o) is o and what is before it in co, its causes, in the order co; CausalArb(o) is the
// same in the order arb. {X} forgets the results of all but X, and POPast(o) is o and what is
// before it in its process. ρ' ⪯ ρ if ρ is an order of the operations of ρ' that extends its order
// and has the results that ρ' has. So ρ ends with o.
//
// Ours: operations that never returned take effect or not, each for all others alike; those that do
// are as the others, with a result that is not known.

// Causes shows an answer: Orders that it is yes, Cases and Lemmas that it is no.
type Causes struct {
	// Orders has for each operation an order of its causes, and the operation at the end; nothing
	// for one that does not take effect.
	Orders [][]history.OpID `json:"orders,omitempty"`
	// Arbitration is, of CCv, the order of all that takes effect.
	Arbitration []history.OpID `json:"arbitration,omitempty"`
	// Cases are what the specification does not allow.
	Cases []Impossible `json:"cases,omitempty"`
	// Lemmas refute that there are orders without these cases.
	Lemmas []proof.Lemma `json:"lemmas,omitempty"`
}

// Impossible says that an operation cannot return what it did where With are among its causes,
// Without are not, and these are in the Order given (of CCv: of arb) as far as they are causes.
type Impossible struct {
	Op      history.OpID   `json:"op"`
	With    []history.OpID `json:"with,omitempty"`
	Without []history.OpID `json:"without,omitempty"`
	Order   []history.Edge `json:"order,omitempty"`
}

// ByCauses reports whether the question is one of these.
func (q *Question) ByCauses() bool {
	return q.Name == "weakly-causal" || q.Name == "causal" || q.Arbitrated()
}

// Arbitrated reports whether it is CCv.
func (q *Question) Arbitrated() bool { return q.Name == "causal-convergence" }

// Known returns ByProcess with the results that count for an operation.
func (q *Question) Known(h *history.History, op history.OpID) *history.History {
	if q.Name == "causal" {
		return Hidden(h, h.Ops[op].Process)
	}
	return hidden(h, func(i history.OpID) bool { return i == op })
}

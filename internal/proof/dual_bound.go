package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindDualBound is the kind of *DualBound.
const KindDualBound Kind = "dual-bound"

// DualBound proves that a partition is not linearizable: no assignment of pending operations can
// explain the completed ones.
//
// Interchangeable pending operations (equal EquivID) have one price, at least 0. They may be used
// any number of times at that price, but not before the first of them is called. A linearization
// would have spent, by every return, at most the total price of the operations called by then. No
// sequence of operations does. If all prices are 0, there is no sequence at all.
type DualBound struct {
	about
	Prices []Price `json:"multipliers"` // of every kind that has one above 0
}

// Price is the price of a kind of pending operations, of which it names one.
type Price struct {
	Op         history.OpID `json:"operation" min:"0"`
	Multiplier int64        `json:"multiplier" min:"1"`
}

// Kind implements Proof.
func (*DualBound) Kind() Kind { return KindDualBound }

// Operations implements Proof: those that have a multiplier.
func (r *DualBound) Operations(*model.Instance) []history.OpID {
	var ops []history.OpID
	for _, x := range r.Prices {
		ops = append(ops, x.Op)
	}
	return positions(ops)
}

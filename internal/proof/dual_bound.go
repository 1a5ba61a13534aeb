package proof

import (
	"fmt"

	"github.com/linsat/linsat/history"
)

// DualBound proves that a partition is not linearizable: no assignment of pending operations can
// explain the completed ones.
//
// Interchangeable pending operations (equal EquivID) have one price, at least 0. They may be used
// any number of times at that price, but not before the first of them is called. A linearization
// would have spent, by every return, at most the total price of the operations called by then. No
// sequence of operations does. If all prices are 0, there is no sequence at all.
type DualBound struct {
	Ops         []history.OpID // pending operations, one of every kind that has a price above 0
	Multipliers []int64        // their prices
}

func (r *DualBound) String() string {
	if len(r.Ops) == 0 {
		return "no number of pending operations suffices"
	}
	return fmt.Sprintf("prices of %d kinds of pending operations", len(r.Ops))
}

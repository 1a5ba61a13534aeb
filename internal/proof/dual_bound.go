package proof

import (
	"fmt"

	"github.com/linsat/linsat/history"
)

// DualBound proves that a partition is not linearizable: the operations that never returned do not
// suffice, whatever they cost.
//
// Interchangeable ones (equal EquivID) have one price, at least 0, and may be used as often as one
// likes, but not before the first of them is called, and at that price. A way to linearize the
// partition would have spent, by every return, at most what the operations called by then are worth
// together. No way does. Where all prices are 0, there is no way at all.
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

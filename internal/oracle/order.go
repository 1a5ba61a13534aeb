package oracle

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// before reports whether the order of the partition puts operation a before operation b when both
// take effect. Order through other completed operations follows, since those are in every total
// order and a total order is transitive. Order through pending and failed operations is among the
// edges already. Operations of one chain are in the order of their revisions.
func before(p *model.Partition, a, b history.OpID) bool {
	if p.Ops[a].Return < p.Ops[b].Call {
		return true
	}
	for _, e := range p.Edges {
		if e.Before == a && e.After == b {
			return true
		}
	}
	x, y := p.Revision(a), p.Revision(b)
	return x != nil && y != nil && x.Chain == y.Chain && x.Number < y.Number
}

// order holds the order of a partition as sets of operations.
type order struct {
	n         int
	completed uint64
	preds     []uint64 // operations that must come before this one if they take effect
	succs     []uint64
}

func orderOf(p *model.Partition) *order {
	n := p.Len()
	if n > 64 {
		panic(fmt.Sprintf("oracle: %d operations, but brute force decides at most 64", n))
	}
	o := &order{n: n, preds: make([]uint64, n), succs: make([]uint64, n)}
	for a := range n {
		if !p.Ops[a].Pending() {
			o.completed |= 1 << a
		}
		for b := range n {
			if before(p, history.OpID(a), history.OpID(b)) {
				o.succs[a] |= 1 << b
				o.preds[b] |= 1 << a
			}
		}
	}
	return o
}

// next reports whether operation i can follow exactly the operations in done, if all operations in
// must have to occur.
func (o *order) next(done, must uint64, i int) bool {
	return done>>i&1 == 0 && o.preds[i]&must&^done == 0 && o.succs[i]&done == 0
}

// each calls yield with every total order of exactly the included operations that extends the
// order of the partition, legal or not, until yield returns false. The slice is reused.
func (o *order) each(included uint64, yield func([]history.OpID) bool) bool {
	var sequence []history.OpID
	var extend func(done uint64) bool
	extend = func(done uint64) bool {
		if done == included {
			return yield(sequence)
		}
		for i := range o.n {
			if included>>i&1 == 1 && o.next(done, included, i) {
				sequence = append(sequence, history.OpID(i))
				if !extend(done | 1<<i) {
					return false
				}
				sequence = sequence[:len(sequence)-1]
			}
		}
		return true
	}
	return extend(0)
}

// choices calls yield with every set of operations that may have taken effect: all completed
// ones and any of the pending ones, fewest first in counting order.
func (o *order) choices(yield func(included uint64) bool) bool {
	all := uint64(1)<<o.n - 1
	pending := all &^ o.completed
	for sub := uint64(0); ; sub = (sub - pending) & pending {
		if !yield(o.completed | sub) {
			return false
		}
		if sub == pending {
			return true
		}
	}
}

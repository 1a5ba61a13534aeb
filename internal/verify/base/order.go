package base

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Complete checks that order is a set of operations of p that holds all completed ones.
func Complete(p *model.Partition, order []history.OpID) error {
	taken := make([]bool, p.Len())
	for k, i := range order {
		if i < 0 || int(i) >= p.Len() {
			return Under("complete", Faultf(Op(p, i), "place %d of the witness names it, and there is none", k))
		}
		if taken[i] {
			return Under("complete", Faultf(Op(p, i), "it takes effect twice, the second time at place %d", k))
		}
		taken[i] = true
	}
	for i := range taken {
		if !taken[i] && !p.Ops[i].Pending() {
			return Under("complete", Faultf(Op(p, history.OpID(i)), "it returned and is missing from the witness"))
		}
	}
	return nil
}

// InOrder checks that no operation stands behind one that it precedes. With
// distinct ranks that is: the latest call so far is before the next one's return. Revisions must
// ascend in every chain, whatever ranks and edges say.
func InOrder(p *model.Partition, order []history.OpID) error {
	latest := history.Rank(-1)
	for k, i := range order {
		if p.Ops[i].Return < latest {
			return Under("real-time",
				Faultf(Op(p, i), "it is at place %d, but returned before an earlier one was called", k))
		}
		latest = max(latest, p.Ops[i].Call)
	}
	if len(p.History.Revisions) > 0 {
		if err := ascending(p, order); err != nil {
			return err
		}
	}
	if len(p.Edges) == 0 {
		return nil
	}
	place := make([]int, p.Len())
	for k, i := range order {
		place[i] = k + 1
	}
	for _, e := range p.Edges {
		if place[e.Before] > 0 && place[e.After] > 0 && place[e.Before] > place[e.After] {
			return Under("explicit-order", Faultf(Op(p, e.Before, e.After),
				"the first comes after the second, at places %d and %d", place[e.Before]-1, place[e.After]-1))
		}
	}
	return nil
}

// ascending checks that the revisions of each chain ascend.
func ascending(p *model.Partition, order []history.OpID) error {
	latest := map[history.Value]history.OpID{} // chain → its last operation
	for _, i := range order {
		r := p.Revision(i)
		if r == nil {
			continue
		}
		if before, ok := latest[r.Chain]; ok && p.Revision(before).Number > r.Number {
			return Under("revisions",
				Faultf(Op(p, i, before), "the first, of revision %d, comes after the second, of revision %d", r.Number,
					p.Revision(before).Number))
		}
		latest[r.Chain] = i
	}
	return nil
}

package base

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Complete checks that order is a set of operations of p that holds all completed ones.
func Complete(p *model.Partition, order []history.OpID) error {
	taken := make([]bool, p.Len())
	for k, i := range order {
		if i < 0 || int(i) >= p.Len() {
			return fmt.Errorf("place %d names operation %d of %d", k, i, p.Len())
		}
		if taken[i] {
			return fmt.Errorf("operation %s takes effect twice", p.ID(i))
		}
		taken[i] = true
	}
	for i := range taken {
		if !taken[i] && !p.Ops[i].Pending() {
			return fmt.Errorf("operation %s is missing", p.ID(history.OpID(i)))
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
			return fmt.Errorf("operation %s at place %d returned before an earlier one was called", p.ID(i), k)
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
			return fmt.Errorf("operation %s comes after %s, against the given order", p.ID(e.Before), p.ID(e.After))
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
			return fmt.Errorf("operation %s with revision %d comes after %s with revision %d", p.ID(i), r.Number, p.ID(before), p.Revision(before).Number)
		}
		latest[r.Chain] = i
	}
	return nil
}

package solve

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/stale"
)

// moved returns the object with every read called earlier by delta: at the rank of the first
// operation to return from that time on. Ranks of calls and returns may then be equal; what
// precedes is what returns at a lower rank.
func moved(h *stale.History, o *stale.Object, delta int64) *stale.Object {
	if delta == 0 {
		return o
	}
	m := *o
	m.Ops = slices.Clone(o.Ops)
	returns := make([]*stale.Op, 0, len(o.Ops))
	for i := range o.Ops {
		if !o.Ops[i].Pending() {
			returns = append(returns, &o.Ops[i])
		}
	}
	sort.Slice(returns, func(i, j int) bool { return returns[i].Return < returns[j].Return })
	for i := range m.Ops {
		op := &m.Ops[i]
		if !op.Read {
			continue
		}
		at := h.From.Origins[op.ID].CallTime
		k := sort.Search(len(returns), func(k int) bool {
			return !before(h.From.Origins[returns[k].ID].ReturnTime, at, delta)
		})
		if k < len(returns) {
			op.Call = min(op.Call, returns[k].Return)
		}
	}
	return &m
}

// before reports whether a + delta < b.
func before(a, b, delta int64) bool { return a < b && uint64(b)-uint64(a) > uint64(delta) }

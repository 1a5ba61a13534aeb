// Package subhistory makes a history of some of the operations of another one.
package subhistory

import (
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
)

// Of returns the history of the given operations of h, in their order in time, with what is known
// of h as a whole and with their explicit order. Ranks are places among the calls and returns that
// are left. Operations keep their identifiers; in a history without, they are named by their
// position in it (op7).
func Of(h *history.History, ops []history.OpID) (*history.History, error) {
	ops = slices.Clone(ops)
	slices.Sort(ops)
	ops = slices.Compact(ops)
	var ranks []history.Rank
	for _, i := range ops {
		ranks = append(ranks, h.Ops[i].Call)
		if !h.Ops[i].Pending() {
			ranks = append(ranks, h.Ops[i].Return)
		}
	}
	slices.Sort(ranks)
	place := func(r history.Rank) history.Rank {
		at, _ := slices.BinarySearch(ranks, r)
		return history.Rank(at)
	}
	out := *h
	out.Ops, out.Origins, out.IDs, out.Revisions, out.Edges, out.Notes = nil, nil, nil, nil, nil, nil
	at := map[history.OpID]history.OpID{}
	for _, i := range ops {
		at[i] = history.OpID(len(out.Ops))
		o, origin := h.Ops[i], h.Origins[i]
		o.Call = place(o.Call)
		if !o.Pending() {
			o.Return = place(o.Return)
		}
		origin.Position, origin.CallTime, origin.ReturnTime = int32(len(out.Ops)), int64(o.Call), int64(o.Return)
		if h.Revisions != nil {
			out.Revisions = append(out.Revisions, h.Revisions[i])
		}
		out.Ops, out.Origins, out.IDs = append(out.Ops, o), append(out.Origins, origin), append(out.IDs, name(h, i))
	}
	for _, e := range h.Edges {
		before, first := at[e.Before]
		after, second := at[e.After]
		if first && second {
			out.Edges = append(out.Edges, history.Edge{Before: before, After: after})
		}
	}
	return &out, out.Validate()
}

func name(h *history.History, i history.OpID) string {
	if h.IDs != nil && h.IDs[i] != "" {
		return h.IDs[i]
	}
	return "op" + strconv.Itoa(int(h.Origins[i].Position))
}

// Package subhistory makes a history of some of the operations of another one.
package subhistory

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// Of returns the history of the given operations of h, in their order in time, with what is known
// of h as a whole and with their explicit order. Ranks are places among the calls and returns that
// are left. Operations keep their identifiers; in a history without, they are named by their
// position in it (op7).
func Of(h *history.History, ops []history.OpID) (*history.History, error) {
	ops = slices.Clone(ops)
	ops = inorder.Distinct(ops)
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
	for _, e := range composed(h, ops) {
		out.Edges = append(out.Edges, history.Edge{Before: at[e.Before], After: at[e.After]})
	}
	return &out, out.Validate()
}

// composed returns the explicit order among the given operations, sorted as that of a history: the
// edges between two of them, and one for each two that are in order only through completed
// operations that are left out. It costs the product of the number of operations and that of edges
// of what is left out.
func composed(h *history.History, ops []history.OpID) []history.Edge {
	if len(h.Edges) == 0 {
		return nil
	}
	kept := among(ops)
	var edges, through []history.Edge
	for _, e := range h.Edges {
		if kept(e.Before) && kept(e.After) {
			edges = append(edges, e)
		} else {
			through = append(through, e)
		}
	}
	for _, x := range ops {
		if len(through) == 0 {
			break
		}
		met := map[history.OpID]bool{x: true}
		end := h.Ops[x].Return // what is called later comes after x
		for more := true; more; {
			more = false
			for _, e := range through {
				passes := e.Before == x || !h.Ops[e.Before].Pending() && (met[e.Before] || h.Ops[e.Before].Call > end)
				if passes && !met[e.After] {
					met[e.After], more = true, true
					if !kept(e.After) {
						end = min(end, h.Ops[e.After].Return)
					}
				}
			}
		}
		for _, y := range ops {
			if y != x && (met[y] || h.Ops[y].Call > end) && h.Ops[y].Call < h.Ops[x].Return {
				edges = append(edges, history.Edge{Before: x, After: y})
			}
		}
	}
	sort.Slice(edges, func(i, j int) bool {
		x, y := edges[i], edges[j]
		return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before)) < 0
	})
	return slices.Compact(edges)
}

func name(h *history.History, i history.OpID) string {
	if h.IDs != nil && h.IDs[i] != "" {
		return h.IDs[i]
	}
	return "op" + strconv.Itoa(int(h.Origins[i].Position))
}

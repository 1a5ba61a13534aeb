// Package subhistory makes a history of some of the operations of another one.
package subhistory

import (
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
)

// Of returns the history of the given operations of h, in their order in time, with the initial
// state, the specification and their explicit order. Times are places among the calls and returns
// that are left. Operations keep their identifiers; in a history without, they are named by their
// position in it (op7). A process that goes on while an operation of it is pending goes on under
// another name.
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
	place := func(r history.Rank) int64 {
		at, _ := slices.BinarySearch(ranks, r)
		return int64(at)
	}
	b := history.NewBuilder()
	b.Values = h.Values
	b.SetSpec(h.Spec)
	if h.HasInitial {
		b.SetInitial(h.Initial)
	}
	at := map[history.OpID]int{}
	busy := map[string]history.Rank{} // until when
	for _, i := range ops {
		o := &h.Ops[i]
		process := h.Processes[o.Process]
		for until, met := busy[process]; met && until > o.Call; until, met = busy[process] {
			process += "'"
		}
		busy[process] = o.Return
		r := history.Record{
			Process: b.Process(process), F: o.F, Key: o.Key, Arg: o.Arg, Call: place(o.Call),
			ID: name(h, i), Line: int(h.Origins[i].Line),
		}
		switch {
		case o.Pending():
			r.Status = history.Open
		case o.Unknown:
			r.Return, r.Forgotten = place(o.Return), true
		default:
			r.Return, r.Result, r.NoResult = place(o.Return), o.Result, o.NoResult
		}
		position, err := b.Add(r)
		if err != nil {
			return nil, err
		}
		at[i] = position
	}
	for _, e := range h.Edges {
		before, first := at[e.Before]
		after, second := at[e.After]
		if first && second {
			if err := b.Edge(before, after, 0); err != nil {
				return nil, err
			}
		}
	}
	out, err := b.Finish()
	if err != nil {
		return nil, err
	}
	out.Source = h.Source
	return out, nil
}

func name(h *history.History, i history.OpID) string {
	if h.IDs != nil && h.IDs[i] != "" {
		return h.IDs[i]
	}
	return "op" + strconv.Itoa(int(h.Origins[i].Position))
}

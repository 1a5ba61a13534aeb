package consistency

import "github.com/linsat/linsat/history"

// ByProcess returns h with the order of each process in the place of time: all operations overlap,
// and those of one process are in order by edges. Linearizability of it is sequential consistency
// of h.
//
// Orders that h states besides (edges, chains of revisions) are left out: they are facts about
// time or about the system, and the question is about processes only. Operations keep their
// positions.
func ByProcess(h *history.History) *history.History {
	g := *h
	n := len(h.Ops)
	g.Ops, g.Edges, g.Revisions, g.Aborted, g.AbortedOrigins = make([]history.Op, n), nil, nil, nil, nil
	last := make([]history.OpID, len(h.Processes)) // by process: its last operation, plus one
	for i := range h.Ops {
		o := h.Ops[i]
		o.Call = history.Rank(i)
		if !o.Pending() {
			o.Return = history.Rank(n + i)
		}
		g.Ops[i] = o
		if before := last[o.Process]; before > 0 {
			g.Edges = append(g.Edges, history.Edge{Before: before - 1, After: history.OpID(i)})
		}
		last[o.Process] = history.OpID(i) + 1
	}
	return &g
}

// Hidden returns ByProcess as one process knows it: what the operations of others returned is not
// known. That it is linearizable for each process is pipelined consistency of any object [Perrin,
// Mostéfaoui, Jard, PPoPP 2016], which is PRAM for registers.
func Hidden(h *history.History, process int32) *history.History {
	return hidden(h, func(i history.OpID) bool { return h.Ops[i].Process == process })
}

// hidden returns ByProcess with the results of those operations only that are shown.
func hidden(h *history.History, shown func(history.OpID) bool) *history.History {
	g := ByProcess(h)
	for i := range g.Ops {
		if o := &g.Ops[i]; !shown(history.OpID(i)) {
			o.Result, o.Unknown, o.NoResult = history.Nil, true, false
		}
	}
	return g
}

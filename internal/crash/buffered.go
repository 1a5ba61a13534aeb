package crash

// What: buffered durability as linearizability. States are pairs: the object as it is, and what of
// it is stored. Between two crashes the object is stored once, at some point in time, and a crash
// leaves of the object what is stored. So what takes effect after that point is lost, and what took
// effect before it is kept: a suffix of the order.
//
// How: the history gets two operations for each crash. ":crash" is open from the last return before
// the crash to the first call after it, and ":persist" from the crash before to it; edges put them
// in their order. An operation that never returned and was called before a crash has an edge to it.
//
// Invariant: the history is linearizable for the pairs exactly if its operations have points in
// time within their intervals, those that are open at a crash before it or none, such that each
// result is right where between two crashes some prefix is kept. TestCrashesAreTimes compares the
// two.
//
// Cost: the states of an object times those that it had since the last crash.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The operations that are added for a crash.
const (
	persists = ":persist"
	crashes  = ":crash"
)

// Buffered returns the question whether h is linearizable for s if crashes may lose the last of
// what took effect: another history and another specification. Their partitions are not
// independent.
// from says where each operation was in h, -1 for those that are added.
func Buffered(h *history.History, s model.Spec, crashed []Crash) (lossy *history.History, pairs model.Spec,
	from []history.OpID) {
	lossy, from = withCrashes(h, crashed)
	return lossy, &buffered{strict: s, info: infoOf(s)}, from
}

// withCrashes returns h with operations for its crashes. Ranks are places among calls and returns.
func withCrashes(h *history.History, crashed []Crash) (out *history.History, from []history.OpID) {
	all := &line{h: h, calls: make([]int64, len(h.Ops)), returns: make([]int64, len(h.Ops))}
	for i, o := range h.Ops {
		all.calls[i], all.returns[i] = place(o.Call), place(o.Return)
	}
	all.ops, all.origins = slices.Clone(h.Ops), slices.Clone(h.Origins)
	persist, crash := h.Values.String(persists), h.Values.String(crashes)
	begin, since := int64(math.MinInt64), crashed[0].Before
	if len(h.Ops) > 0 {
		since = min(since, h.Origins[0].CallTime)
	}
	var processes []string
	for k, c := range crashed {
		last, next := surrounding(h, c)
		call, ret := max(place(last), begin+1)+2, place(next)-gap/2+4*int64(k)
		all.add(len(h.Processes)+2*k, persist, begin, ret-1, since, c.Before)
		all.add(len(h.Processes)+2*k+1, crash, call, ret, c.Before, c.Before)
		processes = append(processes, fmt.Sprint(persists, k+1), fmt.Sprint(crashes, k+1))
		begin, since = call+1, c.Before
	}
	out = all.history()
	out.Processes = append(slices.Clone(h.Processes), processes...)
	before := func(a, b int) {
		out.Edges = append(out.Edges, history.Edge{Before: all.moved[a], After: all.moved[b]})
	}
	for k, c := range crashed {
		persist, crash := len(h.Ops)+2*k, len(h.Ops)+2*k+1
		before(persist, crash)
		if k > 0 {
			before(persist-1, persist)
		}
		for i := range h.Ops {
			if h.Ops[i].Pending() && h.Origins[i].CallTime < c.Before {
				before(i, crash)
			}
		}
	}
	sort.Slice(out.Edges, func(i, j int) bool {
		x, y := out.Edges[i], out.Edges[j]
		return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before)) < 0
	})
	from = make([]history.OpID, len(all.moved))
	for i, to := range all.moved {
		from[to] = history.OpID(i)
		if i >= len(h.Ops) {
			from[to] = -1
		}
	}
	return out, from
}

func place(r history.Rank) int64 { return int64(r) * gap }

// surrounding returns the last return before a crash and the first call after it.
func surrounding(h *history.History, c Crash) (last, next history.Rank) {
	last, next = -1, history.Never-1
	for i := range h.Ops {
		if !h.Ops[i].Pending() && h.Origins[i].ReturnTime < c.Before {
			last = max(last, h.Ops[i].Return)
		}
		if h.Origins[i].CallTime > c.After {
			next = min(next, h.Ops[i].Call)
		}
	}
	return last, next
}

// line is a history under way: operations with the places of their calls and returns.
type line struct {
	h              *history.History
	ops            []history.Op
	origins        []history.Origin
	calls, returns []int64
	moved          []history.OpID // where each operation went
}

// add adds an operation that returns.
func (l *line) add(process int, f history.Value, call, ret int64, from, to int64) {
	l.ops = append(l.ops, history.Op{Process: int32(process), F: f, Key: history.NoKey})
	l.origins = append(l.origins, history.Origin{Position: int32(len(l.origins)), CallTime: from, ReturnTime: to})
	l.calls, l.returns = append(l.calls, call), append(l.returns, ret)
}

// history returns the history of the operations, without what is ordered before the added ones.
func (l *line) history() *history.History {
	var places []int64
	for i := range l.ops {
		places = append(places, l.calls[i])
		if !l.ops[i].Pending() {
			places = append(places, l.returns[i])
		}
	}
	slices.Sort(places)
	rank := func(p int64) history.Rank {
		k, _ := slices.BinarySearch(places, p)
		return history.Rank(k)
	}
	order := make([]int, len(l.ops))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return l.calls[order[i]] < l.calls[order[j]] })
	out := *l.h
	out.Ops, out.Origins, out.IDs, out.Revisions, out.Edges = nil, nil, nil, nil, nil
	l.moved = make([]history.OpID, len(l.ops))
	for to, i := range order {
		l.moved[i] = history.OpID(to)
		o := l.ops[i]
		o.Call = rank(l.calls[i])
		if !o.Pending() {
			o.Return = rank(l.returns[i])
		}
		out.Ops, out.Origins = append(out.Ops, o), append(out.Origins, l.origins[i])
		old := i < len(l.h.Ops)
		if l.h.IDs != nil {
			out.IDs = append(out.IDs, "")
			if old {
				out.IDs[to] = l.h.IDs[i]
			}
		}
		if l.h.Revisions != nil {
			out.Revisions = append(out.Revisions, nil)
			if old {
				out.Revisions[to] = l.h.Revisions[i]
			}
		}
	}
	for _, e := range l.h.Edges {
		out.Edges = append(out.Edges, history.Edge{Before: l.moved[e.Before], After: l.moved[e.After]})
	}
	return &out
}

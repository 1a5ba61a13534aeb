package history

// Order of a history: from times and explicit edges to ranks, and edges for what ranks cannot
// express.
//
// What: a precedes b iff a.return < b.call on closed intervals (equal times mean concurrent), or a
// and b belong to one process and a comes first, or an explicit edge orders them; closed
// transitively, before failed operations are dropped. The result is a rank for every event, such
// that a.Return < b.Call expresses all of the interval part, and a short list of edges for the
// rest.
//
// How: events are ranked by time, calls before returns. A process whose return and next call carry
// the same time is put in between: its own events, in its own order, after the other calls and
// before the other returns of that time. That keeps its order, and it stays concurrent with all
// other processes. Two such processes at one time are not interval order any more (a1<b1 and a2<b2
// with a1∥b2 and a2∥b1 is the pattern 2+2), so all but one of them get an edge.
//
// Edges u→v are folded into the ranks where that is exact: everything that precedes
// u precedes v, so v.Call rises to u.Call; everything that follows v follows u, so
// u.Return falls to v.Return. What remains are the pairs themselves, and pairs
// through failed and pending operations, which may be missing from a linearization.
//
// Invariants: after rank, no call shares a rank with a return. After close, for kept
// operations a, b that both take effect: a precedes b in the closed order iff
// there is a path of (Return < Call) steps and edges from a to b through completed
// operations. Then a is called before b, and if both return, a returns before b.
// Checked against the closure by definition in order_test.go.
//
// Cost: O(n) where times lie close together and none occurs twice, or are in order; O(n log n)
// otherwise; edges: O(e · k) with k the
// explicit predecessors of one operation.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/history/internal/radix"
	"github.com/linsat/linsat/internal/inorder"
)

type ordering struct {
	records []Record
	call    []Rank  // rank of the call, by record
	ret     []Rank  // rank of the return, Never while open
	prev    []int32 // record before this one in its process, -1 if none
	byCall  []int32 // records sorted by (call time, return time, position)
	edges   []recordEdge
}

// recordEdge orders one record before another.
type recordEdge struct{ before, after int32 }

func newOrdering(records []Record) *ordering {
	return &ordering{records: records, call: make([]Rank, len(records)), ret: make([]Rank, len(records))}
}

// sequence orders the operations of each process and refuses overlaps.
func (o *ordering) sequence(processes []string) error {
	n := len(o.records)
	o.byCall = make([]int32, n)
	for i := range o.byCall {
		o.byCall[i] = int32(i)
	}
	less := func(x, y int32) int {
		a, b := &o.records[x], &o.records[y]
		if c := cmp.Compare(a.Call, b.Call); c != 0 {
			return c
		}
		if a.Pending || b.Pending {
			return cmp.Or(cmp.Compare(b2i(a.Pending), b2i(b.Pending)), cmp.Compare(x, y))
		}
		return cmp.Or(cmp.Compare(a.Return, b.Return), cmp.Compare(x, y))
	}
	if !slices.IsSortedFunc(o.byCall, less) {
		slices.SortFunc(o.byCall, less)
	}
	o.prev = make([]int32, n)
	last := make([]int32, len(processes))
	for i := range last {
		last[i] = -1
	}
	for _, i := range o.byCall {
		r := &o.records[i]
		p := last[r.Process]
		o.prev[i], last[r.Process] = p, i
		if p < 0 {
			continue
		}
		q := &o.records[p]
		if q.Pending {
			return &Error{Line: r.Line,
				What: fmt.Sprintf("process %s calls operation %s, but its operation %s never returned",
					processes[r.Process], o.name(i), o.name(p)),
				Hint: "after a pending operation a process may not be used again; give the later ones another process"}
		}
		if q.Failed && q.Return == noTime {
			q.Return = r.Call // the latest that it can have failed
		}
		if r.Call < q.Return {
			return &Error{Line: r.Line,
				What: fmt.Sprintf("process %s has operations %s and %s open at once (at time %d)", processes[r.Process],
					o.name(p), o.name(i), r.Call),
				Hint: "a process has one operation open at a time; give each thread a process of its own"}
		}
	}
	return nil
}

// name is what messages call a record: its id, or its position.
func (o *ordering) name(i int32) string {
	if id := o.records[i].ID; id != "" {
		return id
	}
	return itoa(int64(i))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rankDistinct is rank for times that lie close together, none of which occurs twice: the rank of
// an event is the number of its time. It returns false for other times.
func (o *ordering) rankDistinct() bool {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range o.records {
		r := &o.records[i]
		first, last = min(first, r.Call), max(last, r.Call)
		if !r.Pending {
			last = max(last, r.Return)
		}
	}
	if len(o.records) == 0 || uint64(last)-uint64(first) >= lex.TimesEach*uint64(len(o.records)) {
		return false
	}
	table := make([]Rank, last-first+1) // whether a time occurs, then how many occur before it
	clear(table)                        // a page that is read before it is written is mapped twice
	for i := range o.records {
		r := &o.records[i]
		twice := table[r.Call-first]
		table[r.Call-first] = 1
		if !r.Pending {
			twice += table[r.Return-first]
			table[r.Return-first] = 1
		}
		if twice > 0 {
			return false
		}
	}
	sum := Rank(0)
	for t, is := range table {
		table[t] = sum
		sum += is
	}
	for i := range o.records {
		r := &o.records[i]
		if o.call[i], o.ret[i] = table[r.Call-first], Never; !r.Pending {
			o.ret[i] = table[r.Return-first]
		}
	}
	return true
}

// rank numbers the events.
func (o *ordering) rank() {
	if !o.rankDistinct() {
		o.rankSorted()
	}
}

// rankSorted is rank for any times.
func (o *ordering) rankSorted() {
	byRet := make([]int32, 0, len(o.records))
	for _, i := range o.byCall {
		if o.records[i].Pending {
			o.ret[i] = Never
		} else {
			byRet = append(byRet, i)
		}
	}
	// Operations of one process stay in their order even at one time: the sort is stable.
	radix.SortByTime(byRet, func(i int32) int64 { return o.records[i].Return })
	rank := Rank(0)
	c, r := 0, 0
	for c < len(o.byCall) || r < len(byRet) {
		var t int64
		if c < len(o.byCall) {
			t = o.records[o.byCall[c]].Call
		}
		if r < len(byRet) && (c == len(o.byCall) || o.records[byRet[r]].Return < t) {
			t = o.records[byRet[r]].Return
		}
		c1, r1 := c, r
		for c1 < len(o.byCall) && o.records[o.byCall[c1]].Call == t {
			c1++
		}
		for r1 < len(byRet) && o.records[byRet[r1]].Return == t {
			r1++
		}
		switch {
		case c1-c == 1 && r1 == r:
			o.call[o.byCall[c]] = rank
			rank++
		case c1 == c && r1-r == 1:
			o.ret[byRet[r]] = rank
			rank++
		default:
			rank = o.rankTime(t, o.byCall[c:c1], byRet[r:r1], rank)
		}
		c, r = c1, r1
	}
}

// rankTime numbers the events of one time from rank on.
func (o *ordering) rankTime(t int64, calls, rets []int32, rank Rank) Rank {
	between := int32(-1) // the process that is put in between
	for _, i := range calls {
		p := o.prev[i]
		if p < 0 || len(rets) == 0 || o.records[p].Return != t {
			continue
		}
		switch proc := o.records[i].Process; between {
		case -1, proc:
			between = proc
		default:
			o.edges = append(o.edges, recordEdge{p, i})
		}
	}
	for _, i := range calls {
		if o.records[i].Process != between {
			o.call[i] = rank
			rank++
		}
	}
	if between >= 0 {
		// Both lists hold the process's own events in its own order; the k-th call
		// here comes after the return of its predecessor.
		r := 0
		for _, i := range calls {
			if o.records[i].Process != between {
				continue
			}
			for p := o.prev[i]; p >= 0 && o.records[p].Return == t && r < len(rets); r++ {
				if o.records[rets[r]].Process != between {
					continue
				}
				o.ret[rets[r]] = rank
				rank++
				if rets[r] == p {
					r++
					break
				}
			}
			o.call[i] = rank
			rank++
		}
		for ; r < len(rets); r++ {
			if o.records[rets[r]].Process == between {
				o.ret[rets[r]] = rank
				rank++
			}
		}
	}
	for _, i := range rets {
		if o.records[i].Process != between {
			o.ret[i] = rank
			rank++
		}
	}
	return rank
}

// close folds the edges into the ranks. It leaves in o.edges, between retained records, those that
// the ranks do not express.
func (o *ordering) close() error {
	if len(o.edges) == 0 {
		return nil
	}
	n := len(o.records)
	after := make([][]int32, n)
	before := make([][]int32, n)
	for _, e := range o.edges {
		after[e.before] = append(after[e.before], e.after)
		before[e.after] = append(before[e.after], e.before)
	}
	topo, err := o.topological(after, before)
	if err != nil {
		return err
	}
	call0 := slices.Clone(o.call)
	for _, v := range topo {
		for _, u := range before[v] {
			o.call[v] = max(o.call[v], o.call[u])
		}
		if o.call[v] > o.ret[v] {
			return o.cycle(v, before, call0)
		}
	}
	// What follows v follows u, also where u is pending and passes it on to its own predecessors
	// only.
	followed := slices.Clone(o.ret)
	for _, u := range slices.Backward(topo) {
		for _, v := range after[u] {
			followed[u] = min(followed[u], followed[v])
		}
		if !o.records[u].Pending {
			o.ret[u] = followed[u]
		}
	}
	o.edges = o.remaining(topo, before)
	o.renumber(topo)
	return nil
}

// topological sorts the records that touch an edge, or names a cycle of edges.
func (o *ordering) topological(after, before [][]int32) ([]int32, error) {
	topo, acyclic := sorted(after, before)
	if acyclic {
		return topo, nil
	}
	for v := range after {
		if len(after[v])+len(before[v]) > 0 && !slices.Contains(topo, int32(v)) {
			return nil, &Error{Line: o.records[v].Line,
				What: fmt.Sprintf("\"order\" is cyclic: operation %d comes before itself", v),
				Hint: "remove one edge of the cycle"}
		}
	}
	panic("history: a cycle without a member")
}

// cycle reports that v would have to be called after its own return: follow the
// edge that raised its call back to where the raise began.
func (o *ordering) cycle(v int32, before [][]int32, call0 []Rank) error {
	u := v
	for call0[u] != o.call[v] {
		for _, w := range before[u] {
			if o.call[w] == o.call[v] {
				u = w
				break
			}
		}
	}
	return &Error{Line: o.records[v].Line,
		What: fmt.Sprintf(
			"\"order\" puts operation %d before operation %d, which returned before operation %d was called", u, v, u),
		Hint: "remove that edge, or check the times"}
}

// remaining lists the pairs of retained records whose order follows neither from the ranks nor from
// other pairs through completed records.
func (o *ordering) remaining(topo []int32, before [][]int32) []recordEdge {
	// takes effect in every linearization
	lasting := func(u int32) bool { return o.records[u].returned() }
	preds := map[int32][]int32{}
	var out []recordEdge
	for _, v := range topo {
		var all []int32
		for _, u := range before[v] {
			if !o.records[u].Failed {
				all = append(all, u)
			}
			if !lasting(u) {
				all = append(all, preds[u]...)
			}
		}
		all = inorder.Distinct(all)
		preds[v] = all
		if o.records[v].Failed {
			out = o.past(v, all, out)
			continue
		}
		for _, u := range all {
			if o.ret[u] > o.call[v] {
				out = append(out, recordEdge{u, v})
			}
		}
	}
	return out
}

// past carries the pending predecessors of a failed record over to the first
// records that were called after its return.
func (o *ordering) past(failed int32, preds []int32, out []recordEdge) []recordEdge {
	var pending []int32
	for _, u := range preds {
		if o.records[u].Pending {
			pending = append(pending, u)
		}
	}
	if len(pending) == 0 {
		return out
	}
	first := Never
	for y := range o.records {
		if o.records[y].returned() && o.call[y] > o.ret[failed] {
			first = min(first, o.ret[y])
		}
	}
	for y := range o.records {
		if !o.records[y].Failed && o.call[y] > o.ret[failed] && o.call[y] < first {
			for _, u := range pending {
				if u != int32(y) {
					out = append(out, recordEdge{u, int32(y)})
				}
			}
		}
	}
	return out
}

// renumber makes all ranks distinct again, in the same order. Calls or returns that edges have
// moved to one rank come in the order of the edges: an operation is called, and returns, after its
// predecessors. So every prefix of the history that has an operation has its predecessors.
func (o *ordering) renumber(topo []int32) {
	place := make([]int32, len(o.records))
	for k, v := range topo {
		place[v] = int32(k)
	}
	type event struct {
		rank   Rank
		record int32
		ret    bool
	}
	var events []event
	for i := range o.records {
		events = append(events, event{o.call[i], int32(i), false})
		if o.ret[i] != Never {
			events = append(events, event{o.ret[i], int32(i), true})
		}
	}
	sort.SliceStable(events, func(i, j int) bool {
		x, y := events[i], events[j]
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(b2i(x.ret), b2i(y.ret)),
			cmp.Compare(place[x.record], place[y.record])) < 0
	})
	for rank, e := range events {
		if e.ret {
			o.ret[e.record] = Rank(rank)
		} else {
			o.call[e.record] = Rank(rank)
		}
	}
}

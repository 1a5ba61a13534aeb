package history

// Known orders: chains of revisions become ranks, and edges for what ranks cannot express.
//
// What: an operation may have a revision, a number in a named chain. Of those that take effect, one
// with a smaller number comes before one with a greater number of the same chain; equal numbers
// leave the order open. A pending operation that does not take effect orders nothing, and neither
// does the revision of a failed operation.
//
// How: three steps, on top of the order by times and explicit edges (order.go).
//
// Fold. A completed operation takes effect in any case. What precedes it precedes all of greater
// revisions, so their calls rise to its call; what follows it follows all of smaller revisions, so
// their returns fall to its return. Between the operations of one number and those of the next
// stands one node, so the graph has two edges for each operation.
//
// Cut. Take neighbouring numbers x < y with operations that still overlap. From some place t
// between the first call of y and the last return of x, let x end and y begin there. That orders
// nothing else if no operation outside the chain returns between the first call of y and t, or is
// called between t and the last return of x. The last call of an outside operation before the end
// of this window is the best t. If one chain holds all completed operations, no outside operation
// returns, and ranks express the whole chain: partitions stay apart, and monitors see no edges.
//
// Pairs. What overlaps after that keeps edges, between neighbouring numbers only, from operations
// that none of the same number follows to those that none of the same number precedes. At most as
// many of them are open at once as the history is wide.
//
// A chain can contradict the times: revision 18 returned before revision 17 was called. Then no
// order of the operations exists, and the two have an edge each way. The return of 18 moves behind
// the call of 17, because up to there nothing is wrong; no other return moves.
//
// Source: ours; the argument for ranks is that of order.go.
//
// Invariants: an order of operations that take effect ascends in every chain and extends the order
// by times and explicit edges iff it extends ranks and edges after chain. Ranks are distinct.
// TestChainsByDefinition compares the two for small histories. Where chains are folded, what an
// edge orders is called, and returns, in that order; but edges out of pending operations may lead
// back, and so may those into pending operations with explicit edges.
//
// Cost: O(n log n) for sorting, and the edges; a cut costs O(n) for each of at most mostCut chains.

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// Revision is the place of an operation in a known order: of the operations of one chain that take
// effect, those with smaller numbers come first.
type Revision struct {
	Chain  Value // its name, Nil for the chain without one
	Number int64
}

// step holds the operations of one chain that have one number.
type step struct{ completed, pending []int32 }

// chains returns the chains as steps in ascending order.
func (o *ordering) chains() [][]step {
	var all []int32
	for i := range o.records {
		if r := &o.records[i]; r.Revision != nil && !r.Failed {
			all = append(all, int32(i))
		}
	}
	slices.SortStableFunc(all, func(x, y int32) int {
		a, b := o.records[x].Revision, o.records[y].Revision
		return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Number, b.Number))
	})
	var chains [][]step
	for k, i := range all {
		if k == 0 || o.records[all[k-1]].Revision.Chain != o.records[i].Revision.Chain {
			chains = append(chains, nil)
		}
		c := &chains[len(chains)-1]
		if len(*c) == 0 || *o.records[all[k-1]].Revision != *o.records[i].Revision {
			*c = append(*c, step{})
		}
		s := &(*c)[len(*c)-1]
		if o.records[i].Pending {
			s.pending = append(s.pending, i)
		} else {
			s.completed = append(s.completed, i)
		}
	}
	return chains
}

// chain takes the revisions in. Ranks and edges hold the order without them.
func (o *ordering) chain() error {
	chains := o.chains()
	if len(chains) == 0 {
		return nil
	}
	if o.foldChains(chains) && len(o.edges) == 0 && len(chains) <= mostCut {
		for _, c := range chains {
			o.cut(c)
		}
	}
	for _, c := range chains {
		if err := o.pairs(c); err != nil {
			return err
		}
	}
	return nil
}

// foldChains folds chains and edges into the ranks. It returns false if they contradict each other
// or the ranks; then only calls are folded.
func (o *ordering) foldChains(chains [][]step) bool {
	n := len(o.records)
	nodes := n // the records, and a node after each step
	for _, c := range chains {
		nodes += len(c)
	}
	after, before := make([][]int32, nodes), make([][]int32, nodes)
	link := func(u, v int32) { after[u], before[v] = append(after[u], v), append(before[v], u) }
	for _, e := range o.edges {
		link(e.before, e.after)
	}
	node := int32(n)
	for _, c := range chains {
		for k, s := range c {
			for _, members := range [...][]int32{s.completed, s.pending} {
				for _, i := range members {
					link(i, node)
					if k > 0 {
						link(node-1, i)
					}
				}
			}
			if k > 0 {
				link(node-1, node)
			}
			node++
		}
	}
	// Pending operations order nothing where they do not take effect: they pass nothing on.
	lasts := func(x int32) bool { return int(x) >= n || o.records[x].returned() }
	calls, first := spread(o.call, after, lasts, func(x, y int32) int { return cmp.Compare(o.call[y], o.call[x]) })
	topo, consistent := sorted(after, before)
	for v := range n {
		if o.records[v].returned() && calls[v] > o.ret[v] {
			// It returned before an operation was called that precedes it: it lasts until then, and
			// both edges remain.
			o.edges = append(o.edges, recordEdge{int32(v), first[v]})
			o.ret[v], consistent = calls[v], false
		}
	}
	returns := o.ret
	if consistent {
		returns, _ = spread(o.ret, before, lasts, func(x, y int32) int { return cmp.Compare(o.ret[x], o.ret[y]) })
	}
	for _, e := range o.edges {
		// An explicit edge binds whether or not its pending operation takes effect, and the call of
		// that operation with it; the revision does not.
		if o.records[e.before].Pending {
			calls[e.before] = o.call[e.before]
		}
	}
	for i := range o.records {
		if o.call[i] = calls[i]; !o.records[i].Pending {
			o.ret[i] = returns[i]
		}
	}
	o.renumber(slices.DeleteFunc(topo, func(x int32) bool { return int(x) >= n }))
	return consistent
}

// spread gives every node of a graph the rank of the first record, in the given order, from which
// it can be reached through nodes that pass it on, and tells that record.
func spread(ranks []Rank, to [][]int32, passes func(x int32) bool, order func(x, y int32) int) (out []Rank,
	from []int32) {
	from = make([]int32, len(to))
	for x := range from {
		from[x] = -1
	}
	records := make([]int32, len(ranks))
	for i := range records {
		records[i] = int32(i)
	}
	slices.SortFunc(records, order)
	out = make([]Rank, len(to))
	var reached []int32
	for _, i := range records {
		if from[i] < 0 {
			from[i] = i
			reached = append(reached, i)
		}
		for len(reached) > 0 {
			x := reached[len(reached)-1]
			reached = reached[:len(reached)-1]
			if out[x] = ranks[from[x]]; !passes(x) {
				continue
			}
			for _, y := range to[x] {
				if from[y] < 0 {
					from[y] = i
					reached = append(reached, y)
				}
			}
		}
	}
	return out, from
}

// sorted returns the nodes of a graph that have edges, each after its predecessors, and reports
// whether that is possible.
func sorted(after, before [][]int32) (topo []int32, acyclic bool) {
	degree, touched := make([]int, len(after)), 0
	for v := range after {
		if degree[v] = len(before[v]); len(after[v])+degree[v] == 0 {
			continue
		}
		if touched++; degree[v] == 0 {
			topo = append(topo, int32(v))
		}
	}
	for i := 0; i < len(topo); i++ {
		for _, v := range after[topo[i]] {
			if degree[v]--; degree[v] == 0 {
				topo = append(topo, v)
			}
		}
	}
	return topo, len(topo) == touched
}

// cut separates the numbers of a chain wherever ranks can. No record has an edge.
func (o *ordering) cut(all []step) {
	c := slices.DeleteFunc(slices.Clone(all), func(s step) bool { return len(s.completed) == 0 })
	calledBefore, returnsFrom := o.outside(c)
	places := make([]Rank, len(c)) // where each number ends, -1 if it is not cut from the next one
	lows := make([]Rank, len(c))   // the first call of the next number
	for k := range c {
		places[k] = -1
		if k+1 == len(c) {
			break
		}
		low, high := Never, Rank(-1)
		for _, v := range c[k+1].completed {
			low = min(low, o.call[v])
		}
		for _, u := range c[k].completed {
			high = max(high, o.ret[u])
		}
		lows[k] = low
		if t := max(low, calledBefore[high]); low < high && t < returnsFrom[low] {
			places[k] = t
		}
	}
	o.move(all, c, places, lows)
}

// move moves calls and returns to the places where c is cut. At one place, what stood there comes
// first, and then ends and beginnings of numbers in turn.
func (o *ordering) move(all, c []step, places, lows []Rank) {
	type event struct {
		at, turn, was Rank
		record        int32
		ret           bool
	}
	events := make([]event, 0, 2*len(o.records))
	where := make([]int32, 2*len(o.records)) // record → its call and its return in events, plus one
	for i := range o.records {
		events = append(events, event{o.call[i], -1, o.call[i], int32(i), false})
		where[2*i] = int32(len(events))
		if o.ret[i] != Never {
			events = append(events, event{o.ret[i], -1, o.ret[i], int32(i), true})
			where[2*i+1] = int32(len(events))
		}
	}
	begin := func(i int32, from int) {
		if e := &events[where[2*i]-1]; from >= 0 && e.at <= places[from] {
			e.at, e.turn = places[from], Rank(2*from+1)
		}
	}
	k, from, earlier := 0, -1, -1 // the last cut before number k, and before the one before it
	for _, s := range all {
		for _, i := range s.pending {
			// What returns before the first call of number k precedes number k, and not this.
			if k > 0 && from == k-1 && o.call[i] < lows[from] {
				begin(i, earlier)
			} else {
				begin(i, from)
			}
		}
		if len(s.completed) == 0 {
			continue
		}
		for _, i := range s.completed {
			begin(i, from)
		}
		if earlier = from; places[k] >= 0 {
			from = k
		}
		k++
	}
	for k, to := len(c)-1, -1; k >= 0; k-- {
		if places[k] >= 0 {
			to = k
		}
		for _, i := range c[k].completed {
			if e := &events[where[2*i+1]-1]; to >= 0 && e.at > places[to] {
				e.at, e.turn = places[to], Rank(2*to)
			}
		}
	}
	sort.Slice(events, func(i, j int) bool {
		x, y := events[i], events[j]
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.turn, y.turn), cmp.Compare(x.was, y.was)) < 0
	})
	for rank, e := range events {
		if e.ret {
			o.ret[e.record] = Rank(rank)
		} else {
			o.call[e.record] = Rank(rank)
		}
	}
}

// outside returns, for every rank, the last call before it and the first return from it on of an
// operation that is not a completed one of the chain: -1 and Never if there is none.
func (o *ordering) outside(c []step) (calledBefore, returnsFrom []Rank) {
	inside := make([]bool, len(o.records))
	for _, s := range c {
		for _, i := range s.completed {
			inside[i] = true
		}
	}
	last := Rank(-1)
	for i := range o.records {
		if last = max(last, o.call[i]); o.ret[i] != Never {
			last = max(last, o.ret[i])
		}
	}
	calls, returns := make([]bool, last+1), make([]bool, last+1)
	for i := range o.records {
		if r := &o.records[i]; !inside[i] && !r.Failed {
			calls[o.call[i]] = true
			if r.returned() {
				returns[o.ret[i]] = true
			}
		}
	}
	calledBefore, returnsFrom = make([]Rank, last+1), make([]Rank, last+1)
	call, ret := Rank(-1), Never
	for r := range calledBefore {
		calledBefore[r] = call
		if calls[r] {
			call = Rank(r)
		}
	}
	for r := int(last); r >= 0; r-- {
		if returns[r] {
			ret = Rank(r)
		}
		returnsFrom[r] = ret
	}
	return calledBefore, returnsFrom
}

// pairs appends the edges of a chain that the ranks do not express.
func (o *ordering) pairs(c []step) error {
	var ends []int32    // of the last number with completed operations, those that no other follows
	var waiting []int32 // pending operations of that number and of later ones
	for _, s := range c {
		begins := o.first(s.completed)
		if len(ends)*(len(begins)+len(s.pending))+len(waiting)*(len(begins)+len(s.pending)) > mostPairs-len(o.edges) {
			r := &o.records[append(begins, s.pending...)[0]]
			return &Error{Line: r.Line,
				What: fmt.Sprintf(
					"revision %d has too many concurrent operations before it: more than %d pairs that times do not "+
						"order", r.Revision.Number, mostPairs),
				Hint: "give every operation a number of its own, or leave out the revisions of pending operations"}
		}
		for _, v := range append(begins, s.pending...) {
			for _, u := range ends {
				if o.ret[u] > o.call[v] {
					o.edges = append(o.edges, recordEdge{u, v})
				}
			}
			for _, u := range waiting {
				o.edges = append(o.edges, recordEdge{u, v})
			}
		}
		if len(s.completed) > 0 {
			ends, waiting = o.last(s.completed), nil
		}
		waiting = append(waiting, s.pending...)
	}
	return nil
}

// first returns the completed operations that no other one of them precedes.
func (o *ordering) first(ops []int32) (out []int32) {
	returned := Never
	for _, i := range ops {
		returned = min(returned, o.ret[i])
	}
	for _, i := range ops {
		if o.call[i] < returned {
			out = append(out, i)
		}
	}
	return out
}

// last returns the completed operations that no other one of them follows.
func (o *ordering) last(ops []int32) (out []int32) {
	called := Rank(-1)
	for _, i := range ops {
		called = max(called, o.call[i])
	}
	for _, i := range ops {
		if o.ret[i] > called {
			out = append(out, i)
		}
	}
	return out
}

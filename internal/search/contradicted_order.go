package search

// What: completed operations that explicit order and times together order in a circle, as where a
// later revision returned before an earlier one was called. They have no order at all, whatever the
// specification says. And two that time orders against the numbers that the specification gives
// them (model.Tokens): a greater fencing token was returned before the smaller one was asked
// for.
//
// Source: ours; the topological sorting is Kahn's.
//
// How: along the edges between completed operations the earliest place of each is passed on, its
// call at first. An operation whose earliest place lies behind its return closes a circle: the
// edges back to the operation whose call that place is, and time from here to there. Time between
// two edges needs no step of its own: what was called after a return is behind it by its own call.
// Edges of pending operations are left out, since such an operation may not take effect.
//
// Of operations by number, the latest call so far is behind the return of none that follows.
//
// Invariant: nil iff times and edges between completed operations have no circle
// (TestContradictedOrder), or times and numbers (TestNumbersAgainstTime).
//
// Cost: linear in operations and edges.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wgl"
)

// decideOrder refutes a partition whose operations are ordered in a circle.
func decideOrder(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	p := r.Instance.Partition
	if p.Drains > 0 {
		return d
	}
	if lock := model.As[*model.LockTheory](r.Instance); lock != nil && lock.Tokens != nil {
		if x, y, found := descending(p, lock.Tokens); found {
			d.Outcome, d.Approximate, d.Evidence = wgl.Failed, true, onlyResponses(p, proof.RetainAll, x, y)
			return d
		}
	}
	if len(p.Edges) == 0 {
		return d
	}
	circle := contradicted(p)
	if circle == nil {
		return d
	}
	before := circle[len(circle)-1]
	for _, i := range circle {
		if x, y := p.Revision(before), p.Revision(i); x != nil && y != nil && x.Chain == y.Chain &&
			x.Number > y.Number {
			circle = []history.OpID{before, i} // revisions between them do not matter
			break
		}
		before = i
	}
	d.Outcome, d.Approximate, d.Evidence = wgl.Failed, true, onlyResponses(p, proof.RetainResponse, circle...)
	return d
}

// onlyResponses returns the evidence that some operations alone are refuted, of which it keeps what
// is given, and only the calls of the others.
func onlyResponses(p *model.Partition, kept proof.Retained, ops ...history.OpID) proof.Proof {
	w := proof.Everything()
	w.Retain = slices.Repeat([]proof.Retained{proof.RetainCall}, p.Len())
	for _, i := range ops {
		w.Retain[i] = kept
	}
	return &proof.Exhaustion{Weakening: w}
}

// descending returns two completed operations of which the first returned before the second was
// called and has a greater number, or that have the same one where all are distinct.
func descending(p *model.Partition, a *model.Tokens) (x, y history.OpID, found bool) {
	var ops []history.OpID // by number
	for i, n := range a.Numbers {
		if op := history.OpID(i); n > 0 && !p.Ops[i].Pending() {
			ops = append(ops, op)
		}
	}
	slices.SortFunc(ops, func(i, j history.OpID) int {
		return cmp.Or(cmp.Compare(a.Numbers[i], a.Numbers[j]), cmp.Compare(p.Ops[i].Return, p.Ops[j].Return))
	})
	latest := history.OpID(-1) // of those with a smaller number, the one called last
	for k := 0; k < len(ops); {
		same := k
		for ; k < len(ops) && a.Numbers[ops[k]] == a.Numbers[ops[same]]; k++ {
			switch {
			case latest >= 0 && p.Ops[ops[k]].Return < p.Ops[latest].Call:
				return ops[k], latest, true
			case a.Distinct && k > same:
				return ops[same], ops[k], true
			}
		}
		for _, i := range ops[same:k] {
			if latest < 0 || p.Ops[i].Call > p.Ops[latest].Call {
				latest = i
			}
		}
	}
	return 0, 0, false
}

// contradicted returns operations of a partition that are ordered in a circle: by edges from each
// to the next one, and from the last to the first by an edge or by time. It returns nil if there is
// no circle.
func contradicted(p *model.Partition) []history.OpID {
	n := p.Len()
	after := make([][]history.OpID, n)
	open := make([]int32, n) // edges into it from operations that have no place yet
	for _, e := range p.Edges {
		if !p.Ops[e.Before].Pending() && !p.Ops[e.After].Pending() {
			after[e.Before] = append(after[e.Before], e.After)
			open[e.After]++
		}
	}
	earliest := make([]history.Rank, n)
	from := make([]history.OpID, n) // whose place that is, by an edge; -1: its own call
	var ready []history.OpID
	for i := range n {
		earliest[i], from[i] = p.Ops[i].Call, -1
		if open[i] == 0 {
			ready = append(ready, history.OpID(i))
		}
	}
	for k := 0; k < len(ready); k++ {
		u := ready[k]
		if earliest[u] > p.Ops[u].Return {
			var circle []history.OpID
			for ; u >= 0; u = from[u] {
				circle = append(circle, u)
			}
			slices.Reverse(circle)
			return circle
		}
		for _, v := range after[u] {
			if earliest[u] > earliest[v] {
				earliest[v], from[v] = earliest[u], u
			}
			if open[v]--; open[v] == 0 {
				ready = append(ready, v)
			}
		}
	}
	if len(ready) == n {
		return nil
	}
	// What is left has a predecessor that is left, each: back along them until one comes again.
	before := make([]history.OpID, n)
	last := history.OpID(-1)
	for u := range after {
		for _, v := range after[u] {
			if open[u] > 0 && open[v] > 0 {
				before[v], last = history.OpID(u), v
			}
		}
	}
	seen := make([]bool, n)
	for !seen[last] {
		seen[last] = true
		last = before[last]
	}
	circle := []history.OpID{last}
	for u := before[last]; u != last; u = before[u] {
		circle = append(circle, u)
	}
	slices.Reverse(circle)
	return circle
}

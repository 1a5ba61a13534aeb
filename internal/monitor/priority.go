package monitor

// Priority queues with distinct values.
//
// What: a history is linearizable iff empty results have their moments (empties.go), and every
// removal and peek of a value has a moment at which no value that goes before it is certainly
// inside. Values of equal priority leave in any order.
//
// How: values are visited in the order of their priority. First their removals and peeks look for a
// moment that is still free; then the moments at which they themselves are inside are taken. Free
// moments are kept in two arrays of pointers to the next one, later and earlier, with path
// compression.
//
// Pending removals that may have taken one of the values left over: linearizable by guessing
// (pending.go). It is a violation if an operation is open only while the values of completed
// removals are inside, or more values that go before it were inserted for good than removals are
// pending by then. Between the two it is undecided.
//
// Source: reference algorithm of our own, proved and compared with brute force. The bound is that
// of Lee & Mathur (OOPSLA 2025).
//
// Invariant: when a value is looked at, the free moments are those at which no value of strictly
// less rank is inside.
//
// Cost: O(n log n) for sorting by priority, else O(n α(n)); the proof of a violation with pending
// removals takes O(n log n).

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

func priority(ctx context.Context, c *collected, operations int) engine.Answer {
	q := newPriorities(c)
	if len(c.pendOp) == 0 || len(c.left) == 0 {
		return q.complete(ctx)
	}
	// First without them: a witness has no use for a removal that may have taken one of many
	// values, and the verifier has to try all of these.
	c.release()
	if a := q.complete(ctx); a.Verdict != engine.NotLinearizable {
		return a
	}
	c.match()
	a := q.complete(ctx)
	if a.Verdict != engine.NotLinearizable || a.Proof.(*proof.CollectionConflict).Rule == proof.Covered {
		return a // matched in turn, at no moment more values are inside than must be
	}
	a = c.guess(operations, func() engine.Answer { return q.complete(ctx) })
	if a.Verdict == engine.NotLinearizable {
		q.matchFirst()
		a = q.complete(ctx)
	}
	if a.Verdict != engine.NotLinearizable {
		return a
	}
	if no := q.spare(); no != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no}
	}
	return engine.Answer{Cause: engine.Undecided, Detail: "which value a pending removal took decides"}
}

// priorities looks for moments.
type priorities struct {
	*collected
	order []int32 // values by rank
	// by moment (earlier: plus one): a moment on the way to the next free one
	later, earlier       []moment
	insAt, remAt, peekAt []moment // the moments chosen
}

func newPriorities(c *collected) *priorities {
	return &priorities{collected: c, order: byRank(c.values, c.theory.Rank)}
}

// byRank sorts values by rank, equal ranks by number. Values of c are ascending, so a stable
// sort by digits of the distance from the least rank does it: first the low bits, then the high.
func byRank(values []int32, rank []int64) []int32 {
	order := slices.Clone(values)
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range values {
		least, most = min(least, rank[v]), max(most, rank[v])
	}
	spread := uint64(most) - uint64(least)
	if len(values) < fewRanks || spread>>31 > math.MaxInt32 {
		slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
		return order
	}
	list := make([]ranked, len(values))
	distance := func(v int32) uint64 { return uint64(rank[v]) - uint64(least) }
	for k, v := range values {
		list[k] = ranked{history.Rank(distance(v) & math.MaxInt32), v}
	}
	spare := sortRanked(list, nil)
	if spread>>31 > 0 {
		for k := range list {
			list[k].at = history.Rank(distance(list[k].what) >> 31)
		}
		sortRanked(list, spare)
	}
	for k := range list {
		order[k] = list[k].what
	}
	return order
}

// matchFirst lets the i-th pending removal take the i-th value left over, by priority.
func (q *priorities) matchFirst() {
	p := 0
	for _, v := range q.order {
		if q.unremoved(v) {
			if p == len(q.pendOp) {
				p = -1
			}
			q.assign(v, p)
			if p >= 0 {
				p++
			}
		}
	}
}

// complete decides with pending removals as assigned.
func (q *priorities) complete(ctx context.Context) engine.Answer {
	empties, no := q.placeEmpties()
	if no == nil {
		no = q.place(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case no != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: q.witness(empties)}
}

// open makes all moments free.
func (q *priorities) open() {
	q.later, q.earlier = make([]moment, q.end+2), make([]moment, q.end+2)
	for g := range q.later {
		q.later[g], q.earlier[g] = moment(g), moment(g)
	}
}

// next returns the first free moment from g on. The last one, end, is always free.
func (q *priorities) next(g moment) moment {
	for q.later[g] != g {
		q.later[g] = q.later[q.later[g]]
		g = q.later[g]
	}
	return g
}

// previous returns the last free moment up to g, or -1.
func (q *priorities) previous(g moment) moment {
	for g++; q.earlier[g] != g; g = q.earlier[g] {
		q.earlier[g] = q.earlier[q.earlier[g]]
	}
	return g - 1
}

// take takes the free moments at which v is inside, and calls each with them.
func (q *priorities) take(v int32, each func(g moment)) {
	for g := q.next(q.insHi[v]); g < q.remLo[v]; g = q.next(g + 1) {
		q.later[g] = g + 1
		q.earlier[g+1] = g
		if each != nil {
			each(g)
		}
	}
}

// groups calls look with all values of each priority, those that leave first in front, until it
// returns a refutation.
func (q *priorities) groups(look func(group []int32) *proof.CollectionConflict) *proof.CollectionConflict {
	rank := q.theory.Rank
	for from := 0; from < len(q.order); {
		to := from + 1
		for to < len(q.order) && rank[q.order[to]] == rank[q.order[from]] {
			to++
		}
		if no := look(q.order[from:to]); no != nil {
			return no
		}
		from = to
	}
	return nil
}

// place chooses moments: removals as early, insertions as late as possible; a peek after the
// insertion and before the removal if there is a free moment, else before, with the insertion.
func (q *priorities) place(ctx context.Context) *proof.CollectionConflict {
	q.open()
	q.insAt, q.remAt, q.peekAt = make([]moment, len(q.ins)), make([]moment, len(q.ins)), make([]moment, len(q.peekOp))
	count := 0
	return q.groups(func(group []int32) *proof.CollectionConflict {
		if count += len(group); count&4095 < len(group) && ctx.Err() != nil {
			return refutation(0) // never looked at
		}
		for _, v := range group {
			out := q.next(q.remLo[v])
			if out >= q.remHi[v] {
				return q.outranked(v, q.rem[v], q.remLo[v], q.remHi[v])
			}
			in := min(q.insHi[v]-1, out)
			latest := in
			for k := q.peekFrom[v]; k < q.peekFrom[v+1]; k++ {
				at := q.next(max(latest, q.peekLo[k]))
				if at >= q.peekHi[k] || at > out {
					if at = q.previous(min(latest, q.peekHi[k]-1)); at < q.peekLo[k] {
						return q.outranked(v, q.peekOp[k], q.peekLo[k], q.peekHi[k])
					}
				}
				q.peekAt[k] = at
				in = min(in, at)
			}
			q.insAt[v], q.remAt[v] = in, out
		}
		for _, v := range group {
			q.take(v, nil)
		}
		return nil
	})
}

// outranked refutes op of v, which is open in [lo, hi) only while values are inside that go before
// v.
func (q *priorities) outranked(v int32, op history.OpID, lo, hi moment) *proof.CollectionConflict {
	r := refutation(proof.Outranked, q.withCompetitors(q.chain(q.before(v), lo, hi))...)
	r.Op = op
	return r
}

// before returns the values that go before v.
func (q *priorities) before(v int32) []int32 {
	rank := q.theory.Rank
	n, _ := slices.BinarySearchFunc(q.order, rank[v], func(u int32, r int64) int { return cmp.Compare(rank[u], r) })
	return q.order[:n]
}

// spare refutes whatever pending removals took, or returns nil. It leaves values left over
// unassigned.
func (q *priorities) spare() *proof.CollectionConflict {
	for _, v := range q.left {
		q.pin(v)
	}
	// By moment: values left over that go before those looked at and are inserted by then, minus
	// pending removals called by then.
	more := make([]int32, q.end+1)
	for _, g := range q.pendLo {
		more[g]--
	}
	for g := moment(1); g <= q.end; g++ {
		more[g] += more[g-1]
	}
	tree := newMinTree[moment](more)
	q.open()
	return q.groups(func(group []int32) *proof.CollectionConflict {
		for _, v := range group {
			if !q.unremoved(v) && tree.min(q.remLo[v], q.remHi[v]) > 0 {
				return q.outnumbered(v, q.rem[v], q.remLo[v], q.remHi[v])
			}
			for k := q.peekFrom[v]; k < q.peekFrom[v+1]; k++ {
				if tree.min(q.peekLo[k], q.peekHi[k]) > 0 {
					return q.outnumbered(v, q.peekOp[k], q.peekLo[k], q.peekHi[k])
				}
			}
		}
		for _, v := range group {
			q.take(v, func(g moment) { tree.increase(g, g+1, removed/2) })
			if q.unremoved(v) {
				tree.increase(q.insHi[v], q.end+1, 1)
			}
		}
		return nil
	})
}

// outnumbered refutes op of v like outranked, where values left over count by their number.
func (q *priorities) outnumbered(v int32, op history.OpID, lo, hi moment) *proof.CollectionConflict {
	before := q.before(v)
	reach := q.farthest(before)
	var named []int32
	latest := moment(-1) // moment at which they had to be counted
	for g := lo; g < hi; {
		if u := reach[g]; u >= 0 && q.remLo[u] > g {
			if !q.unremoved(u) {
				named = append(named, u)
			}
			g = q.remLo[u]
			if q.unremoved(u) {
				latest = max(latest, q.insHi[u])
			}
			continue
		}
		latest = g
		g++
	}
	for _, u := range before {
		if q.unremoved(u) && q.insHi[u] <= latest {
			named = append(named, u)
		}
	}
	r := refutation(proof.Outranked, named...)
	r.Op = op
	return r
}

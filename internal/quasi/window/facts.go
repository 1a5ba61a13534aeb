package window

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// final appends the contradiction.
func (r *reasoner) final() {
	w := r.w
	switch end := w.end; end.rule {
	case proof.RuleInverted:
		// Lo ≥ x and Hi ≤ x-1 for some x in between: take an x that counting gives on one side, if
		// there is one.
		v := end.v
		x := min(w.Lo[v], max(w.Hi[v]+1, w.base.lo[v]))
		if w.base.hi[v] < w.Lo[v] {
			x = w.base.hi[v] + 1
		}
		r.want(v.side(0), x)
		r.want(v.side(1), -(x - 1))
		r.step(proof.RuleInverted, v.side(0), 0, 0, 0)
	case proof.RuleOverfull:
		from := Variable(0)
		if end.place {
			from = Variable(w.Q.M)
		}
		r.inside(from, nothing, end.lo, end.hi, int(end.hi-end.lo)+2)
		r.steps = append(r.steps, proof.DisplacementStep{Rule: proof.RuleOverfull, Place: end.place,
			Edge: int32(end.lo), Value: int32(end.hi)})
	}
}

// explain appends the step that made fact (e.side, pos) true, and requests the facts that it rests
// on. The windows are those just before the step; was is the bound that the step reached.
func (r *reasoner) explain(e entry, pos, was Position) {
	w, q := r.w, r.w.Q
	side, v := e.side, e.side.variable()
	upper := side.upper()
	switch e.rule {
	case proof.RuleDisplacement:
		r.want(w.Partner(v).side(upper), pos+Position(w.Bound))
		r.step(proof.RuleDisplacement, side, pos, 0, 0)
	case proof.RuleOrder, proof.RuleBalance:
		places := (int(v) >= q.M) == (e.rule == proof.RuleOrder) // what is counted
		call, ret := q.interval(v)
		var edge Position
		if upper == 0 {
			edge = r.count(upper, pos, q.before(places, call))
		} else {
			edge = r.count(upper, pos, q.after(places, ret))
		}
		r.step(e.rule, side, pos, edge, 0)
	case proof.RuleHall:
		r.jumped(side, pos, was)
	case proof.RuleEmptyBefore:
		r.emptyBefore(side, pos, Removal(e.by))
	case proof.RuleEmptyAfter:
		r.emptyAfter(side, pos, Variable(e.by))
	}
}

// interval returns the interval of the operation of variable v, a place or the slot of a value.
func (q *Queue) interval(v Variable) (call, ret history.Rank) {
	if int(v) >= q.M {
		return q.RemCall[int(v)-q.M], q.RemRet[int(v)-q.M]
	}
	return q.InsCall[v], q.InsRet[v]
}

// list enumerates variables, the most important first; at is called with 0..n-1.
type list struct {
	n  int
	at func(k int) Variable
}

// before lists the insertions (or the places of the removals) that returned before call, latest
// first.
func (q *Queue) before(places bool, call history.Rank) list {
	if places {
		n := sort.Search(q.R, func(k int) bool { return q.RemRet[q.RemByRet[k]] >= call })
		return list{n, func(k int) Variable { return q.Place(q.RemByRet[n-1-k]) }}
	}
	n := sort.Search(q.N, func(k int) bool { return q.InsRet[q.InsByRet[k]] >= call })
	return list{n, func(k int) Variable { return q.InsByRet[n-1-k] }}
}

// after lists the insertions (or the places of the removals) that are called after ret, earliest
// first.
func (q *Queue) after(places bool, ret history.Rank) list {
	calls, first := q.InsCall, 0
	if places {
		calls, first = q.RemCall, q.M
	}
	from := sort.Search(len(calls), func(k int) bool { return calls[k] > ret })
	return list{len(calls) - from, func(k int) Variable { return Variable(first + from + k) }}
}

// count finds variables of l that, packed from some edge on, reach pos-1, requests their bounds and
// returns the edge. It examines as few of l as it can and prefers facts that cost nothing. All
// bounds are in the direction "larger is stronger".
func (r *reasoner) count(upper int32, pos Position, l list) (edge Position) {
	edge, chosen := r.choose(upper, pos, l)
	for _, v := range chosen {
		r.want(v.side(upper), edge)
	}
	return edge
}

func (r *reasoner) choose(upper int32, pos Position, l list) (edge Position, chosen []Variable) {
	var seen []Variable
	for size := 32; ; size *= 2 {
		for k := len(seen); k < min(size, l.n); k++ {
			seen = append(seen, l.at(k))
		}
		sorted := slices.Clone(seen)
		slices.SortStableFunc(sorted, func(a, b Variable) int {
			return cmp.Compare(r.bound(b.side(upper)), r.bound(a.side(upper)))
		})
		best := Position(1) << 30
		for k, v := range sorted {
			x := min(r.bound(v.side(upper)), pos-1)
			if x+Position(k+1) < pos {
				continue
			}
			free := Position(0)
			for _, u := range sorted[:k+1] {
				if r.given(u.side(upper), x) {
					free++
				}
			}
			if cost := max(0, pos-x-free); cost < best {
				best, edge = cost, x
			}
			if best == 0 || best < 1<<30 && k > enoughSeen {
				break
			}
		}
		if best < 1<<30 {
			chosen = sorted[:sort.Search(len(sorted), func(k int) bool {
				return r.bound(sorted[k].side(upper)) < edge
			})]
			slices.SortStableFunc(chosen, func(a, b Variable) int {
				return cmp.Compare(b2i(r.given(b.side(upper), edge)), b2i(r.given(a.side(upper), edge)))
			})
			return edge, chosen[:pos-edge]
		}
		if size >= l.n {
			panic("window: a narrowing cannot be explained")
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// jumped explains a jump over a Hall interval that reaches the bound was; pos is the bound that is
// needed.
func (r *reasoner) jumped(side side, pos, was Position) {
	w, v := r.w, side.variable()
	from := Variable(0)
	if int(v) >= w.Q.M {
		from = Variable(w.Q.M)
	}
	// In the direction of the jump the interval is [edge, was-1], edge ≤ the old bound.
	lo, hi := r.bound(side), was-1
	if side.upper() == 0 {
		lo = r.innermost(from, v, lo, hi, 0)
		r.inside(from, v, lo, hi, int(hi-lo)+1)
	} else {
		lo = r.innermost(from, v, lo, hi, 1)
		r.inside(from, v, -hi, -lo, int(hi-lo)+1)
	}
	r.want(side, lo)
	r.step(proof.RuleHall, side, was, lo, 0)
}

// innermost returns the largest edge ≤ lo from which as many windows as there are positions lie
// within [edge, hi].
func (r *reasoner) innermost(from, but Variable, lo, hi Position, upper int32) Position {
	for size := 64; ; size *= 2 {
		var in []Position // bounds of the windows that end by hi
		seen, all := r.around(from, hi, upper, size)
		for _, v := range seen {
			if v != but && -r.bound(v.side(1-upper)) <= hi {
				in = append(in, r.bound(v.side(upper)))
			}
		}
		slices.SortFunc(in, func(a, b Position) int { return cmp.Compare(b, a) })
		for k, x := range in {
			// k+1 windows start at x or later.
			if edge := hi - Position(k); edge <= lo && x >= edge {
				return edge
			}
		}
		if all {
			panic("window: a Hall interval cannot be found again")
		}
	}
}

// inside requests enough windows of the class within [lo, hi], without the variable but.
func (r *reasoner) inside(from, but Variable, lo, hi Position, enough int) {
	for size := 64; ; size *= 2 {
		var in []Variable
		seen, all := r.around(from, lo, 0, size)
		for _, v := range seen {
			if v != but && r.w.Lo[v] >= lo && r.w.Hi[v] <= hi {
				in = append(in, v)
			}
		}
		if len(in) >= enough {
			cost := func(v Variable) int { return b2i(!r.given(v.side(0), lo)) + b2i(!r.given(v.side(1), -hi)) }
			slices.SortStableFunc(in, func(a, b Variable) int { return cmp.Compare(cost(a), cost(b)) })
			for _, v := range in[:enough] {
				r.want(v.side(0), lo)
				r.want(v.side(1), -hi)
			}
			return
		}
		if all {
			panic("window: an interval of positions cannot be filled again")
		}
	}
}

// around returns size variables of a class on either side of position pos (negated for ends), and
// whether these are all.
func (r *reasoner) around(from Variable, pos Position, upper int32, size int) ([]Variable, bool) {
	w, q := r.w, r.w.Q
	if upper == 1 {
		pos = -pos
	}
	n := q.M
	at := func(k int) Variable { return r.near[k] }
	key := func(k int) Position {
		if v := r.near[k]; int(v) < q.N {
			return w.base.lo[v]
		} else {
			return w.base.lo[q.Place(q.Taker[v])]
		}
	}
	if from > 0 {
		n = q.R
		at = func(k int) Variable { return from + Variable(k) }
		key = func(k int) Position { return w.base.lo[at(k)] }
	}
	mid := sort.Search(n, func(k int) bool { return key(k) >= pos })
	lo, hi := max(0, mid-size), min(n, mid+size)
	seen := make([]Variable, 0, hi-lo)
	for k := lo; k < hi; k++ {
		seen = append(seen, at(k))
	}
	return seen, lo == 0 && hi == n
}

// emptyBefore explains slot(i) < slot(e) for the insertions i before removal by.
func (r *reasoner) emptyBefore(side side, pos Position, by Removal) {
	w, q := r.w, r.w.Q
	op, call := proof.Draining, history.Rank(0)
	beta := Position(q.R + 1)
	if int(by) < q.R {
		op, call, beta = q.RemOp[by], q.RemCall[by], w.Hi[q.Place(by)]
		r.want(q.Place(by).side(1), -beta)
	}
	if side.upper() == 0 {
		r.want(side, beta)
		l := q.before(false, call)
		if op == proof.Draining {
			l = list{q.N, func(k int) Variable { return q.InsByRet[q.N-1-k] }}
		}
		r.step(proof.RuleEmptyBefore, side, pos, r.count(0, pos, l), op)
		return
	}
	l := w.emptyResults(func(e Variable) bool { return w.Lo[e] >= beta })
	edge, chosen := r.choose(1, pos, l)
	for _, e := range chosen {
		r.want(e.side(0), beta)
		r.want(e.side(1), edge)
	}
	r.step(proof.RuleEmptyBefore, side, pos, edge, op)
}

// emptyAfter explains slot(e) < place(r) for the removals r after insertion by.
func (r *reasoner) emptyAfter(side side, pos Position, by Variable) {
	w, q := r.w, r.w.Q
	op := q.InsOp[by]
	if side.upper() == 0 {
		l := w.emptyResults(func(e Variable) bool { return w.Hi[e] <= w.Lo[by] })
		edge, chosen := r.choose(0, pos, l)
		beta := Position(0)
		for _, e := range chosen {
			beta = max(beta, w.Hi[e])
		}
		beta = max(beta, min(w.Lo[by], w.base.lo[by]))
		for _, e := range chosen {
			r.want(e.side(0), edge)
			r.want(e.side(1), -beta)
		}
		r.want(by.side(0), beta)
		r.step(proof.RuleEmptyAfter, side, pos, edge, op)
		return
	}
	beta := max(w.Hi[side.variable()], w.base.lo[by])
	r.want(by.side(0), beta)
	r.want(side, -beta)
	if q.D > 0 && -pos >= Position(q.R) {
		r.step(proof.RuleEmptyAfter, side, pos, pos, op)
		return
	}
	r.step(proof.RuleEmptyAfter, side, pos, r.count(1, pos, q.after(true, q.InsRet[by])), op)
}

// emptyResults lists the slots of the empty results that satisfy ok.
func (w *Windows) emptyResults(ok func(e Variable) bool) list {
	var es []Variable
	for e := Variable(w.Q.N); int(e) < w.Q.M; e++ {
		if ok(e) {
			es = append(es, e)
		}
	}
	return list{len(es), func(k int) Variable { return es[k] }}
}

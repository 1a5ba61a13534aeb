package window

import "github.com/linsat/linsat/internal/proof"

// Empty results under slots: for an empty result e, an insertion i and a removal r that follows i,
//
//	slot(i) < slot(e)  or  slot(e) < place(r):
//
// when e leaves, no item is in the queue that was inserted before one of the removals so far. The
// drains act as one more r, at place R+1, which follows every insertion.
//
//	EmptyBefore: place(r) ≤ slot(e) is certain (Hi ≤ Lo) ⇒ slot(i) < slot(e) for every i before r;
//	EmptyAfter:  slot(i) > slot(e) is certain (Lo ≥ Hi, they differ)
//	             ⇒ slot(e) < place(r) for every r after i.
// In each direction the operations that must come before (or after) are packed, as in order.go. The
// sets are nested once the variables are sorted by the bound that decides, so each direction is one
// sweep.
// once the variables are sorted by the bound that decides, so each direction is one sweep.

func (w *Windows) empties() bool {
	if w.Q.E == 0 || w.Q.Free() {
		return true
	}
	for _, rule := range [...]func() bool{
		w.emptyAboveInserted, w.insertedBelowEmpty, w.removedAboveEmpty, w.emptyBelowRemoved,
	} {
		if w.stopped() || !rule() {
			return false
		}
	}
	return true
}

// byBound sorts variables from..to-1 by one of their bounds, ascending, into the given scratch
// array.
func (w *Windows) byBound(bound []Position, from, to int, into int) []Variable {
	count, sorted := w.counts, w.sorted[into][:to-from]
	clear(count)
	for v := from; v < to; v++ {
		count[bound[v]]++
	}
	for p := 1; p < len(count); p++ {
		count[p] += count[p-1]
	}
	for v := to - 1; v >= from; v-- {
		count[bound[v]]--
		sorted[count[bound[v]]] = Variable(v)
	}
	return sorted
}

// emptyAboveInserted raises empty results above the insertions that precede a removal which is
// certainly placed before them.
func (w *Windows) emptyAboveInserted() bool {
	q := w.Q
	es := w.byBound(w.Lo, q.N, q.M, 0)
	rs := w.byBound(w.Hi, q.M, q.M+q.R, 1)
	s, r := w.shelf(Position(q.M), true), Removal(q.R)
	defer w.clear(&s)
	latest, j := Removal(-1), 0 // the removal called latest so far; R stands for the drains
	for k := 0; len(es) > 0; es = es[1:] {
		e := es[0]
		for ; k < len(rs) && w.Hi[rs[k]] <= w.Lo[e]; k++ {
			if y := Removal(rs[k]) - Removal(q.M); latest < 0 || q.RemCall[y] > q.RemCall[latest] {
				latest = y
			}
		}
		if latest < 0 {
			continue
		}
		by := latest
		if q.D > 0 && w.Lo[e] > Position(r) {
			by = r
		}
		for ; j < q.N && (by == r || q.InsRet[q.InsByRet[j]] < q.RemCall[by]); j++ {
			s.put(w.Lo[q.InsByRet[j]])
		}
		if !w.raise(e, s.limit+1, proof.RuleEmptyBefore, int32(by)) {
			return false
		}
	}
	return true
}

// insertedBelowEmpty lowers insertions below the empty results that certainly come after a removal
// that follows the insertion.
func (w *Windows) insertedBelowEmpty() bool {
	q := w.Q
	es := w.byBound(w.Lo, q.N, q.M, 0)
	s := w.shelf(Position(q.M), false)
	defer w.clear(&s)
	first, y := Removal(-1), Removal(q.R)-1 // the removal after the insertion with the first place
	limit := Position(1) << 30
	if q.D > 0 {
		first, limit = Removal(q.R), Position(q.R)+1
	}
	for k := q.N - 1; k >= 0; k-- {
		i := q.InsByRet[k]
		for ; y >= 0 && q.RemCall[y] > q.InsRet[i]; y-- {
			if h := w.Hi[q.Place(y)]; h < limit {
				first, limit = y, h
			}
		}
		for ; len(es) > 0 && w.Lo[es[len(es)-1]] >= limit; es = es[:len(es)-1] {
			s.put(w.Hi[es[len(es)-1]])
		}
		if !w.lower(i, min(s.limit-1, Position(q.M)), proof.RuleEmptyBefore, int32(first)) {
			return false
		}
	}
	return true
}

// removedAboveEmpty raises removals above the empty results that certainly precede an insertion
// before the removal.
func (w *Windows) removedAboveEmpty() bool {
	q := w.Q
	es := w.byBound(w.Hi, q.N, q.M, 0)
	s := w.shelf(Position(q.M), true)
	defer w.clear(&s)
	last, j := Variable(-1), 0 // the insertion of the largest Lo before the removal
	for y, call := range q.RemCall {
		for ; j < q.N && q.InsRet[q.InsByRet[j]] < call; j++ {
			if i := q.InsByRet[j]; last < 0 || w.Lo[i] > w.Lo[last] {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		for ; len(es) > 0 && w.Hi[es[0]] <= w.Lo[last]; es = es[1:] {
			s.put(w.Lo[es[0]])
		}
		if !w.raise(q.Place(Removal(y)), s.limit+1, proof.RuleEmptyAfter, int32(last)) {
			return false
		}
	}
	return true
}

// emptyBelowRemoved lowers empty results below the removals that follow an insertion which is
// certainly later than the empty result.
func (w *Windows) emptyBelowRemoved() bool {
	q := w.Q
	es := w.byBound(w.Hi, q.N, q.M, 0)
	is := w.byBound(w.Lo, 0, q.N, 1)
	s := w.shelf(Position(q.R), false)
	defer w.clear(&s)
	// of the insertions that are certainly after e, the one that returns first
	earliest, y := Variable(-1), Removal(q.R)-1
	for k := len(es) - 1; k >= 0; k-- {
		e := es[k]
		for ; len(is) > 0 && w.Lo[is[len(is)-1]] >= w.Hi[e]; is = is[:len(is)-1] {
			if i := is[len(is)-1]; earliest < 0 || q.InsRet[i] < q.InsRet[earliest] {
				earliest = i
			}
		}
		if earliest < 0 {
			continue
		}
		for ; y >= 0 && q.RemCall[y] > q.InsRet[earliest]; y-- {
			s.put(w.Hi[q.Place(y)])
		}
		limit := s.limit - 1 // R while no removal is packed
		if s.limit > Position(q.R) && q.D == 0 {
			continue
		}
		if !w.lower(e, limit, proof.RuleEmptyAfter, int32(earliest)) {
			return false
		}
	}
	return true
}

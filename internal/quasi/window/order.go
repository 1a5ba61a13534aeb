package window

// Packing: the operations that precede y have windows of their own; put each at the first free
// position from its Lo on, and y comes after the last position used. The sets are nested in the
// order of the calls, so one sweep with a union-find over the positions serves all y. Counting (or
// "the largest Lo plus one") is weaker: of 40,000 small decisions it leaves about a hundred open.
//
// The removals that precede an insertion bound its slot as well (balance); one sweep raises both
// kinds of y. packAfter is the mirror image.
//
// A sweep over a span processes only the operations y with index from..to-1, and packs only
// operations shortly before (or after) them. Packing fewer operations is weaker, never wrong.
//
// Invariant: between sweeps Windows.free is the identity.

import (
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// span is a range of indices of insertions and of removals.
type span struct{ from, to int }

func (s span) clip(n int) (from, to int) { return min(s.from, n), min(s.to, n) }

// shelf packs windows at their first or last free positions, 1 to size.
type shelf struct {
	next  []Position // union-find: towards the next free position
	used  []Position // used positions, to restore next to the identity
	size  Position
	up    bool     // first free, else last free
	limit Position // the last position used, from below; the first one, from above
}

func (w *Windows) shelf(size Position, up bool) shelf {
	s := shelf{next: w.free[:size+2], used: w.used[:0], size: size, up: up}
	if !up {
		s.limit = size + 1
	}
	return s
}

func (w *Windows) clear(s *shelf) {
	for _, p := range s.used {
		s.next[p] = p
	}
	w.used = s.used[:0]
}

// put takes the first free position from pos on (or the last one up to pos). If none is left, limit
// goes beyond the shelf.
func (s *shelf) put(pos Position) {
	if s.up {
		p := find(s.next, min(pos, s.size+1))
		s.limit = max(s.limit, p)
		if p <= s.size {
			s.next[p] = p + 1
			s.used = append(s.used, p)
		}
		return
	}
	p := find(s.next, max(pos, 0))
	s.limit = min(s.limit, p)
	if p >= 1 {
		s.next[p] = p - 1
		s.used = append(s.used, p)
	}
}

func find(next []Position, p Position) Position {
	for next[p] != p {
		next[p] = next[next[p]]
		p = next[p]
	}
	return p
}

// packBefore raises windows of a span above what must come before.
func (w *Windows) packBefore(in span) bool {
	return w.packRemovalsBefore(in) && w.packInsertionsBefore(in)
}

func (w *Windows) packRemovalsBefore(in span) bool {
	q := w.Q
	x, xs := in.clip(q.N)
	y, ys := in.clip(q.R)
	if q.Free() {
		x = xs // no balance
	}
	s := w.shelf(Position(q.R), true)
	defer w.clear(&s)
	j := -1
	for x < xs || y < ys {
		v, call, rule := Variable(x), history.Rank(0), proof.RuleBalance
		if y == ys || x < xs && q.InsCall[x] < q.RemCall[y] {
			call = q.InsCall[x]
			x++
		} else {
			v, call, rule = q.Place(Removal(y)), q.RemCall[y], proof.RuleOrder
			y++
		}
		if j < 0 {
			j = startBefore(q.RemByRet, q.RemRet, call, in)
		}
		for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
			s.put(w.Lo[q.Place(q.RemByRet[j])])
		}
		if s.limit >= w.Lo[v] && !w.raise(v, s.limit+1, rule, 0) {
			return false
		}
	}
	return true
}

func (w *Windows) packInsertionsBefore(in span) bool {
	q := w.Q
	from, to := in.clip(q.N)
	s := w.shelf(Position(q.M), true)
	defer w.clear(&s)
	j := -1
	for x := from; x < to; x++ {
		call := q.InsCall[x]
		if j < 0 {
			j = startBefore(q.InsByRet, q.InsRet, call, in)
		}
		for ; j < q.N && q.InsRet[q.InsByRet[j]] < call; j++ {
			s.put(w.Lo[q.InsByRet[j]])
		}
		if s.limit >= w.Lo[x] && !w.raise(Variable(x), s.limit+1, proof.RuleOrder, 0) {
			return false
		}
	}
	return true
}

// startBefore returns where packing starts in byRet for a first operation with that call.
func startBefore[Index ~int32](byRet []Index, ret []history.Rank, call history.Rank, in span) int {
	if in.from == 0 {
		return 0
	}
	return max(0, sort.Search(len(byRet), func(k int) bool { return ret[byRet[k]] >= call })-reach)
}

// packAfter lowers windows of a span (in the order of returns) below what must come after.
func (w *Windows) packAfter(in span) bool {
	return w.packInsertionsAfter(in) && w.packRemovalsAfter(in)
}

func (w *Windows) packInsertionsAfter(in span) bool {
	q := w.Q
	xs, x := in.clip(q.N)
	ys, y := in.clip(q.R)
	if q.Free() {
		y = ys
	}
	s := w.shelf(Position(q.M), false)
	defer w.clear(&s)
	j := q.N
	for x > xs || y > ys {
		var v Variable
		var ret history.Rank
		rule := proof.RuleOrder
		if y == ys || x > xs && q.InsRet[q.InsByRet[x-1]] > q.RemRet[q.RemByRet[y-1]] {
			x--
			v = q.InsByRet[x]
			ret = q.InsRet[v]
		} else {
			y--
			v, rule = q.Place(q.RemByRet[y]), proof.RuleBalance
			ret = q.RemRet[q.RemByRet[y]]
		}
		if j == q.N {
			j = startAfter(q.InsCall, ret, in)
		}
		for ; j >= 0 && q.InsCall[j] > ret; j-- {
			s.put(w.Hi[j])
		}
		if s.limit <= w.Hi[v] && !w.lower(v, s.limit-1, rule, 0) {
			return false
		}
	}
	return true
}

func (w *Windows) packRemovalsAfter(in span) bool {
	q := w.Q
	from, to := in.clip(q.R)
	s := w.shelf(Position(q.R), false)
	defer w.clear(&s)
	j := q.R
	for k := to - 1; k >= from; k-- {
		y := q.RemByRet[k]
		ret := q.RemRet[y]
		if j == q.R {
			j = startAfter(q.RemCall, ret, in)
		}
		for ; j >= 0 && q.RemCall[j] > ret; j-- {
			s.put(w.Hi[q.Place(Removal(j))])
		}
		if v := q.Place(y); s.limit <= w.Hi[v] && !w.lower(v, s.limit-1, proof.RuleOrder, 0) {
			return false
		}
	}
	return true
}

// startAfter returns the last operation to pack for a last operation with that return.
func startAfter(calls []history.Rank, ret history.Rank, in span) int {
	if in.to >= len(calls) {
		return len(calls) - 1
	}
	return min(len(calls)-1, sort.Search(len(calls), func(k int) bool { return calls[k] > ret })+reach)
}

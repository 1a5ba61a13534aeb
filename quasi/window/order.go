package window

// Packing: the operations that precede y are a set of operations with windows of their own; put each at the first
// free position from its Lo on, and y comes after the last one used. The sets are nested in the order of the
// calls, so one sweep with a union-find over the positions serves all y. Counting (or "the largest Lo plus one") is weaker:
// of 40,000 small decisions it leaves about a hundred open.
//
// The removals that precede an insertion bound its slot as well (balance); one sweep raises both kinds of y.
// packAfter is the mirror image.

import "github.com/linsat/linsat/quasi"

// shelf packs windows at their first or last free positions, 1 to size.
type shelf struct {
	next  []int32 // union-find: towards the next free position
	size  int32
	up    bool  // first free, else last free
	limit int32 // the last position used, from below; the first one, from above
}

func (w *Windows) shelf(size int32, up bool) shelf {
	s := shelf{next: w.free[:size+2], size: size, up: up, limit: 0}
	for i := range s.next {
		s.next[i] = int32(i)
	}
	if !up {
		s.limit = size + 1
	}
	return s
}

func (s *shelf) find(p int32) int32 {
	for s.next[p] != p {
		s.next[p] = s.next[s.next[p]]
		p = s.next[p]
	}
	return p
}

// put takes the first free position from pos on (up to pos); where none is left, limit goes beyond the shelf.
func (s *shelf) put(pos int32) {
	if s.up {
		p := s.find(min(pos, s.size+1))
		s.limit = max(s.limit, p)
		if p <= s.size {
			s.next[p] = p + 1
		}
		return
	}
	p := s.find(max(pos, 0))
	s.limit = min(s.limit, p)
	if p >= 1 {
		s.next[p] = p - 1
	}
}

// packBefore raises windows above what must come before.
func (w *Windows) packBefore() bool {
	q := w.Q
	m := int32(q.M)
	s := w.shelf(int32(q.R), true)
	j, x := 0, q.N // balance off: no insertion is a target
	if !q.Free() {
		x = 0
	}
	for y := 0; y < q.R || x < q.N; {
		insertion := y == q.R || x < q.N && q.InsCall[x] < q.RemCall[y]
		v, call, rule := int32(x), int32(0), quasi.Balance
		if insertion {
			call = q.InsCall[x]
			x++
		} else {
			v, call, rule = m+int32(y), q.RemCall[y], quasi.Order
			y++
		}
		for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
			s.put(w.Lo[m+q.RemByRet[j]])
		}
		if s.limit >= w.Lo[v] && !w.raise(v, s.limit+1, rule, 0) {
			return false
		}
	}
	s = w.shelf(m, true)
	j = 0
	for x, call := range q.InsCall {
		for ; j < q.N && q.InsRet[q.InsByRet[j]] < call; j++ {
			s.put(w.Lo[q.InsByRet[j]])
		}
		if s.limit >= w.Lo[x] && !w.raise(int32(x), s.limit+1, quasi.Order, 0) {
			return false
		}
	}
	return true
}

// packAfter lowers windows below what must come after.
func (w *Windows) packAfter() bool {
	q := w.Q
	m := int32(q.M)
	s := w.shelf(m, false)
	j := q.N - 1
	x, y := q.N-1, q.R-1
	if q.Free() {
		y = -1
	}
	for x >= 0 || y >= 0 {
		insertion := y < 0 || x >= 0 && q.InsRet[q.InsByRet[x]] > q.RemRet[q.RemByRet[y]]
		var v, ret int32
		rule := quasi.Order
		if insertion {
			v = q.InsByRet[x]
			ret = q.InsRet[v]
			x--
		} else {
			v, rule = m+q.RemByRet[y], quasi.Balance
			ret = q.RemRet[q.RemByRet[y]]
			y--
		}
		for ; j >= 0 && q.InsCall[j] > ret; j-- {
			s.put(w.Hi[j])
		}
		if s.limit <= w.Hi[v] && !w.lower(v, s.limit-1, rule, 0) {
			return false
		}
	}
	s = w.shelf(int32(q.R), false)
	j = q.R - 1
	for k := q.R - 1; k >= 0; k-- {
		y := q.RemByRet[k]
		for ; j >= 0 && q.RemCall[j] > q.RemRet[y]; j-- {
			s.put(w.Hi[m+int32(j)])
		}
		if s.limit <= w.Hi[m+y] && !w.lower(m+y, s.limit-1, quasi.Order, 0) {
			return false
		}
	}
	return true
}

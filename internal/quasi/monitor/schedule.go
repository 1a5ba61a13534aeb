package monitor

// Slots and places by earliest deadline, alternately.
//
// What: given the slots, the places are jobs of unit length on one machine with release times,
// deadlines and an interval order: their windows are cut to slot ± K, below the slots of later
// insertions, and above the last empty slot that earlier insertions rule out. Earliest deadline
// first is exact for this problem once the windows agree with the order. Given the places, the
// slots are the same problem except for the empty results, which are left to the final test. Only
// the joint choice is hard. So slots are scheduled by their own windows, then places given the
// slots, then slots given the places, and so on.
//
// Invariant: every schedule returned satisfies all conditions of package window (checked at the
// end).
//
// Cost: O(n log w) for each round, with w windows open at a position.

import (
	"context"

	"github.com/linsat/linsat/internal/quasi/window"
)

type scheduler struct {
	w      *window.Windows
	q      *window.Queue
	pos    []window.Position // by variable
	lo, hi []window.Position // windows of this turn
	start  []int32           // by position: first of order that may start there
	order  []window.Variable
	heap   []job
}

type job struct {
	deadline, tie window.Position
	v             window.Variable
}

// schedule returns the position of every variable, or nil if it finds none.
func schedule(ctx context.Context, w *window.Windows) []window.Position {
	q := w.Q
	n := q.M + q.R
	s := &scheduler{w: w, q: q, pos: make([]window.Position, n), lo: make([]window.Position, n),
		hi: make([]window.Position, n), start: make([]int32, q.M+3), order: make([]window.Variable, q.M)}
	for _, placesFirst := range [...]bool{false, true} {
		copy(s.lo, w.Lo)
		copy(s.hi, w.Hi)
		s.run(placesFirst)
		for turn := range turns {
			if ctx.Err() != nil {
				return nil
			}
			places := (turn%2 == 0) != placesFirst
			if places {
				s.cutPlaces()
			} else {
				s.cutSlots()
			}
			if ctx.Err() != nil {
				return nil
			}
			if s.run(places) && s.valid() {
				return s.pos
			}
		}
	}
	return nil
}

// run schedules one side within lo and hi. It returns false if that is impossible; the schedule
// then misses some windows.
func (s *scheduler) run(places bool) bool {
	from, to, size := 0, s.q.M, s.q.M
	if places {
		from, to, size = s.q.M, s.q.M+s.q.R, s.q.R
	}
	count := s.start[:size+3]
	clear(count)
	for v := from; v < to; v++ {
		count[min(max(s.lo[v], 1), window.Position(size))+1]++
	}
	for p := 1; p < len(count); p++ {
		count[p] += count[p-1]
	}
	for v := from; v < to; v++ {
		p := min(max(s.lo[v], 1), window.Position(size))
		s.order[count[p]] = window.Variable(v)
		count[p]++
	}
	ok := true
	next := 0
	s.heap = s.heap[:0]
	for p := window.Position(1); int(p) <= size; p++ {
		for next < to-from && s.lo[s.order[next]] <= p {
			s.push(s.order[next])
			next++
		}
		if len(s.heap) == 0 {
			ok = false
			s.push(s.order[next])
			next++
		}
		v := s.pop()
		s.pos[v] = p
		ok = ok && p <= s.hi[v]
	}
	return ok
}

func (s *scheduler) push(v window.Variable) {
	w := s.w
	tie := w.Lo[v] + w.Hi[v]
	if u := w.Partner(v); u >= 0 {
		tie += w.Lo[u] + w.Hi[u]
	} else {
		tie *= 2
	}
	h := append(s.heap, job{s.hi[v], tie, v})
	i := len(h) - 1
	for i > 0 && h[i].less(h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	s.heap = h
}

func (s *scheduler) pop() window.Variable {
	h := s.heap
	top := h[0].v
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		k := 2*i + 1
		if k+1 < n && h[k+1].less(h[k]) {
			k++
		}
		if k >= n || !h[k].less(h[i]) {
			break
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
	s.heap = h
	return top
}

func (a job) less(b job) bool {
	if a.deadline != b.deadline {
		return a.deadline < b.deadline
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.v < b.v
}

// cutPlaces computes the windows that the slots leave to the places.
func (s *scheduler) cutPlaces() {
	q, w := s.q, s.w
	k, lastEmpty := window.Position(w.Bound), s.lastEmpty()
	i, j, top, above := 0, 0, window.Position(0), window.Position(0)
	for y := range q.R {
		v, call := q.Place(window.Removal(y)), q.RemCall[y]
		slot := s.pos[q.Content[y]]
		s.lo[v] = max(w.Lo[v], slot-k)
		s.hi[v] = min(w.Hi[v], slot+k)
		if lastEmpty != nil {
			for ; i < q.N && q.InsRet[q.InsByRet[i]] < call; i++ {
				top = max(top, s.pos[q.InsByRet[i]])
			}
			s.lo[v] = max(s.lo[v], lastEmpty[top]+1)
		}
		for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
			above = max(above, s.lo[q.Place(q.RemByRet[j])])
		}
		s.lo[v] = max(s.lo[v], above+1)
	}
	i, j = q.N-1, q.R-1
	first, below := window.Position(q.M+1), window.Position(q.M+1)
	for x := q.R - 1; x >= 0; x-- {
		v, ret := q.Place(q.RemByRet[x]), q.RemRet[q.RemByRet[x]]
		if !q.Free() {
			for ; i >= 0 && q.InsCall[i] > ret; i-- {
				first = min(first, s.pos[i])
			}
			s.hi[v] = min(s.hi[v], first-1)
		}
		for ; j >= 0 && q.RemCall[j] > ret; j-- {
			below = min(below, s.hi[q.Place(window.Removal(j))])
		}
		s.hi[v] = min(s.hi[v], below-1)
	}
}

// lastEmpty returns for every p the last slot below p that holds an empty result, or 0. It returns
// nil if empty results do not matter.
func (s *scheduler) lastEmpty() []window.Position {
	q := s.q
	if q.E == 0 || q.Free() {
		return nil
	}
	last := make([]window.Position, q.M+2)
	for e := q.N; e < q.M; e++ {
		last[s.pos[e]+1] = s.pos[e]
	}
	for p := 1; p < len(last); p++ {
		last[p] = max(last[p], last[p-1])
	}
	return last
}

// cutSlots computes the windows that the places leave to the slots, except for empty results.
func (s *scheduler) cutSlots() {
	q, w := s.q, s.w
	k := window.Position(w.Bound)
	for x, taker := range q.Taker {
		s.lo[x], s.hi[x] = w.Lo[x], w.Hi[x]
		if taker >= 0 {
			at := s.pos[q.Place(taker)]
			s.lo[x] = max(s.lo[x], at-k)
			s.hi[x] = min(s.hi[x], at+k)
		}
	}
	i, j, above, top := 0, 0, window.Position(0), window.Position(0)
	for x, call := range q.InsCall {
		for ; i < q.N && q.InsRet[q.InsByRet[i]] < call; i++ {
			above = max(above, s.lo[q.InsByRet[i]])
		}
		if !q.Free() {
			for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
				top = max(top, s.pos[q.Place(q.RemByRet[j])])
			}
		}
		s.lo[x] = max(s.lo[x], above+1, top+1)
	}
	i = q.N - 1
	below := window.Position(q.M + 1)
	for n := q.N - 1; n >= 0; n-- {
		x := q.InsByRet[n]
		for ; i >= 0 && q.InsCall[i] > q.InsRet[x]; i-- {
			below = min(below, s.hi[i])
		}
		s.hi[x] = min(s.hi[x], below-1)
	}
}

// valid reports whether all conditions of package window hold.
func (s *scheduler) valid() bool { return satisfied(s.w, s.pos) }

func satisfied(w *window.Windows, pos []window.Position) bool {
	q := w.Q
	for v, p := range pos {
		if p < w.Lo[v] || p > w.Hi[v] {
			return false // the rest, and much of the order
		}
	}
	for y, x := range q.Content {
		if d := int32(pos[q.M+y] - pos[x]); d > w.Bound || -d > w.Bound {
			return false
		}
	}
	s := &scheduler{w: w, q: q, pos: pos}
	lastEmpty := s.lastEmpty()
	i, j, slot, place := 0, 0, window.Position(0), window.Position(0)
	for x, call := range q.InsCall {
		for ; i < q.N && q.InsRet[q.InsByRet[i]] < call; i++ {
			slot = max(slot, pos[q.InsByRet[i]])
		}
		if pos[x] <= slot {
			return false
		}
		if !q.Free() {
			for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
				place = max(place, pos[q.Place(q.RemByRet[j])])
			}
			if pos[x] <= place {
				return false
			}
		}
	}
	i, j, slot, place = 0, 0, 0, 0
	for y, call := range q.RemCall {
		for ; j < q.R && q.RemRet[q.RemByRet[j]] < call; j++ {
			place = max(place, pos[q.Place(q.RemByRet[j])])
		}
		if pos[q.M+y] <= place {
			return false
		}
		if lastEmpty != nil {
			for ; i < q.N && q.InsRet[q.InsByRet[i]] < call; i++ {
				slot = max(slot, pos[q.InsByRet[i]])
			}
			if pos[q.M+y] <= lastEmpty[slot] {
				return false
			}
		}
	}
	if lastEmpty != nil && q.D > 0 {
		for x := range q.N {
			if window.Position(q.R)+1 <= lastEmpty[pos[x]] {
				return false
			}
		}
	}
	return true
}

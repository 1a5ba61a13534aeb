package collections

// What: the ways in which a removal or a peek can find its value in the contents, and the repairs
// that each needs.
//
// For the removal r of a value v from one end, an insertion x of v is looked for in the contents
// from that end. What lies before x has to go, in one of these ways:
//
//   - Later: what was inserted at that end after r was called may stay. r is put before the
//     innermost insertion of that kind, and so is x if it was inserted later and at the other end,
//     and nothing happened there in between.
//   - Other order: y, inserted at the same end as x and after it, is put right before x in σ, and
//     behind x in the contents, if it was called before the moment of x. If x was inserted at the
//     other end, after y, x is put before y in the same way. Between the two moments, the one that
//     stays hides the other from all removals: from those at its end, since it has not left, and
//     from those at the other end, since they have not reached it.
//   - Gone: an open removal of y from that end takes effect before r, or one from the other end
//     before the insertion that hides y there.
//
// Or an open insertion of v at that end takes effect right before r.
//
// Source: ours, see repair_search.go.
//
// Invariant: after a way was taken, the invariants of repair_sequence.go hold.
//
// Cost: maxDepth insertions are looked at for each removal, each with the open operations.

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// list lists the ways for r, the cheapest first.
func (s *repair) list(r history.OpID, now history.Rank) {
	s.ways, s.now = s.ways[:0], r
	o := &s.ops[r]
	e, x := o.end, s.head
	if o.value == model.Nothing && s.inward(x, e) == x {
		return
	}
	for _, p := range s.open {
		if q := &s.ops[p]; o.value != model.Nothing && q.does == model.Insert && (q.value == o.value || o.wild()) &&
			!s.in(p) {
			mark := len(s.trail)
			s.enter(p, s.head, now)
			s.look(r, p, true)
			s.undo(mark)
		}
	}
	for depth := 0; depth < maxDepth; depth++ {
		x = s.inward(x, e)
		if x == s.head && o.value >= 0 {
			break
		}
		if x == s.head || s.ops[x].value == o.value || o.wild() {
			s.look(r, x, false)
		}
		if x == s.head {
			break
		}
	}
	sort.SliceStable(s.ways, func(i, j int) bool { return s.ways[i].cost < s.ways[j].cost })
	s.ways = s.ways[:min(len(s.ways), maxWays)]
}

// look adds the best way for r to find x.
func (s *repair) look(r, x history.OpID, open bool) {
	o := &s.ops[r]
	best, soon := repairWay{cost: -1}, false
	y := s.head
	for stay := 0; ; stay++ {
		w := repairWay{x: x, next: y, open: open, soon: soon, stay: stay}
		if s.clear(r, &w) && (best.cost < 0 || w.cost < best.cost) {
			best = w
		}
		// What was inserted after r was called, and x before, may stay.
		y = s.inward(y, o.end)
		if o.does == model.Peek || y == x || y == s.head || s.ops[y].end != o.end ||
			s.when(y) <= o.call || s.isFast(y) {
			break
		}
		soon = s.late(x, y, o.end) && s.movable(x, y)
	}
	if best.cost >= 0 {
		s.ways = append(s.ways, best)
	}
}

// late reports whether x was inserted at the other end than the one given, and no sooner than y.
func (s *repair) late(x, y history.OpID, end int8) bool {
	return x != s.head && y != s.head && s.ops[x].end != end && s.when(x) >= s.when(y)
}

// movable reports whether x, inserted after y and at the other end, can be inserted right before y:
// nothing at its end comes between, and no removal found nothing.
func (s *repair) movable(x, y history.OpID) bool {
	if s.ops[x].call >= s.when(y) || s.isFast(x) {
		return false
	}
	z := y
	for range maxDepth {
		if z = s.near(z, after); z == x {
			return true
		}
		if z == s.head || s.ops[z].end == s.ops[x].end || s.ops[z].value == model.Nothing {
			return false
		}
	}
	return false
}

// clear plans how to remove what lies before x, except for what stays, and leaves the steps in
// s.plan, from the end inwards. It returns false if that is impossible.
func (s *repair) clear(r history.OpID, w *repairWay) bool {
	o := &s.ops[r]
	e, x := o.end, w.x
	w.cost = int32(min(w.stay, 1))
	if w.open {
		w.cost += 2 + s.haste(x)
	}
	s.plan = s.plan[:0]
	y := s.inward(s.head, e)
	for range w.stay {
		y = s.inward(y, e)
	}
	limit := history.Never
	if w.next != s.head {
		limit = s.when(w.next)
	}
	crossing := false
	for ; y != x; y = s.inward(y, e) {
		crossing = crossing || x != s.head && s.ops[x].end != e && s.ops[y].end != e && s.ops[x].call < s.when(y)
		switch {
		case x != s.head && s.ops[x].end == e && s.ops[y].end == e && !s.isFast(y):
			if as := s.behind(y, x); as >= 0 {
				s.plan = append(s.plan, clearing{y, -1, as, -1})
				w.cost += 2
				if as != y {
					w.cost++
				}
				continue
			}
		case crossing && !s.isFast(y) && !s.isFast(x):
			s.plan = append(s.plan, clearing{y, -1, y, -1})
			w.cost++
			continue
		}
		by, at := s.taker(y, e, limit), history.OpID(-1)
		if by < 0 {
			by, at = s.farTaker(y, 1-e, w.next)
		}
		if by < 0 {
			return x == s.head && s.clearFrom(y, 1-e, limit)
		}
		s.plan = append(s.plan, clearing{y, by, y, at})
		w.cost += 3 + s.haste(by)
	}
	if w.soon || !s.late(x, w.next, e) {
		return true
	}
	k := slices.IndexFunc(s.plan, func(p clearing) bool { return p.by < 0 })
	return k >= 0 && s.when(s.plan[k].y) < s.when(w.next) // x is put before that
}

// haste returns how rash it is to let an open operation take effect now: the longer it stays open,
// the more.
func (s *repair) haste(o history.OpID) int32 {
	return int32(bits.Len32(uint32(s.ops[o].ret-s.ops[s.now].ret) >> 5))
}

// behind returns what can be inserted right before x in the place of y, which is nearer to the end:
// y itself, or another insertion of its value that has left since, whose place y can take. It
// returns -1 if there is none.
func (s *repair) behind(y, x history.OpID) history.OpID {
	at := s.when(x)
	a := &s.ops[y]
	if a.call < at {
		return y
	}
	layer, ok := slices.BinarySearchFunc(s.lane.returns, at, func(r opIndex, at history.Rank) int {
		return int(s.lane.ops[r].ret - at)
	})
	if !ok { // an initial value: before all calls
		return -1
	}
	for _, i := range s.lane.open.Of(int32(layer)) {
		z := s.lane.ops[i].op
		b, t := &s.ops[z], s.when(z)
		if b.does == model.Insert && b.end == a.end && b.value == a.value && t > at && s.get(z, there) == 0 &&
			a.call < t && t <= a.ret &&
			!slices.ContainsFunc(s.plan, func(p clearing) bool { return p.as == z }) {
			return z
		}
	}
	return -1
}

// clearFrom removes what lies between an end and y, and then y.
func (s *repair) clearFrom(y history.OpID, end int8, limit history.Rank) bool {
	for z := s.head; z != y; {
		z = s.inward(z, end)
		by := s.taker(z, end, limit)
		if by < 0 {
			return false
		}
		s.plan = append(s.plan, clearing{z, by, z, -1})
	}
	return true
}

// farTaker returns an open removal that can take y out from an end before what now lies there was
// inserted, and what it is put before, which comes before next in σ; -1 if there is none.
func (s *repair) farTaker(y history.OpID, end int8, next history.OpID) (by, at history.OpID) {
	c := s.outward(y, end)
	if c == s.head || s.ops[c].end != end || s.when(y) >= s.when(c) || s.isFast(y) ||
		next != s.head && s.when(c) >= s.when(next) {
		return -1, -1
	}
	return s.taker(y, end, s.when(c)), c
}

// taker returns an open removal that is not planned and can take y out from an end before a moment;
// -1 if there is none.
func (s *repair) taker(y history.OpID, end int8, limit history.Rank) history.OpID {
	for _, u := range s.open {
		o := &s.ops[u]
		if o.does == model.Remove && o.end == end && (o.value == s.ops[y].value || o.wild()) && o.call < limit &&
			u != s.now && !s.in(u) &&
			!slices.ContainsFunc(s.plan, func(p clearing) bool { return p.by == u }) {
			return u
		}
	}
	return -1
}

// pass takes a way for r.
func (s *repair) pass(r history.OpID, now history.Rank, w repairWay) {
	e := s.ops[r].end
	if w.open {
		s.enter(w.x, s.head, now)
	}
	s.clear(r, &w)
	at := now
	if w.next != s.head {
		at = s.when(w.next)
	}
	if w.soon {
		s.lift(w.x)
		s.put(w.x, w.next, at)
	}
	first := true
	for k := len(s.plan) - 1; k >= 0; k-- {
		p := s.plan[k]
		if p.by >= 0 || s.ops[w.x].end != e {
			continue
		}
		s.lift(p.y)
		if p.as != p.y {
			next, at := s.near(p.as, after), s.when(p.as)
			s.lift(p.as)
			s.put(p.y, next, at)
		}
		s.put(p.as, w.x, s.when(w.x))
		s.remove(p.y)
		s.insert(p.as, w.x, 1-e)
	}
	for k := 0; k < len(s.plan); k++ {
		p := s.plan[k]
		switch {
		case p.by >= 0 && p.at >= 0:
			s.put(p.by, p.at, s.when(p.at))
			s.remove(p.y)
		case p.by >= 0:
			s.put(p.by, w.next, at)
			s.remove(p.y)
		case s.ops[w.x].end != e && first:
			first = false
			s.lift(w.x)
			s.put(w.x, p.y, s.when(p.y))
			s.remove(w.x)
			s.insert(w.x, p.y, e)
		}
	}
	s.put(r, w.next, at)
	switch {
	case w.x == s.head:
	case s.ops[r].does == model.Remove:
		s.remove(w.x)
	default:
		s.set(w.x, fast, 1)
	}
}

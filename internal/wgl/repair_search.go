package wgl

// What: stacks and deques, quickly, where the answer is yes. One linearization is built, just in
// time, and where it goes wrong it is repaired: by another order of insertions that were
// concurrent, or by removals that took effect earlier. So a wrong order of two insertions is put
// right when they leave, at no cost, however long ago it was; nothing in between changes.
//
// Source: ours. What is exchanged is what the monitors of stacks with distinct values [Lee and
// Mathur, OOPSLA'25] treat as alternatives; values may repeat here.
//
// The linearization σ is a list of operations, each with a moment, the rank of a return: an
// operation takes effect just before it. Moments ascend along σ, and each is later than the call
// and no later than the return; so σ respects the order of the history. Contents are a list of
// insertions. Every completed operation that returns next and has not taken effect is put at the
// end of σ. An insertion can always be put there. For the removal r of a value v from one end, an
// insertion x of v is looked for in the contents, from that end. What lies before x must go, in one
// of these ways:
//
//   - Later: what was inserted at that end after r was called may stay; r is put before the
//     innermost insertion of that kind, and so is x if it was inserted at the other end, later, and
//     nothing happened there in between.
//   - Other order: y, inserted at the same end as x and after it, is put right before x in σ, and
//     behind x in the contents, if it was called before the moment of x. If x was inserted at the
//     other end, after y, x is put before y in the same way. Between the two moments the one that
//     stays hides the other from all removals: those at its end, since it has not left, and those
//     at the other end, since they have not reached it.
//   - Gone: a removal of y from that end that is open takes effect before r, or one from the other
//     end before the insertion that hides y there.
//
// Or an insertion of v at that end that is open takes effect right before r. Of these ways the
// cheapest is taken. If there is none, a way is taken at random for a removal before: one of those
// by which an operation was used that is open still, or one of the last ones, of more and more.
// From there on the cheapest ways are taken mostly.
//
// Invariants: contents are those after σ; moments as said; every operation in σ is legal there. The
// last one is checked by running σ in the end, since peeks, and removals that found nothing, are
// only held fast by simple rules.
//
// Cost: operations × (operations open + depth looked into), without going back. It answers found,
// or nothing: it cannot refute.

import (
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// maxDepth is how far into the contents a removal looks, and maxWays how many ways are tried for
// it.
const (
	maxDepth = 24
	maxWays  = 6
)

// repair is a search on one stack or deque. All that changes lies in cells, so that changes can be
// taken back.
type repair struct {
	*engine.Account
	lane *lane
	ops  []laneOp // those that insert the initial values last
	head int32    // of the lists: no operation

	cells   []int32
	trail   []change
	taken   []choice
	rand    uint64
	at      int32 // the layer in work
	retries int
	now     int32   // the operation that ways are looked for
	open    []int32 // scratch
	ways    []repairWay
	plan    []clearing
}

// change is the former content of a cell.
type change struct{ cell, was int32 }

// choice is a removal or a peek that there were several ways for.
type choice struct {
	trail int   // length before
	layer int32 // of the removal
}

// What to choose.
const (
	cheapest = iota
	random
)

// The cells of an operation.
const (
	before = iota // in σ
	after         // in σ
	inner0        // in the contents: the neighbour on the side of end 0
	inner1        // the same for end 1
	moment        // 0: not in σ
	fast          // seen by a peek: it stays where it is
	there         // in the contents
	since         // the layer in which it was put into σ last
	perOp
)

func (s *repair) get(op, field int32) int32 { return s.cells[op*perOp+field] }

func (s *repair) set(op, field, to int32) {
	c := op*perOp + field
	s.trail = append(s.trail, change{c, s.cells[c]})
	s.cells[c] = to
}

func (s *repair) undo(mark int) {
	for len(s.trail) > mark {
		c := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.cells[c.cell] = c.was
	}
}

// put puts an operation into σ before another, or at the end before head.
func (s *repair) put(o, next, at int32) {
	p := s.get(next, before)
	s.set(p, after, o)
	s.set(o, before, p)
	s.set(o, after, next)
	s.set(next, before, o)
	if !s.in(o) {
		s.set(o, since, s.at)
	}
	s.set(o, moment, at)
}

// lift takes an operation out of σ.
func (s *repair) lift(o int32) {
	p, n := s.get(o, before), s.get(o, after)
	s.set(p, after, n)
	s.set(n, before, p)
}

// inward returns what lies behind x in the contents, seen from an end; the outermost for head.
func (s *repair) inward(x int32, end int8) int32  { return s.get(x, inner0+1-int32(end)) }
func (s *repair) outward(x int32, end int8) int32 { return s.get(x, inner0+int32(end)) }

// insert puts x into the contents, on the side of an end from y.
func (s *repair) insert(x, y int32, end int8) {
	in, out := inner0+1-int32(end), inner0+int32(end)
	z := s.get(y, out)
	s.set(x, out, z)
	s.set(x, in, y)
	s.set(y, out, x)
	s.set(z, in, x)
	s.set(x, there, 1)
}

// remove takes x out of the contents.
func (s *repair) remove(x int32) {
	a, b := s.get(x, inner0), s.get(x, inner1)
	s.set(a, inner1, b)
	s.set(b, inner0, a)
	s.set(x, there, 0)
}

// repairWay is a way for a removal or a peek to find what it says.
type repairWay struct {
	x    int32 // the insertion of what it finds, head for nothing
	next int32 // σ: what it is put before
	open bool  // x has not taken effect yet
	soon bool  // x takes effect right before next, sooner than it did
	stay int   // how many insertions of the contents, from the end inwards, were made after
	cost int32
}

// clearing makes way in the contents.
type clearing struct {
	y  int32
	by int32 // the removal that takes y out; -1: y goes behind x
	as int32 // the insertion that goes behind x in the place of y, which takes its place
	at int32 // what by is put before in σ, -1 for what r is put before
}

// newRepair reads a part of one stack or deque; nil if it is too concurrent. Initial values are
// listed from end 0.
func newRepair(ops []laneOp, initial []int32, patience int, budget *engine.Account) *repair {
	n := int32(0)
	for i := range ops {
		n = max(n, ops[i].op+1)
	}
	s := &repair{Account: budget, rand: 1, retries: patience, head: n + int32(len(initial))}
	s.ops = make([]laneOp, s.head+1)
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	for i := range s.lane.ops {
		s.ops[s.lane.ops[i].op] = s.lane.ops[i]
	}
	s.cells = make([]int32, perOp*(s.head+1))
	h := s.head
	s.cells[h*perOp+before], s.cells[h*perOp+after], s.cells[h*perOp+inner0], s.cells[h*perOp+inner1] = h, h, h, h
	for k := len(initial) - 1; k >= 0; k-- {
		x := n + int32(k)
		s.ops[x] = laneOp{op: x, call: -2, ret: -1, does: model.Insert, value: initial[k]}
		s.put(x, h, -1)
		s.insert(x, s.inward(h, 0), 0)
		s.set(x, fast, 1)
	}
	s.trail = s.trail[:0]
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.cells))*4 + int64(cap(s.trail))*8 + int64(cap(s.ops))*24 + int64(cap(s.taken))*16
	}
	return s
}

// How long it goes on: it goes back as often as its patience says, and has some of that again for
// every return that it passes for the first time; and it takes no more steps than that many for
// each operation, and some.
const (
	dequeRetries      = 1 << 13
	stackRetries      = 1 << 7 // there is an exact search besides
	retriesEachReturn = 4
	repairSteps       = 1 << 18
	repairStepsEach   = 64
	rarely            = 256 // one way of so many is a random one, when it has gone back
)

// search answers found, nothing or gaveUp.
func (s *repair) search() outcome {
	patience, deepest, fails := s.retries, int32(0), 0
	most := s.Steps + repairSteps + repairStepsEach*int64(len(s.ops))
	for j := int32(0); int(j) < len(s.lane.returns); {
		if !s.Spend(1 + int64(s.lane.open.First[j+1]-s.lane.open.First[j])) {
			return gaveUp
		}
		way := cheapest
		if fails > 0 && s.draw(rarely) == 0 {
			way = random
		}
		for !s.layer(j, way) {
			if patience--; patience < 0 || len(s.taken) == 0 || s.Steps > most {
				return undecided
			}
			fails++
			k := s.culprit(j)
			if k < 0 || fails%3 == 0 {
				k = len(s.taken) - 1 - s.draw(min(2<<min(fails/16, 20), len(s.taken)))
			}
			c := s.taken[k]
			s.taken = s.taken[:k]
			s.undo(c.trail)
			j, way = c.layer, random
		}
		j++
		if j > deepest {
			deepest, fails = j, 0
			patience = min(patience+retriesEachReturn, s.retries)
		}
	}
	if !s.legal() {
		return undecided
	}
	return found
}

// culprit returns a choice by which an operation was used that is open in a layer; -1 if there is
// none.
func (s *repair) culprit(layer int32) int {
	found, n := -1, 0
	look := func(i int32) {
		o := s.lane.ops[i].op
		if !s.in(o) {
			return
		}
		k, ok := slices.BinarySearchFunc(s.taken, s.get(o, since), func(c choice, l int32) int { return int(c.layer - l) })
		if n++; ok && s.draw(n) == 0 {
			found = k
		}
	}
	for _, i := range s.lane.open.Of(layer) {
		look(i)
	}
	for _, i := range s.lane.pending {
		look(i)
	}
	return found
}

// draw returns a number from 0 to n-1, the same ones in each search [Marsaglia, Xorshift RNGs,
// JSS'03].
func (s *repair) draw(n int) int {
	s.rand ^= s.rand << 13
	s.rand ^= s.rand >> 7
	s.rand ^= s.rand << 17
	return int(s.rand % uint64(n))
}

// in says whether an operation is in σ.
func (s *repair) in(o int32) bool { return s.get(o, moment) != 0 }

// layer lets the operation take effect that returns next. It returns false if there is no way.
func (s *repair) layer(j int32, choose int) bool {
	r := s.lane.ops[s.lane.returns[j]].op
	now := s.ops[r].ret
	s.open = s.open[:0]
	for _, i := range s.lane.open.Of(j) {
		if o := s.lane.ops[i].op; !s.in(o) {
			s.open = append(s.open, o)
		}
	}
	for _, i := range s.lane.pending {
		if s.lane.ops[i].call >= now {
			break
		}
		if o := s.lane.ops[i].op; !s.in(o) {
			s.open = append(s.open, o)
		}
	}
	mark := len(s.trail)
	s.at = j
	s.atOnce(now)
	if s.in(r) {
		return true
	}
	if s.ops[r].does == model.Insert {
		s.enter(r, s.head, now)
		s.atOnce(now)
		return true
	}
	s.list(r, now)
	if len(s.ways) == 0 {
		return false
	}
	way := 0
	if choose == random {
		way = s.draw(len(s.ways))
	}
	if len(s.ways) > 1 {
		s.taken = append(s.taken, choice{mark, j})
	}
	s.pass(r, now, s.ways[way])
	s.atOnce(now)
	return true
}

// enter puts an insertion at the end of σ, and into the contents.
func (s *repair) enter(x, next, now int32) {
	s.put(x, next, now)
	e := s.ops[x].end
	s.insert(x, s.inward(s.head, e), e)
}

// atOnce puts peeks and removals that found nothing at the end of σ where they are legal.
func (s *repair) atOnce(now int32) {
	for _, o := range s.open {
		x := &s.ops[o]
		if x.does == model.Insert || x.does == model.Remove && x.value != model.Nothing || s.in(o) {
			continue
		}
		top := s.inward(s.head, x.end)
		switch {
		case x.value == model.Anything || x.value == model.Nothing && top == s.head:
		case top != s.head && x.value == s.ops[top].value:
			s.set(top, fast, 1)
		default:
			continue
		}
		s.put(o, s.head, now)
	}
}

// list lists the ways for r, the cheapest first.
func (s *repair) list(r, now int32) {
	s.ways, s.now = s.ways[:0], r
	o := &s.ops[r]
	e, x := o.end, s.head
	if o.value == model.Nothing && s.inward(x, e) == x {
		return
	}
	for _, p := range s.open {
		if q := &s.ops[p]; o.value != model.Nothing && q.does == model.Insert && (q.value == o.value || o.wild()) && !s.in(p) {
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
	slices.SortStableFunc(s.ways, func(a, b repairWay) int { return int(a.cost - b.cost) })
	s.ways = s.ways[:min(len(s.ways), maxWays)]
}

// look adds the best way for r to x.
func (s *repair) look(r, x int32, open bool) {
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
		if o.does == model.Peek || y == x || y == s.head || s.ops[y].end != o.end || s.get(y, moment) <= o.call || s.isFast(y) {
			break
		}
		soon = s.late(x, y, o.end) && s.movable(x, y)
	}
	if best.cost >= 0 {
		s.ways = append(s.ways, best)
	}
}

// late says whether x was inserted at the other end than the one given, and no sooner than y.
func (s *repair) late(x, y int32, end int8) bool {
	return x != s.head && y != s.head && s.ops[x].end != end && s.get(x, moment) >= s.get(y, moment)
}

// movable says whether x, inserted after y and at the other end, can be inserted right before y:
// nothing at its end comes between, and no removal found nothing.
func (s *repair) movable(x, y int32) bool {
	if s.ops[x].call >= s.get(y, moment) || s.isFast(x) {
		return false
	}
	z := y
	for range maxDepth {
		if z = s.get(z, after); z == x {
			return true
		}
		if z == s.head || s.ops[z].end == s.ops[x].end || s.ops[z].value == model.Nothing {
			return false
		}
	}
	return false
}

// clear finds out how to make way for r to x, but for what stays, and leaves the steps in s.plan,
// from the end inwards. It returns false if it cannot be made.
func (s *repair) clear(r int32, w *repairWay) bool {
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
	limit := int32(history.Never)
	if w.next != s.head {
		limit = s.get(w.next, moment)
	}
	crossing := false
	for ; y != x; y = s.inward(y, e) {
		crossing = crossing || x != s.head && s.ops[x].end != e && s.ops[y].end != e && s.ops[x].call < s.get(y, moment)
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
		by, at := s.taker(y, e, limit), int32(-1)
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
	return k >= 0 && s.get(s.plan[k].y, moment) < s.get(w.next, moment) // x is put before that
}

// haste says how rash it is to let an open operation take effect now: the longer it stays open, the
// more.
func (s *repair) haste(o int32) int32 {
	return int32(bits.Len32(uint32(s.ops[o].ret-s.ops[s.now].ret) >> 5))
}

// behind returns what can be inserted right before x in the place of y, which is nearer to the end:
// y itself, or another insertion of its value that has left since, whose place y can take. It
// returns -1 if there is none.
func (s *repair) behind(y, x int32) int32 {
	at := s.get(x, moment)
	a := &s.ops[y]
	if a.call < at {
		return y
	}
	layer, ok := slices.BinarySearchFunc(s.lane.returns, at, func(r, at int32) int { return int(s.lane.ops[r].ret - at) })
	if !ok { // an initial value: before all calls
		return -1
	}
	for _, i := range s.lane.open.Of(int32(layer)) {
		z := s.lane.ops[i].op
		b, t := &s.ops[z], s.get(z, moment)
		if b.does == model.Insert && b.end == a.end && b.value == a.value && t > at && s.get(z, there) == 0 && a.call < t && t <= a.ret &&
			!slices.ContainsFunc(s.plan, func(p clearing) bool { return p.as == z }) {
			return z
		}
	}
	return -1
}

func (s *repair) isFast(x int32) bool { return s.get(x, fast) != 0 }

// clearFrom makes way from an end to y, and lets it go as well.
func (s *repair) clearFrom(y int32, end int8, limit int32) bool {
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
func (s *repair) farTaker(y int32, end int8, next int32) (by, at int32) {
	c := s.outward(y, end)
	if c == s.head || s.ops[c].end != end || s.get(y, moment) >= s.get(c, moment) || s.isFast(y) ||
		next != s.head && s.get(c, moment) >= s.get(next, moment) {
		return -1, -1
	}
	return s.taker(y, end, s.get(c, moment)), c
}

// taker returns an open removal that is not planned and can take y out from an end before a moment;
// -1 if there is none.
func (s *repair) taker(y int32, end int8, limit int32) int32 {
	for _, u := range s.open {
		o := &s.ops[u]
		if o.does == model.Remove && o.end == end && (o.value == s.ops[y].value || o.wild()) && o.call < limit && u != s.now && !s.in(u) &&
			!slices.ContainsFunc(s.plan, func(p clearing) bool { return p.by == u }) {
			return u
		}
	}
	return -1
}

// pass takes a way for r.
func (s *repair) pass(r, now int32, w repairWay) {
	e := s.ops[r].end
	if w.open {
		s.enter(w.x, s.head, now)
	}
	s.clear(r, &w)
	at := now
	if w.next != s.head {
		at = s.get(w.next, moment)
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
			next, at := s.get(p.as, after), s.get(p.as, moment)
			s.lift(p.as)
			s.put(p.y, next, at)
		}
		s.put(p.as, w.x, s.get(w.x, moment))
		s.remove(p.y)
		s.insert(p.as, w.x, 1-e)
	}
	for k := 0; k < len(s.plan); k++ {
		p := s.plan[k]
		switch {
		case p.by >= 0 && p.at >= 0:
			s.put(p.by, p.at, s.get(p.at, moment))
			s.remove(p.y)
		case p.by >= 0:
			s.put(p.by, w.next, at)
			s.remove(p.y)
		case s.ops[w.x].end != e && first:
			first = false
			s.lift(w.x)
			s.put(w.x, p.y, s.get(p.y, moment))
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

// linearization returns σ without what inserts the initial values.
func (s *repair) linearization() []int32 {
	var order []int32
	n := int32(len(s.ops)-1) - s.initials()
	for o := s.get(s.head, after); o != s.head; o = s.get(o, after) {
		if o < n {
			order = append(order, o)
		}
	}
	return order
}

func (s *repair) initials() (n int32) {
	for o := s.head - 1; o >= 0 && s.ops[o].ret == -1; o-- {
		n++
	}
	return n
}

// legal runs σ, and compares it with the order of the history.
func (s *repair) legal() bool {
	ring := make([]int32, 2*len(s.ops))
	from := len(s.ops)
	to := from
	latest := int32(-2) // call
	for o := s.get(s.head, after); o != s.head; o = s.get(o, after) {
		x := &s.ops[o]
		if latest = max(latest, x.call); latest >= x.ret {
			return false
		}
		if x.does == model.Insert {
			if x.end == 0 {
				from--
				ring[from] = x.value
			} else {
				ring[to] = x.value
				to++
			}
			continue
		}
		top := model.Nothing
		if from < to && x.end == 0 {
			top = ring[from]
		} else if from < to {
			top = ring[to-1]
		}
		if top != x.value && !x.wild() {
			return false
		}
		if x.does == model.Remove && top != model.Nothing {
			if x.end == 0 {
				from++
			} else {
				to--
			}
		}
	}
	return true
}

package monitor

// LIFO stacks with distinct values.
//
// What: a value can be the one pushed first, at the bottom, if each of its operations has a moment
// at which no other value is certainly inside. Then the history is linearizable iff it is without
// that value. So values are removed one after the other, in any order; if none can be removed, the
// history is not linearizable. Values that are nowhere certainly inside are set aside: all their
// operations take effect one after the other in one moment. For empty results see empties.go.
//
// How: moments at which nothing is inside are found by covered (stabbing.go), the operations open
// then by stabbed. Only a peek may also take effect while its own value alone is inside: where
// there are peeks, a tree of counts finds those moments.
//
// Pending removals that may have taken one of the values left over: linearizable by guessing
// (pending.go). It is a violation if a set of values is blocked even though at any moment only as
// many of its left-over values count as inside as exceed the pending removals called by then
// (stack_blocked.go). Between the two it is undecided.
//
// Source: the value at the bottom is the idea of Lee & Mathur (OOPSLA 2025); peeks, witness and
// refutation are of our own, compared with brute force.
//
// Invariants: moments in free are those at which no value that is left is inside; a value's moments
// as the only one are found before it can be taken away because of them.
//
// Cost: O(n log n), mostly in passes over arrays; with peeks a tree of counts besides.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

func stack(ctx context.Context, c *collected, operations int) engine.Answer {
	if len(c.pendOp) == 0 || len(c.left) == 0 {
		a, stuck := c.peel(ctx)
		if stuck != nil {
			a.Proof = refutation(proof.Blocked, c.blockedSet(stuck)...)
		}
		return a
	}
	c.match()
	a, stuck := c.peel(ctx)
	if stuck == nil {
		return a // also a violation: in turn, at no moment more values are inside than must be
	}
	core := c.withCompetitors(c.blockedSet(stuck))
	a = c.guess(operations, func() engine.Answer {
		a, stuck := c.peel(ctx)
		if stuck != nil {
			a.Proof = refutation(proof.Blocked, c.blockedSet(stuck)...)
		}
		return a
	})
	if a.Verdict != engine.NotLinearizable {
		return a
	}
	for _, v := range c.left {
		c.pin(v)
	}
	for _, set := range [][]int32{core, stuck} {
		if set = c.residue(set); set != nil {
			return engine.Answer{Verdict: engine.NotLinearizable, Proof: refutation(proof.Blocked, c.smaller(set)...)}
		}
	}
	return engine.Answer{Cause: engine.Undecided, Detail: "which value a pending removal took decides"}
}

// peel decides with pending removals as assigned. If values are stuck, the answer is a violation
// without a proof yet.
func (c *collected) peel(ctx context.Context) (a engine.Answer, stuck []int32) {
	empties, no := c.placeEmpties()
	if no != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no}, nil
	}
	s := newPeeler(c)
	if !s.run(ctx) {
		return engine.Stopped(ctx), nil
	}
	if len(s.order) == s.values {
		return engine.Answer{Verdict: engine.Linearizable, Witness: s.witness(empties)}, nil
	}
	return engine.Answer{Verdict: engine.NotLinearizable}, s.stuck()
}

// stuck lists the values that could not be taken away.
func (s *peeler) stuck() (stuck []int32) {
	for _, v := range s.collected.values {
		if !s.aside(v) && !s.away(v) {
			stuck = append(stuck, v)
		}
	}
	return stuck
}

// peeler takes values away. Each operation is an interval: the push of v is v, its pop v plus the
// number of values, then come peeks.
type peeler struct {
	*collected
	values int      // how many are not set aside
	lo, hi []moment // by interval
	owner  []int32  // by peek
	marked []bool   // by interval: has a moment
	// by value: how many of its operations have none yet; gone after it was taken away
	want    []int32
	ready   []int32 // values that can be taken away
	order   []int32 // values in the order in which they were
	covered *covered
	stabbed hung
	free    momentSet
	alone   *alone // nil without peeks

	pushAt, popAt []moment // by value
	peekAt        []moment // by peek: the moment as the only value inside, or -1
}

const takenAway int32 = -1

// aside reports whether v is set aside.
func (c *collected) aside(v int32) bool { return c.remLo[v] < c.insHi[v] }

// peek returns the interval of a peek.
func (s *peeler) peek(k int32) interval { return interval(2*len(s.ins)) + interval(k) }

func (s *peeler) away(v int32) bool { return s.want[v] == takenAway }

func newPeeler(c *collected) *peeler {
	n, peeks := len(c.ins), len(c.peekOp)
	s := &peeler{collected: c, marked: make([]bool, 2*n+peeks), want: make([]int32, n), free: newMomentSet(c.end + 1),
		pushAt: make([]moment, n), popAt: make([]moment, n), owner: make([]int32, peeks), peekAt: make([]moment, peeks)}
	s.lo = slices.Concat(c.insLo, c.remLo, c.peekLo)
	s.hi = slices.Concat(c.insHi, c.remHi, c.peekHi)
	items := make([]interval, 0, 2*len(c.values)+peeks)
	inside := make([]interval, 0, len(c.values))
	for _, v := range c.values {
		if c.aside(v) {
			continue
		}
		s.values++
		s.want[v] = 2 + c.peekFrom[v+1] - c.peekFrom[v]
		items = append(items, interval(v), interval(v)+interval(n))
		for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
			s.owner[k], s.peekAt[k] = v, -1
			items = append(items, s.peek(k))
		}
		if c.inside(v) {
			inside = append(inside, interval(v))
		}
	}
	s.order = make([]int32, 0, s.values)
	s.stabbed = hang(items, s.lo, s.hi, c.end+1)
	s.covered = newCovered(inside, c.insHi, c.remLo, c.end+1)
	if peeks > 0 {
		s.alone = newAlone(s)
	}
	return s
}

// run removes all values that can be removed. It returns false if ctx is done.
func (s *peeler) run(ctx context.Context) bool {
	var open []interval
	for {
		for len(s.covered.free) > 0 {
			last := len(s.covered.free) - 1
			g := s.covered.free[last]
			s.covered.free = s.covered.free[:last]
			s.free.add(g)
			open = s.stabbed.stab(g, open[:0])
			for _, item := range open {
				s.mark(item)
			}
		}
		if s.alone != nil {
			s.alone.look(s)
		}
		if len(s.ready) == 0 {
			return true
		}
		if len(s.order)&4095 == 0 && ctx.Err() != nil {
			return false
		}
		v := s.ready[len(s.ready)-1]
		s.ready = s.ready[:len(s.ready)-1]
		s.takeAway(v)
	}
}

// mark notes that an operation has a moment.
func (s *peeler) mark(item interval) {
	if s.marked[item] {
		return
	}
	s.marked[item] = true
	v, n := int32(item), interval(len(s.ins))
	switch {
	case item >= 2*n:
		v = s.owner[item-2*n]
	case item >= n:
		v = int32(item - n)
	}
	if s.want[v]--; s.want[v] == 0 {
		s.ready = append(s.ready, v)
	}
}

// takeAway chooses the moments of v, as close around its stay as possible. All values removed later
// nest inside.
func (s *peeler) takeAway(v int32) {
	s.want[v] = takenAway
	s.order = append(s.order, v)
	s.pushAt[v], s.popAt[v] = s.free.previous(s.insHi[v]-1), s.free.next(s.remLo[v])
	if s.inside(v) {
		s.covered.take(interval(v), s.insHi[v], s.remLo[v])
		if s.alone != nil {
			s.alone.count.increase(s.insHi[v], s.remLo[v], -1)
		}
	}
}

// alone finds the moments at which one value alone is inside, and the peeks of that value that are
// open then.
type alone struct {
	count *minTree[moment] // how many values are inside, or removed
	peeks *minTree[int32]  // by peek: minus its hi, or removed
}

func newAlone(s *peeler) *alone {
	count := make([]int32, s.end+1)
	for _, v := range s.collected.values {
		if s.inside(v) {
			count[s.insHi[v]]++
			count[s.remLo[v]]--
		}
	}
	for g := moment(1); g <= s.end; g++ {
		count[g] += count[g-1]
	}
	hi := make([]int32, len(s.peekHi))
	for k, h := range s.peekHi {
		hi[k] = -int32(h)
	}
	return &alone{newMinTree[moment](count), newMinTree[int32](hi)}
}

func (a *alone) look(s *peeler) {
	for g := a.count.atMost(1); g >= 0; g = a.count.atMost(1) {
		a.count.increase(g, g+1, removed/2)
		if s.covered.waits[g] == isFree {
			continue
		}
		v := int32(s.covered.by(g, int(s.covered.waits[g])))
		for k := a.peeks.firstAtMost(s.peekFrom[v], -int32(g)-1); k >= 0 && k < s.peekFrom[v+1] &&
			s.peekLo[k] <= g; k = a.peeks.firstAtMost(k+1, -int32(g)-1) {
			a.peeks.increase(k, k+1, removed)
			if item := s.peek(k); !s.marked[item] {
				s.peekAt[k] = g
				s.mark(item)
			}
		}
	}
}

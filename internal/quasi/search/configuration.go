package search

// What: a configuration of the search in slots.go: the operations linearized in ρ′, the state that
// the contents applied in ρ″ lead to, and the debts between both; all of it undone again.
//
// Debts. Group g has filled places[g] places. A content that was linearized and not applied yet is
// owed; one that was applied before its operation was linearized is early. Owed and early are
// equally many in every group. A debt knows its deadline only: an owed content of rank q must be
// applied at a place up to q+bound, and the operation of an early one at place s must get a rank up
// to s+bound. Deadlines that no place lies behind are history.Never, so that they do not tell
// configurations apart.
//
// Matching. Of contents of equal kind the i-th to be linearized is the i-th to be applied: sorted
// sequences are matched with the least displacement. So an operation with an early content of its
// kind settles the oldest, a place takes the oldest owed content of a kind, and no kind is both
// owed and early.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// debt is a content that is owed or early in a group.
type debt struct{ kind, deadline int32 }

// debts are sorted by kind, then by deadline.
type debts []debt

// find returns where the debts of that kind begin, and how many there are.
func (d debts) find(kind int32) (at, count int) {
	at, _ = slices.BinarySearchFunc(d, kind, func(x debt, k int32) int {
		if x.kind < k {
			return -1
		}
		return 1
	})
	for at+count < len(d) && d[at+count].kind == kind {
		count++
	}
	return at, count
}

func (d *debts) add(x debt) {
	at, count := d.find(x.kind)
	for count > 0 && (*d)[at+count-1].deadline > x.deadline {
		count--
	}
	*d = slices.Insert(*d, at+count, x)
}

func (d *debts) remove(x debt) {
	at, _ := d.find(x.kind)
	for (*d)[at].deadline != x.deadline {
		at++
	}
	*d = slices.Delete(*d, at, at+1)
}

// Where the content that fills a place comes from.
const (
	own   = iota // the operation linearized at that place
	owed         // an operation linearized before
	early        // an operation to be linearized later
)

// absent is the op of a move that linearizes nothing, and the fill of one that applies nothing.
const absent = -1

// move linearizes an operation and fills its place.
type move struct {
	op      int32
	content int32 // the content that it turns out to have: its own kind, or what was guessed
	fill    int32 // kind that fills the place
	from    uint8
	order   int64 // what is tried first
}

// step is a move that was made, with what it takes to undo it.
type step struct {
	move
	before  model.State
	settled debt // the early content that the operation settled, kind -1 if none
	served  debt // the owed content that filled the place, kind -1 if none
	taken   int32
}

// ring holds doubly linked lists of operations, each a cycle through a head of its own behind the
// operations.
type ring struct{ next, prev []int32 }

func newRing(n, heads int32) ring {
	r := ring{make([]int32, n+heads), make([]int32, n+heads)}
	for i := range r.next {
		r.next[i], r.prev[i] = int32(i), int32(i)
	}
	return r
}

// push puts v at the end of the list with that head.
func (r *ring) push(head, v int32) {
	last := r.prev[head]
	r.next[last], r.prev[v], r.next[v], r.prev[head] = v, last, head, v
}

func (r *ring) remove(v int32)  { r.next[r.prev[v]], r.prev[r.next[v]] = r.next[v], r.prev[v] }
func (r *ring) restore(v int32) { r.next[r.prev[v]], r.prev[r.next[v]] = v, v }

// configuration is the configuration.
type configuration struct {
	*problem
	state model.State
	done  []bool
	used  []int32 // by family

	// Completed operations that are not linearized: all of them (head n) and those of each group
	// (head n+group).
	byCall, byReturn, inCall, inReturn ring

	places []int32 // by group: filled
	owed   []debts // by group
	early  []debts
	debts  int // owed contents of all groups

	undone  []int32 // by kind: completed operations that are not linearized
	maybe   []int32 // by kind: the same of pending ones
	open    []int32 // by group: completed operations that are not linearized
	unknown []int32 // by group, with causality: unknown removals that are not linearized
	closed  int32   // drains linearized: from the first on no other operation is
	left    []int32 // by object: items left over by what is linearized
	rest    []int32 // by object: the same of the completed operations that are not
	plus    []int32 // by object: pending insertions that are not
	present []int32 // by value, with causality: how often it is in the object in ρ′
	guessed []int32 // values that unknown removals took, sorted; -1 for nothing

	collections  []collection // nil where the theory is another
	collectionOf []int32      // op → its shelf

	windows  []window // by value, nil where not known
	removals []int32  // shelf → the group of its removals, -1 without any
	trail    []step
}

func newConfiguration(l *problem) *configuration {
	groups := int32(len(l.groups))
	c := &configuration{problem: l, done: make([]bool, l.n), used: make([]int32, len(l.members.First)-1),
		byCall: newRing(l.n, 1), byReturn: newRing(l.n, 1), inCall: newRing(l.n, groups), inReturn: newRing(l.n, groups),
		places: make([]int32, groups), owed: make([]debts, groups), early: make([]debts, groups),
		undone: make([]int32, len(l.sample)), maybe: make([]int32, len(l.sample)), unknown: make([]int32, groups), open: make([]int32, groups),
		left: make([]int32, len(l.drains)), rest: make([]int32, len(l.drains)), plus: make([]int32, len(l.drains)),
		present: slices.Clone(l.start)}
	c.windows, c.removals = newWindows(l)
	c.collections, c.collectionOf = newCollections(l, c.windows)
	if c.collections != nil {
		c.indexGuesses()
	}
	keys := make([]uint64, 0, l.n)
	for i := range l.n {
		c.count(i, 1)
		if l.completed(i) {
			keys = append(keys, uint64(l.ops[i].Return)<<32|uint64(i))
		}
	}
	for o := range c.left {
		c.left[o] = int32(l.bound.Stored)
	}
	slices.Sort(keys)
	for _, k := range keys {
		i := int32(k & 0xffffffff)
		c.byReturn.push(l.n, i)
		c.inReturn.push(l.n+l.group[i], i)
	}
	for i := range l.n {
		if l.completed(i) {
			c.byCall.push(l.n, i)
			c.inCall.push(l.n+l.group[i], i)
		}
	}
	return c
}

// indexGuesses sorts the guesses by what is next to leave when they can be applied.
func (c *configuration) indexGuesses() {
	for k, g := range c.guesses {
		g.byFront = map[int32][]int32{}
		for _, op := range g.candidates {
			s := &c.collections[c.collectionOf[op]]
			at := s.front(s.t.Value[op])
			g.byFront[at] = append(g.byFront[at], op)
		}
		c.guesses[k] = g
	}
}

// count counts operation i among those that are not linearized (by 1) or not any more (by -1).
func (c *configuration) count(i, by int32) {
	flow := int32(0)
	if c.bound.ItemDelta != nil {
		flow = int32(c.bound.ItemDelta[i])
	}
	if c.completed(i) {
		c.undone[c.kind[i]] += by
		c.open[c.group[i]] += by
		c.rest[c.object[i]] += by * flow
	} else if c.pendingClass[i] >= 0 {
		c.maybe[c.kind[i]] += by
		c.plus[c.object[i]] += by * max(0, flow)
	}
	if _, guess := c.guesses[c.kind[i]]; guess {
		c.unknown[c.group[i]] += by
	}
}

// deadline is the deadline of a debt that arises at a place of group g.
func (c *configuration) deadline(g, place int32) int32 {
	if in := &c.groups[g]; in.bound < in.most && place+in.bound < in.most {
		return place + in.bound
	}
	return history.Never
}

// make makes a move after which the object is in state t.
func (c *slotsMeaning) make(m move, t model.State) {
	s := step{move: m, before: c.state, settled: debt{kind: -1}, served: debt{kind: -1}, taken: -1}
	v, g := m.op, c.group[m.op]
	c.linearize(v, m.content)
	c.places[g]++
	if m.from != own {
		at := c.deadline(g, c.places[g])
		if k, n := c.early[g].find(m.content); n > 0 {
			s.settled = c.early[g][k]
			c.early[g].remove(s.settled)
		} else {
			c.owed[g].add(debt{m.content, at})
			c.debts++
		}
		if m.from == owed {
			k, _ := c.owed[g].find(m.fill)
			s.served = c.owed[g][k]
			c.owed[g].remove(s.served)
			c.debts--
		} else {
			c.early[g].add(debt{m.fill, at})
		}
	}
	if c.collections != nil {
		s.taken = c.collections[c.collectionOf[v]].apply(c.sample[m.fill])
	}
	c.state = t
	c.trail = append(c.trail, s)
}

// undo takes the last move back.
func (c *slotsMeaning) undo() {
	s := &c.trail[len(c.trail)-1]
	v, g := s.op, c.group[s.op]
	c.state = s.before
	if c.collections != nil {
		c.collections[c.collectionOf[v]].undo(c.sample[s.fill], s.taken)
	}
	if s.from != own {
		at := c.deadline(g, c.places[g])
		if s.from == owed {
			c.owed[g].add(s.served)
			c.debts++
		} else {
			c.early[g].remove(debt{s.fill, at})
		}
		if s.settled.kind >= 0 {
			c.early[g].add(s.settled)
		} else {
			c.owed[g].remove(debt{s.content, at})
			c.debts--
		}
	}
	c.places[g]--
	c.unlinearize(v, s.content)
	c.trail = c.trail[:len(c.trail)-1]
}

func (c *configuration) linearize(v, turns int32) {
	if c.bound.ItemDelta != nil {
		c.left[c.object[v]] += int32(c.bound.ItemDelta[v])
	}
	if v >= c.n {
		c.closed++
		return
	}
	c.done[v] = true
	c.count(v, -1)
	if c.completed(v) {
		c.byCall.remove(v)
		c.byReturn.remove(v)
		c.inCall.remove(v)
		c.inReturn.remove(v)
	} else {
		c.used[c.pendingClass[v]]++
	}
	c.take(v, turns, 1)
}

func (c *configuration) unlinearize(v, turns int32) {
	if c.bound.ItemDelta != nil {
		c.left[c.object[v]] -= int32(c.bound.ItemDelta[v])
	}
	if v >= c.n {
		c.closed--
		return
	}
	c.take(v, turns, -1)
	if c.completed(v) {
		c.inReturn.restore(v)
		c.inCall.restore(v)
		c.byReturn.restore(v)
		c.byCall.restore(v)
	} else {
		c.used[c.pendingClass[v]]--
	}
	c.count(v, 1)
	c.done[v] = false
}

// take counts in ρ′, where causality counts, what operation v puts in or takes out.
func (c *configuration) take(v, turns, by int32) {
	if c.value == nil {
		return
	}
	value := c.value[c.sample[turns]]
	if turns != c.kind[v] { // guessed
		if at, _ := slices.BinarySearch(c.guessed, value); by > 0 {
			c.guessed = slices.Insert(c.guessed, at, value)
		} else {
			c.guessed = slices.Delete(c.guessed, at, at+1)
		}
	}
	if value >= 0 {
		c.present[value] += by * int32(c.bound.ItemDelta[c.sample[turns]])
	}
}

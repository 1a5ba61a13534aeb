package search

// What: a configuration: the operations linearized in ρ′, the state after the contents applied in
// ρ″, and the debts between the two. All of it can be undone.
//
// Source: Lowe's configurations (CCPE'17) for ρ′; the debts are ours.
//
// Invariants (tests check them by undoing whole searches): the rings hold the completed operations
// that are not linearized; places counts the filled places of every group; as many contents are
// owed as are early.
//
// Cost: O(1) to linearize an operation, plus the debts of one group.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// configuration is the current configuration of a search.
type configuration struct {
	*problem
	state model.State
	done  []bool
	used  []int32 // by class

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
	closed  int32   // drains linearized; once there is one, only drains follow
	drained []int32 // by object: drains linearized
	left    []int32 // by object: items left over by the linearized operations, at most
	unsure  []int32 // by object: linearized removals that took one of these or found nothing
	rest    []int32 // by object: left for completed operations that are not linearized
	plus    []int32 // by object: pending insertions that are not linearized
	present []int32 // by value, with causality: how often it is in the object in ρ′
	guessed []int32 // values that unknown removals took, sorted; -1 for nothing

	collections  []collection   // nil where the theory is another
	collectionOf []model.CellID // op → its collection

	windows  []window  // by value, nil where not known
	removals []groupID // collection → the group of its removals, -1 without any
	trail    []step
}

// newConfiguration returns the initial configuration.
func newConfiguration(l *problem) *configuration {
	groups := history.OpID(len(l.groups))
	c := &configuration{problem: l, done: make([]bool, l.n), used: make([]int32, len(l.members.First)-1),
		byCall: newRing(l.n, 1), byReturn: newRing(l.n, 1), inCall: newRing(l.n, groups),
		inReturn: newRing(l.n, groups),
		places:   make([]int32, groups), owed: make([]debts, groups), early: make([]debts, groups),
		undone: make([]int32, len(l.sample)), maybe: make([]int32, len(l.sample)), unknown: make([]int32, groups),
		open: make([]int32, groups),
		left: make([]int32, len(l.drains)), rest: make([]int32, len(l.drains)), drained: make([]int32, len(l.drains)),
		unsure: make([]int32, len(l.drains)), plus: make([]int32, len(l.drains)),
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
		c.left[o] = int32(l.bound.Items.Stored)
	}
	slices.Sort(keys)
	for _, k := range keys {
		i := history.OpID(k & 0xffffffff)
		c.byReturn.push(l.n, i)
		c.inReturn.push(l.n+history.OpID(l.group[i]), i)
	}
	for i := range l.n {
		if l.completed(i) {
			c.byCall.push(l.n, i)
			c.inCall.push(l.n+history.OpID(l.group[i]), i)
		}
	}
	return c
}

// indexGuesses indexes the guesses by what leaves next when they can be applied.
func (c *configuration) indexGuesses() {
	for k, g := range c.guesses {
		g.byFront = map[int32][]history.OpID{}
		for _, op := range g.candidates {
			s := &c.collections[c.collectionOf[op]]
			at := s.front(s.t.Value[op])
			g.byFront[at] = append(g.byFront[at], op)
		}
		c.guesses[k] = g
	}
}

// count adds by to the unlinearized operations that operation i belongs to.
func (c *configuration) count(i history.OpID, by int32) {
	flow, _ := c.flow(i)
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

// flow returns what operation i adds to the items left over at most, and 1 if it may have taken one
// of these or found nothing.
func (c *configuration) flow(i history.OpID) (flow, unsure int32) {
	switch {
	case c.bound.Items.Delta == nil:
		return 0, 0
	case i < c.n && c.bound.Unsure(i):
		return 0, 1
	}
	return int32(c.bound.Items.Delta[i]), 0
}

// deadline returns the deadline of a debt that arises at a place of group g.
func (c *configuration) deadline(g groupID, place int32) int32 {
	if in := &c.groups[g]; in.bound < in.most && place+in.bound < in.most {
		return place + in.bound
	}
	return noDeadline
}

// linearize appends v to ρ′ with the given content: its own, or a guess.
func (c *configuration) linearize(v history.OpID, content int32) {
	flow, unsure := c.flow(v)
	c.left[c.object[v]] += flow
	c.unsure[c.object[v]] += unsure
	if v >= c.n {
		c.closed++
		c.drained[c.object[v]]++
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
	c.take(v, content, 1)
}

// unlinearize reverts linearize.
func (c *configuration) unlinearize(v history.OpID, content int32) {
	flow, unsure := c.flow(v)
	c.left[c.object[v]] -= flow
	c.unsure[c.object[v]] -= unsure
	if v >= c.n {
		c.closed--
		c.drained[c.object[v]]--
		return
	}
	c.take(v, content, -1)
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

// take adds by to the values that operation v inserts into or removes from the object in ρ′, if
// causality counts.
func (c *configuration) take(v history.OpID, content, by int32) {
	if c.value == nil {
		return
	}
	value := c.value[c.sample[content]]
	if content != c.kind[v] { // guessed
		if by > 0 {
			c.guessed = inorder.Insert(c.guessed, value, cmp.Compare)
		} else {
			at, _ := slices.BinarySearch(c.guessed, value)
			c.guessed = slices.Delete(c.guessed, at, at+1)
		}
	}
	if value >= 0 {
		c.present[value] += by * int32(c.bound.Items.Delta[c.sample[content]])
	}
}

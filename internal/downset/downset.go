// Package downset represents sets of completed operations that are closed under precedence.
package downset

// What: an operation may be used if no unused one precedes it. Such a set is known from the first
// return of an unused operation and from which of the operations open at that return are used: all
// that return earlier are used, none that is called later is. Open operations have different lanes,
// so the set is a number and a mask.
//
// Source: ours; the same sets as in Lowe's search (CCPE'17) just before a return.
//
// Cost: O(n·k), k operations being open at once, at most 64.

import (
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// Order holds operations that return, for instance those of one end of a collection.
type Order struct {
	ops      []history.Op
	ByReturn []history.OpID
	lane     []uint8        // by position in the partition
	latest   []history.Rank // the latest call of the first k by return
	// openAt are, for each return in order, the operations open at it, by return: those of return k
	// are openAt[openFrom[k]:openFrom[k+1]].
	openFrom []int32
	openAt   []history.OpID
}

// Set is a set of operations of an Order, used ones for short. The zero value is the empty set.
type Set struct {
	next int32 // in ByReturn: the first unused operation
	mask uint64
}

// Hash hashes the set.
func (s Set) Hash() uint64 {
	h := bits.RotateLeft64(s.mask, 20) + uint64(uint32(s.next))
	h = (h ^ h>>32) * 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// New returns the order of some operations, given by ascending position. It returns false if more
// than 64 are open at once.
func New(ops []history.Op, members []history.OpID) (*Order, bool) {
	c := &Order{ops: ops, ByReturn: slices.Clone(members), lane: make([]uint8, len(ops)),
		latest:   make([]history.Rank, len(members)+1),
		openFrom: make([]int32, 0, len(members)+1)}
	byReturn := func(a, b history.OpID) int { return int(ops[a].Return - ops[b].Return) }
	slices.SortFunc(c.ByReturn, byReturn)
	free, returned := ^uint64(0), 0
	for _, op := range members {
		for ; ops[c.ByReturn[returned]].Return < ops[op].Call; returned++ {
			free |= 1 << c.lane[c.ByReturn[returned]]
		}
		if free == 0 {
			return nil, false
		}
		c.lane[op] = uint8(bits.TrailingZeros64(free))
		free &= free - 1
	}
	var open []history.OpID // by return
	called := 0
	c.latest[0] = -1
	for k, op := range c.ByReturn {
		c.latest[k+1] = max(c.latest[k], ops[op].Call)
		for ; called < len(members) && ops[members[called]].Call < ops[op].Return; called++ {
			open = inorder.Insert(open, members[called], byReturn)
		}
		c.openFrom = append(c.openFrom, int32(len(c.openAt)))
		c.openAt = append(c.openAt, open...)
		open = append(open[:0], open[1:]...)
	}
	c.openFrom = append(c.openFrom, int32(len(c.openAt)))
	return c, true
}

// Bytes estimates what the order takes.
func (c *Order) Bytes() int64 { return int64(cap(c.openAt)+3*len(c.latest))*4 + int64(len(c.lane)) }

// First returns when the first unused operation returns, history.Never if there is none.
func (c *Order) First(s Set) history.Rank {
	if int(s.next) == len(c.ByReturn) {
		return history.Never
	}
	return c.ops[c.ByReturn[s.next]].Return
}

// Open returns the operations that are open when the first unused one returns, by return, used ones
// among them.
func (c *Order) Open(s Set) []history.OpID {
	if int(s.next) == len(c.ByReturn) {
		return nil
	}
	return c.openAt[c.openFrom[s.next]:c.openFrom[s.next+1]]
}

// Has reports whether an open operation is used.
func (c *Order) Has(s Set, op history.OpID) bool { return s.mask>>c.lane[op]&1 == 1 }

// Use returns s and an open operation that is not used.
func (c *Order) Use(s Set, op history.OpID) Set {
	s.mask |= 1 << c.lane[op]
	for int(s.next) < len(c.ByReturn) && c.Has(s, c.ByReturn[s.next]) {
		s.mask &^= 1 << c.lane[c.ByReturn[s.next]]
		s.next++
	}
	return s
}

// LatestCall returns the latest call of a used operation, -1 without any.
func (c *Order) LatestCall(s Set) history.Rank {
	latest := c.latest[s.next]
	for _, op := range c.Open(s) {
		if c.Has(s, op) {
			latest = max(latest, c.ops[op].Call)
		}
	}
	return latest
}

// All reports whether every operation is used.
func (c *Order) All(s Set) bool { return int(s.next) == len(c.ByReturn) }

package monitor

// Sets of completed operations that are closed under precedence.
//
// What: an operation may be used if no unused one precedes it. Such a set is known from the first
// return of an unused operation and from which of the operations open at that return are used: all
// that return earlier are used, none that is called later is. Open operations have different lanes,
// so the set is a number and a mask.
//
// Source: ours; the same sets as in Lowe's search (CCPE'17) just before a return.
//
// Cost: O(n·k), k operations being open at once, at most 64.

import (
	mathbits "math/bits"
	"slices"

	"github.com/linsat/linsat/history"
)

// chain holds the completed operations of one end of a collection.
type chain struct {
	byReturn []int32
	lane     []uint8 // by position in the part
	latest   []int32 // the latest call of the first k by return
	// openAt are, for each return in order, the operations open at it, by return: those of return k
	// are openAt[openFrom[k]:openFrom[k+1]].
	openFrom, openAt []int32
}

// used is a set of operations of a chain.
type used struct {
	next int32 // in byReturn: the first unused operation
	mask uint64
}

// newChain returns the chain of some operations, ascending. It returns false if more than 64 are
// open at once.
func newChain(ops []history.Op, members []int32) (chain, bool) {
	c := chain{byReturn: slices.Clone(members), lane: make([]uint8, len(ops)), latest: make([]int32, len(members)+1),
		openFrom: make([]int32, 0, len(members)+1)}
	slices.SortFunc(c.byReturn, func(a, b int32) int { return int(ops[a].Return - ops[b].Return) })
	free, returned := ^uint64(0), 0
	for _, op := range members {
		for ; ops[c.byReturn[returned]].Return < ops[op].Call; returned++ {
			free |= 1 << c.lane[c.byReturn[returned]]
		}
		if free == 0 {
			return chain{}, false
		}
		c.lane[op] = uint8(mathbits.TrailingZeros64(free))
		free &= free - 1
	}
	var open []int32 // by return
	called := 0
	c.latest[0] = -1
	for k, op := range c.byReturn {
		c.latest[k+1] = max(c.latest[k], ops[op].Call)
		for ; called < len(members) && ops[members[called]].Call < ops[op].Return; called++ {
			at, _ := slices.BinarySearchFunc(open, ops[members[called]].Return, func(x, r int32) int { return int(ops[x].Return - r) })
			open = slices.Insert(open, at, members[called])
		}
		c.openFrom = append(c.openFrom, int32(len(c.openAt)))
		c.openAt = append(c.openAt, open...)
		open = append(open[:0], open[1:]...)
	}
	c.openFrom = append(c.openFrom, int32(len(c.openAt)))
	return c, true
}

// bytes estimates what the chain takes.
func (c *chain) bytes() int64 { return int64(cap(c.openAt)+3*len(c.latest))*4 + int64(len(c.lane)) }

// first returns when the first unused operation returns, history.Never if there is none.
func (c *chain) first(s used, ops []history.Op) int32 {
	if int(s.next) == len(c.byReturn) {
		return history.Never
	}
	return ops[c.byReturn[s.next]].Return
}

// open returns the operations that are open when the first unused one returns, by return, used ones
// among them.
func (c *chain) open(s used) []int32 {
	if int(s.next) == len(c.byReturn) {
		return nil
	}
	return c.openAt[c.openFrom[s.next]:c.openFrom[s.next+1]]
}

// has reports whether an open operation is used.
func (c *chain) has(s used, op int32) bool { return s.mask>>c.lane[op]&1 == 1 }

// use adds an open operation that is not used.
func (c *chain) use(s used, op int32) used {
	s.mask |= 1 << c.lane[op]
	for int(s.next) < len(c.byReturn) && c.has(s, c.byReturn[s.next]) {
		s.mask &^= 1 << c.lane[c.byReturn[s.next]]
		s.next++
	}
	return s
}

// latestCall returns the latest call of a used operation, -1 without any.
func (c *chain) latestCall(s used, ops []history.Op) int32 {
	latest := c.latest[s.next]
	for _, op := range c.open(s) {
		if c.has(s, op) {
			latest = max(latest, ops[op].Call)
		}
	}
	return latest
}

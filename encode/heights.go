package encode

// Heights: how many values a stack holds, to tell which push belongs to which pop.
//
// What: bounds, from real time alone, of the height that each operation finds. A pop takes what a push put at the same
// level, and in between the height never falls to that level again. So a push and a pop match only if their
// levels can agree, and if no operation that certainly lies between them certainly finds the stack too low.
// Where values repeat, that leaves the few pushes at the right level instead of all of the value.
//
// A pending push may count or not, likewise a pending pop and one of unknown result.
//
// Cost: O(n log n), and for each push the operations until the height falls below it, likewise backwards for each pop.

import (
	"slices"

	"github.com/linsat/linsat/history"
)

type heights struct {
	low, high []int32 // by kept operation: bounds of what it finds
	byReturn  []int32 // kept operations
	until     []int32 // by item: a pop called after this rank does not take it; filled in when asked for
	since     []int32 // by exit: a push that returned before this rank is not what it takes; likewise
}

// never and always are ranks beyond all events; unasked is none.
const (
	never   = history.Never
	always  = -never
	unasked = always - 1
)

// boundHeights bounds what the operations on all stacks find.
func (c *collection) boundHeights() *heights {
	o := c.b.order
	h := &heights{low: make([]int32, o.n), high: make([]int32, o.n),
		until: slices.Repeat([]int32{unasked}, len(c.items)), since: slices.Repeat([]int32{unasked}, len(c.exits))}
	// down and up say by how much an operation may change the height.
	change := func(i int32) (down, up int32) {
		if x := c.itemOf[i]; x >= 0 {
			if c.items[x].in == yes {
				return 1, 1
			}
			return 0, 1
		}
		if e := c.exitOf[i]; e >= 0 {
			switch t := &c.exits[e]; {
			case t.peek || t.empty == yes:
			case t.pending || t.value < 0:
				return -1, 0
			default:
				return -1, -1
			}
		}
		return 0, 0
	}
	byReturn := make([]int32, o.n)
	for i := range byReturn {
		byReturn[i] = int32(i)
	}
	slices.SortFunc(byReturn, func(x, y int32) int { return int(o.ret[x]) - int(o.ret[y]) })
	low, high := make([]int32, len(c.objects)), make([]int32, len(c.objects)) // after all that returned
	for k, initial := range c.theory.Initial {
		low[k], high[k] = int32(len(initial)), int32(len(initial))
	}
	o.index()
	next := 0
	for i := range o.n {
		for ; next < len(byReturn) && o.ret[byReturn[next]] < o.call[i]; next++ {
			x := byReturn[next]
			down, up := change(x)
			low[c.objectOf(x)] += down
			high[c.objectOf(x)] += up
		}
		k := c.objectOf(i)
		h.low[i], h.high[i] = low[k], high[k]
		open := func(x int32) {
			if c.objectOf(x) != k {
				return
			}
			down, up := change(x)
			switch o.before(x, i) {
			case yes:
				h.low[i] += down
				h.high[i] += up
			case no:
			default:
				h.low[i] += min(down, 0)
				h.high[i] += max(up, 0)
			}
		}
		for _, x := range o.open(i) {
			open(x)
		}
		for x := i + 1; x <= o.hi[i]; x++ {
			open(x)
		}
		switch e := c.exitOf[i]; {
		case e < 0 || c.exits[e].pending:
		case c.exits[e].empty == yes:
			h.high[i] = 0
		case c.exits[e].value >= 0:
			h.low[i] = max(h.low[i], 1)
		}
		h.low[i] = max(h.low[i], 0)
		if !c.b.alive(int64(o.hi[i] - i)) {
			break
		}
	}
	h.byReturn = byReturn
	return h
}

// level bounds the height under item i from below and above.
func (h *heights) level(c *collection, i int32) (low, high int32) {
	x := &c.items[i]
	if x.op >= 0 {
		return h.low[x.op], h.high[x.op]
	}
	l := int32(len(c.theory.Initial[x.object])) + x.call // calls are -1, -2, … from the top down
	return l, l
}

// meet says whether exit e can take or see item i.
func (h *heights) meet(c *collection, i, e int32) bool {
	x, d := &c.items[i], c.exits[e].op
	low, high := h.level(c, i)
	if low+1 > h.high[d] || h.low[d] > high+1 {
		return false
	}
	if h.until[i] == unasked {
		h.until[i] = h.fallsBelow(c, i)
	}
	if h.since[e] == unasked {
		h.since[e] = h.wasBelow(c, e)
	}
	return c.b.order.call[d] < h.until[i] && x.ret > h.since[e]
}

// fallsBelow is the return of the first operation after item i came that stands at its level or below.
func (h *heights) fallsBelow(c *collection, i int32) int32 {
	o, x := c.b.order, &c.items[i]
	level, _ := h.level(c, i)
	first, _ := slices.BinarySearchFunc(h.byReturn, x.ret, func(t, r int32) int { return int(o.ret[t]) - int(r) })
	for _, t := range h.byReturn[first:] {
		if o.ret[t] == never || !c.b.alive(1) {
			break
		}
		if o.call[t] > x.ret && c.objectOf(t) == x.object && h.high[t] <= level {
			return o.ret[t]
		}
	}
	return never
}

// wasBelow is the call of the last operation before exit e that stands lower.
func (h *heights) wasBelow(c *collection, e int32) int32 {
	o, d := c.b.order, c.exits[e].op
	for t := d - 1; t >= 0 && c.b.alive(1); t-- {
		if o.ret[t] < o.call[d] && c.objectOf(t) == c.exits[e].object && h.high[t] < h.low[d] {
			return o.call[t]
		}
	}
	return always
}

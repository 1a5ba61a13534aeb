package monitor

// Intervals of moments in a fixed binary tree, used in two ways.
//
// What: every interval [lo, hi) hangs at the one node in whose left half lo and in whose right half
// hi-1 lies (a leaf, if it is one moment). The intervals of a node all contain its middle, so in
// its left half those that contain g are those with lo ≤ g, in its right half those with hi > g:
// beginnings of two sorted lists.
//
// stabbed: which intervals contain a moment, each returned once. Those of a node are removed from
// the front of its lists.
//
// covered: from when on no interval contains a moment, while intervals are removed. Every moment
// waits at the first node, from the root down, that has an interval containing it. When the first
// interval of a list is removed, the moments between it and the new first one are examined and go
// down. They never go up, which bounds the cost.
//
// Source: Edelsbrunner's interval tree; the waiting is ours.
//
// Cost: O(m) to build for m sorted intervals over as many moments, O(log m) for each moment and, in
// all, O(1) for each interval; covered looks at O(m log m) moments in all, in order.

import words "math/bits"

// nodeID numbers the nodes of a tree.
type nodeID int32

// dyadic numbers the nodes of a binary tree over moments.
type dyadic struct {
	root  int      // level of the root; leaves have level 0
	first []nodeID // by level: its first node; last: how many nodes there are
}

func newDyadic(moments moment) dyadic {
	d := dyadic{root: words.Len32(uint32(max(moments, 1) - 1))}
	d.first = make([]nodeID, d.root+2)
	for level := range d.root + 1 {
		d.first[level+1] = d.first[level] + nodeID(moments>>level) + 1
	}
	return d
}

// home returns level and number of the node of [lo, hi).
func (d *dyadic) home(lo, hi moment) (level int, at nodeID) {
	level = words.Len32(uint32(lo ^ (hi - 1)))
	return level, d.first[level] + nodeID(lo>>level)
}

// left reports whether g is in the left half of its node of a level.
func left(level int, g moment) bool { return level == 0 || g>>(level-1)&1 == 0 }

// interval numbers intervals.
type interval int32

// keyed is an interval in a list: its lo or its hi.
type keyed struct {
	key  moment
	item interval
}

// hung are intervals at their nodes.
type hung struct {
	dyadic
	nodes      []node
	byLo, byHi []keyed // by node, then by lo ascending, by hi descending
}

// node says where the rest of a node's intervals is in byLo, in byHi, and where both end.
type node struct{ lo, hi, end int32 }

// hang makes the lists of items with intervals lo and hi, indexed by item.
func hang(items []interval, lo, hi []moment, moments moment) hung {
	h := hung{dyadic: newDyadic(moments)}
	h.nodes = make([]node, h.first[h.root+1])
	for _, i := range items {
		_, at := h.home(lo[i], hi[i])
		h.nodes[at].end++
	}
	sum := int32(0)
	for at := range h.nodes {
		n := &h.nodes[at]
		n.lo = sum
		sum += n.end
		n.end, n.hi = sum, sum
	}
	h.byLo, h.byHi = make([]keyed, len(items)), make([]keyed, len(items))
	for _, i := range byKey(items, lo, moments+1) {
		_, at := h.home(lo[i], hi[i])
		n := &h.nodes[at]
		h.byLo[n.lo] = keyed{lo[i], i}
		n.lo++
	}
	for _, i := range byKey(items, hi, moments+1) {
		_, at := h.home(lo[i], hi[i])
		n := &h.nodes[at]
		n.hi--
		h.byHi[n.hi] = keyed{hi[i], i}
	}
	for at := range h.nodes {
		h.nodes[at].lo = h.nodes[at].hi // both at the front again
	}
	return h
}

// stab appends the items whose intervals contain g to out, and takes them out of the list where
// they were found: an item may come twice.
func (h *hung) stab(g moment, out []interval) []interval {
	for level := h.root; level >= 0; level-- {
		n := &h.nodes[h.first[level]+nodeID(g>>level)]
		if left(level, g) {
			for ; n.lo < n.end && h.byLo[n.lo].key <= g; n.lo++ {
				out = append(out, h.byLo[n.lo].item)
			}
		} else {
			for ; n.hi < n.end && h.byHi[n.hi].key > g; n.hi++ {
				out = append(out, h.byHi[n.hi].item)
			}
		}
	}
	return out
}

// covered says which moments lie in no interval any more.
type covered struct {
	hung
	away  []bool   // by interval: taken away
	waits []uint8  // by moment: the level at which it waits
	free  []moment // moments that were found in no interval, for the caller to take
}

// isFree in place of a level.
const isFree uint8 = 255

func newCovered(items []interval, lo, hi []moment, moments moment) *covered {
	c := &covered{hung: hang(items, lo, hi, moments), away: make([]bool, len(lo)), waits: make([]uint8, moments),
		free: make([]moment, 0, moments)}
	for g := range moments {
		c.sink(g, c.root)
	}
	return c
}

// by returns an interval of g's node of a level that contains g, or -1.
func (c *covered) by(g moment, level int) interval {
	n := &c.nodes[c.first[level]+nodeID(g>>level)]
	if left(level, g) {
		if n.lo < n.end && c.byLo[n.lo].key <= g {
			return c.byLo[n.lo].item
		}
	} else if n.hi < n.end && c.byHi[n.hi].key > g {
		return c.byHi[n.hi].item
	}
	return -1
}

// sink lets g wait from a level downwards.
func (c *covered) sink(g moment, level int) {
	for ; level >= 0; level-- {
		if c.by(g, level) >= 0 {
			c.waits[g] = uint8(level)
			return
		}
	}
	c.waits[g] = isFree
	c.free = append(c.free, g)
}

// take takes the interval [lo, hi) of item away.
func (c *covered) take(item interval, lo, hi moment) {
	c.away[item] = true
	level, at := c.home(lo, hi)
	n := &c.nodes[at]
	middle := lo + 1
	if level > 0 {
		middle = lo>>level<<level + 1<<(level-1)
	}
	if c.byLo[n.lo].item == item {
		for ; n.lo < n.end && c.away[c.byLo[n.lo].item]; n.lo++ {
		}
		until := middle
		if n.lo < n.end {
			until = c.byLo[n.lo].key
		}
		for g := lo; g < until; g++ {
			if c.waits[g] == uint8(level) {
				c.sink(g, level-1)
			}
		}
	}
	if level > 0 && c.byHi[n.hi].item == item {
		for ; n.hi < n.end && c.away[c.byHi[n.hi].item]; n.hi++ {
		}
		since := middle
		if n.hi < n.end {
			since = c.byHi[n.hi].key
		}
		for g := since; g < hi; g++ {
			if c.waits[g] == uint8(level) {
				c.sink(g, level-1)
			}
		}
	}
}

package monitor

// Intervals of moments in a fixed binary tree, two ways.
//
// What: every interval [lo, hi) hangs at the one node in whose left half lo and in whose right half hi-1 lies (a leaf, if it is one
// moment). The intervals of a node all contain its middle, so in its left half those that contain g are those with lo ≤ g, in its right
// half those with hi > g: beginnings of two sorted lists.
//
// stabbed: which intervals contain a moment, each told once. Those of a node leave its lists at the front.
//
// covered: from when on no interval contains a moment, while intervals are taken away. Every moment waits at the first node, from the
// root down, that has an interval containing it. When the first interval of a list is taken away, the moments between it and the
// one that is first then are looked at, and go down. They never go up, so that is all it costs.
//
// Source: Edelsbrunner's interval tree; the waiting is ours.
//
// Cost: O(m) to build for m sorted intervals over as many moments, O(log m) for each moment and, in all, O(1) for each interval; covered
// looks at O(m log m) moments in all, in order.

import words "math/bits"

// dyadic numbers the nodes of a binary tree over moments.
type dyadic struct {
	root  int     // level of the root; leaves have level 0
	first []int32 // by level: number of its first node; last: of all nodes
}

func newDyadic(moments int32) dyadic {
	d := dyadic{root: words.Len32(uint32(max(moments, 1) - 1))}
	d.first = make([]int32, d.root+2)
	for level := range d.root + 1 {
		d.first[level+1] = d.first[level] + moments>>level + 1
	}
	return d
}

// home returns level and number of the node of [lo, hi).
func (d *dyadic) home(lo, hi int32) (level int, node int32) {
	level = words.Len32(uint32(lo ^ (hi - 1)))
	return level, d.first[level] + lo>>level
}

// left says whether g is in the left half of its node of a level.
func left(level int, g int32) bool { return level == 0 || g>>(level-1)&1 == 0 }

// keyed is an interval in a list: its lo or its hi.
type keyed struct{ key, item int32 }

// hung are intervals at their nodes.
type hung struct {
	dyadic
	from           []int32 // by node: where its part of both lists begins
	byLo, byHi     []keyed // by lo ascending, by hi descending
	headLo, headHi []int32 // by node: the first one that is still there
}

// hang makes the lists of items with intervals lo and hi, indexed by item.
func hang(items, lo, hi []int32, moments int32) hung {
	h := hung{dyadic: newDyadic(moments)}
	nodes := h.first[h.root+1]
	h.from = make([]int32, nodes+1)
	for _, i := range items {
		_, node := h.home(lo[i], hi[i])
		h.from[node+1]++
	}
	for node := int32(1); node <= nodes; node++ {
		h.from[node] += h.from[node-1]
	}
	h.headLo, h.headHi = make([]int32, nodes), make([]int32, nodes)
	h.byLo, h.byHi = make([]keyed, len(items)), make([]keyed, len(items))
	copy(h.headLo, h.from)
	for _, i := range byKey(items, lo, moments+1) {
		_, node := h.home(lo[i], hi[i])
		h.byLo[h.headLo[node]] = keyed{lo[i], i}
		h.headLo[node]++
	}
	copy(h.headHi, h.from[1:])
	for _, i := range byKey(items, hi, moments+1) {
		_, node := h.home(lo[i], hi[i])
		h.headHi[node]--
		h.byHi[h.headHi[node]] = keyed{hi[i], i}
	}
	copy(h.headLo, h.from) // headHi is back at the front by itself
	return h
}

// stab appends the items whose intervals contain g to out, and takes them out of the list where they were found: an
// item may come twice.
func (h *hung) stab(g int32, out []int32) []int32 {
	for level := h.root; level >= 0; level-- {
		node := h.first[level] + g>>level
		end := h.from[node+1]
		if h.from[node] == end {
			continue
		}
		if left(level, g) {
			k := h.headLo[node]
			for ; k < end && h.byLo[k].key <= g; k++ {
				out = append(out, h.byLo[k].item)
			}
			h.headLo[node] = k
		} else {
			k := h.headHi[node]
			for ; k < end && h.byHi[k].key > g; k++ {
				out = append(out, h.byHi[k].item)
			}
			h.headHi[node] = k
		}
	}
	return out
}

// covered says which moments lie in no interval any more.
type covered struct {
	hung
	away  []bool  // by item: taken away
	waits []uint8 // by moment: the level at which it waits
	free  []int32 // moments that were found in no interval, for the caller to take
}

// isFree in place of a level.
const isFree uint8 = 255

func newCovered(items, lo, hi []int32, moments int32) *covered {
	c := &covered{hung: hang(items, lo, hi, moments), away: make([]bool, len(lo)), waits: make([]uint8, moments), free: make([]int32, 0, moments)}
	for g := range moments {
		c.sink(g, c.root)
	}
	return c
}

// by returns an interval of g's node of a level that contains g, or -1.
func (c *covered) by(g int32, level int) int32 {
	node := c.first[level] + g>>level
	if left(level, g) {
		if k := c.headLo[node]; k < c.from[node+1] && c.byLo[k].key <= g {
			return c.byLo[k].item
		}
	} else if k := c.headHi[node]; k < c.from[node+1] && c.byHi[k].key > g {
		return c.byHi[k].item
	}
	return -1
}

// sink lets g wait from a level downwards.
func (c *covered) sink(g int32, level int) {
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
func (c *covered) take(item, lo, hi int32) {
	c.away[item] = true
	level, node := c.home(lo, hi)
	end := c.from[node+1]
	middle := lo + 1
	if level > 0 {
		middle = lo>>level<<level + 1<<(level-1)
	}
	if k := c.headLo[node]; c.byLo[k].item == item {
		for ; k < end && c.away[c.byLo[k].item]; k++ {
		}
		c.headLo[node] = k
		until := middle
		if k < end {
			until = c.byLo[k].key
		}
		for g := lo; g < until; g++ {
			if c.waits[g] == uint8(level) {
				c.sink(g, level-1)
			}
		}
	}
	if level == 0 {
		return
	}
	if k := c.headHi[node]; c.byHi[k].item == item {
		for ; k < end && c.away[c.byHi[k].item]; k++ {
		}
		c.headHi[node] = k
		since := middle
		if k < end {
			since = c.byHi[k].key
		}
		for g := since; g < hi; g++ {
			if c.waits[g] == uint8(level) {
				c.sink(g, level-1)
			}
		}
	}
}

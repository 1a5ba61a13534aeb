package monitor

import words "math/bits"

// minTree holds a number for each place 0..size-1, with addition to ranges and minima of ranges in
// O(log size). Inner node p, from 1 on, has the children 2p and 2p+1; its add is still to be
// applied to what is below it, but counted in its own least.
type minTree[Place ~int32] struct {
	size       nodeID // a power of two; the first leaf
	least, add []int32
}

// removed is more than every number that counts, and small enough to have numbers added to it.
const removed int32 = 1 << 30

func newMinTree[Place ~int32](values []int32) *minTree[Place] {
	size := nodeID(1) << words.Len32(uint32(max(len(values), 1)-1))
	t := &minTree[Place]{size: size, least: make([]int32, 2*size), add: make([]int32, size)}
	copy(t.least[size:], values)
	for p := size + nodeID(len(values)); p < 2*size; p++ {
		t.least[p] = removed
	}
	for p := size - 1; p > 0; p-- {
		t.least[p] = min(t.least[2*p], t.least[2*p+1])
	}
	return t
}

func (t *minTree[Place]) apply(p nodeID, x int32) {
	t.least[p] += x
	if p < t.size {
		t.add[p] += x
	}
}

// settle applies what is to be added on the way to p.
func (t *minTree[Place]) settle(p nodeID) {
	for level := words.Len32(uint32(t.size)) - 1; level > 0; level-- {
		q := p >> level
		if x := t.add[q]; x != 0 {
			t.apply(2*q, x)
			t.apply(2*q+1, x)
			t.add[q] = 0
		}
	}
}

// mend recomputes the minima above p.
func (t *minTree[Place]) mend(p nodeID) {
	for p >>= 1; p > 0; p >>= 1 {
		t.least[p] = min(t.least[2*p], t.least[2*p+1]) + t.add[p]
	}
}

// increase adds x to the numbers lo..hi-1, at least one.
func (t *minTree[Place]) increase(lo, hi Place, x int32) {
	l, r := nodeID(lo)+t.size, nodeID(hi)+t.size
	for ; l < r; l, r = l>>1, r>>1 {
		if l&1 == 1 {
			t.apply(l, x)
			l++
		}
		if r&1 == 1 {
			r--
			t.apply(r, x)
		}
	}
	t.mend(nodeID(lo) + t.size)
	t.mend(nodeID(hi) - 1 + t.size)
}

// min returns the least of the numbers lo..hi-1.
func (t *minTree[Place]) min(lo, hi Place) int32 {
	least := removed
	if lo >= hi {
		return least
	}
	t.settle(nodeID(lo) + t.size)
	t.settle(nodeID(hi) - 1 + t.size)
	for l, r := nodeID(lo)+t.size, nodeID(hi)+t.size; l < r; l, r = l>>1, r>>1 {
		if l&1 == 1 {
			least = min(least, t.least[l])
			l++
		}
		if r&1 == 1 {
			r--
			least = min(least, t.least[r])
		}
	}
	return least
}

// atMost finds a place whose number is at most x, or -1.
func (t *minTree[Place]) atMost(x int32) Place {
	if t.least[1] > x {
		return -1
	}
	p := nodeID(1)
	for p < t.size {
		x -= t.add[p]
		p *= 2
		if t.least[p] > x {
			p++
		}
	}
	return Place(p - t.size)
}

// firstAtMost finds the first place from lo on whose number is at most x, or -1.
func (t *minTree[Place]) firstAtMost(lo Place, x int32) Place {
	if nodeID(lo) >= t.size {
		return -1
	}
	p := nodeID(lo) + t.size
	t.settle(p)
	for {
		for p&1 == 0 {
			p >>= 1
		}
		if t.least[p] <= x {
			break
		}
		if p++; p&-p == p {
			return -1
		}
	}
	for p < t.size {
		x -= t.add[p]
		p *= 2
		if t.least[p] > x {
			p++
		}
	}
	return Place(p - t.size)
}

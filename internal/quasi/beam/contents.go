package beam

// What: what a stack or a priority queue holds, in values that are never changed, so that
// configurations share what they have in common.
//
// Source: leftist heaps (Crane, 1972), as in Okasaki's Purely Functional Data Structures.
//
// Cost: O(1) for a stack, O(log n) for a priority queue.

import (
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// contents is what is stored: stack or heap, nil if nothing is.
type contents struct {
	stack *cell
	heap  *heap
	size  int32
	hash  uint64 // of the items; of a stack, with their order
}

// cell is the item on top of a stack.
type cell struct {
	below   *cell
	value   int32
	last    int32 // the least of the last ranks of the removals of this item and those below
	penalty int64 // of these
	hash    uint64
}

// heap is a leftist heap.
type heap struct {
	left, right *heap
	rank        int64
	value       int32
	height      int32
}

// merge returns the items of two heaps.
func merge(a, b *heap) *heap {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	if b.rank < a.rank {
		a, b = b, a
	}
	c := &heap{left: a.left, right: merge(a.right, b), rank: a.rank, value: a.value}
	if c.left.tall() < c.right.tall() {
		c.left, c.right = c.right, c.left
	}
	c.height = c.right.tall() + 1
	return c
}

// tall is the length of the right spine.
func (h *heap) tall() int32 {
	if h == nil {
		return 0
	}
	return h.height
}

// below counts the items of less priority, up to most.
func (h *heap) below(rank int64, most int32) int32 {
	if h == nil || h.rank >= rank || most <= 0 {
		return 0
	}
	n := 1 + h.left.below(rank, most-1)
	return n + h.right.below(rank, most-n)
}

// add puts a value into a priority queue.
func (c *contents) add(v int32, rank int64) {
	c.heap = merge(c.heap, &heap{rank: rank, value: v, height: 1})
	c.hash += mix(v)
	c.size++
}

// push puts a value on a stack.
func (c *contents) push(v, last int32, penalty int64) {
	x := &cell{below: c.stack, value: v, last: last, penalty: penalty}
	if x.below != nil {
		x.last, x.penalty = min(x.last, x.below.last), x.penalty+x.below.penalty
	}
	x.hash = layout.Mix(c.hash, uint64(v)+1)
	c.stack, c.hash = x, x.hash
	c.size++
}

// next returns the value that leaves next, or empty.
func (c *contents) next() int32 {
	switch {
	case c.heap != nil:
		return c.heap.value
	case c.stack != nil:
		return c.stack.value
	}
	return empty
}

// remove takes out what leaves next.
func (c *contents) remove() {
	switch {
	case c.heap != nil:
		c.hash -= mix(c.heap.value)
		c.heap = merge(c.heap.left, c.heap.right)
		c.size--
	case c.stack != nil:
		c.stack, c.hash = c.stack.below, 0
		if c.stack != nil {
			c.hash = c.stack.hash
		}
		c.size--
	}
}

// ahead counts what leaves before a value that is there, up to most.
func (c *contents) ahead(t *model.CollectionTheory, v, most int32) (n int32) {
	if t.Discipline == model.ByPriority {
		return c.heap.below(t.Rank[v], most)
	}
	for x := c.stack; x != nil && x.value != v && n < most; x = x.below {
		n++
	}
	return n
}

// mix hashes a number.
func mix(x int32) uint64 { return layout.Mix(0x9e3779b97f4a7c15, uint64(uint32(x))) }

package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Queues, stacks and priority queues along one order.
//
// What: the verifier replays a witness of a million operations, and of all the states needs only
// the present one. So these run on one copy of the contents, without interning: a list, or for a
// priority queue a heap.
//
// Invariant: they go as far as the machines that intern (windows.go, stack.go, treaps.go) go, step
// by step, but stop at operations that theories do not have, and where a removal may leave several
// states.
//
// Cost: O(1) a step, O(log n) for priority queues.

// Run implements Runner.
func (m *windowMachine) Run(order []history.OpID) int {
	c := m.contents
	queue, head := append(make([]int32, 0, len(order)/2), c.initial...), 0
	for k, op := range order {
		front := model.Nothing
		if head < len(queue) {
			front = queue[head]
		}
		switch does := c.does[op]; {
		case does == model.Insert:
			queue = append(queue, c.value[op])
		case does > model.Peek || !c.allows(op, front):
			return k
		case does == model.Remove && front != model.Nothing:
			head++
		}
	}
	return len(order)
}

// Run implements Runner.
func (m *stackMachine) Run(order []history.OpID) int {
	c := m.contents
	stack := m.values(m.init)
	for k, op := range order {
		top := model.Nothing
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		switch does := c.does[op]; {
		case does == model.Insert:
			stack = append(stack, c.value[op])
		case does > model.Peek || !c.allows(op, top):
			return k
		case does == model.Remove && top != model.Nothing:
			stack = stack[:len(stack)-1]
		}
	}
	return len(order)
}

// Run implements Runner. A value that is removed while another one of its priority is on top stays
// in the heap until it is on top itself.
func (m *treapMachine) Run(order []history.OpID) int {
	c := m.contents
	h := valueHeap{rank: c.rank}
	inside, gone := make([]int32, len(c.rank)), make([]int32, len(c.rank)) // by value, how often
	insert := func(v int32) {
		inside[v]++
		if gone[v] > 0 {
			gone[v]--
			return
		}
		h.push(v)
	}
	for _, v := range c.initial {
		insert(v)
	}
	for k, op := range order {
		for len(h.values) > 0 && gone[h.values[0]] > 0 {
			gone[h.values[0]]--
			h.pop()
		}
		does, v := c.does[op], c.value[op]
		switch {
		case does == model.Insert:
			insert(v)
		case does > model.Peek:
			return k
		case len(h.values) == 0:
			if !c.allows(op, model.Nothing) {
				return k
			}
		case does == model.Peek && v == model.Anything:
		case v < 0 || inside[v] == 0 || c.rank[v] != c.rank[h.values[0]]:
			return k
		case does == model.Remove:
			inside[v]--
			gone[v]++
		}
	}
	return len(order)
}

// valueHeap holds values, one of the least rank on top.
type valueHeap struct {
	rank   []int64
	values []int32
}

func (h *valueHeap) push(v int32) {
	k := len(h.values)
	h.values = append(h.values, v)
	for k > 0 {
		up := (k - 1) / 2
		if h.rank[h.values[up]] <= h.rank[v] {
			break
		}
		h.values[k] = h.values[up]
		k = up
	}
	h.values[k] = v
}

func (h *valueHeap) pop() {
	n := len(h.values) - 1
	v := h.values[n]
	h.values = h.values[:n]
	k := 0
	for down := 1; down < n; down = 2*k + 1 {
		if down+1 < n && h.rank[h.values[down+1]] < h.rank[h.values[down]] {
			down++
		}
		if h.rank[v] <= h.rank[h.values[down]] {
			break
		}
		h.values[k] = h.values[down]
		k = down
	}
	if n > 0 {
		h.values[k] = v
	}
}

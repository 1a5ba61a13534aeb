package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The states of a priority queue. A step on n elements costs O(log n) time and memory instead of a
// copy of the contents.
//
// The contents are a treap [Seidel & Aragon, Randomized search trees, Algorithmica'96, §4]: a
// search tree by (priority, number) that is a heap by a weight which is a fixed function of the
// number. So equal contents have the same shape, however they were reached. Nodes are interned:
// equal subtrees are the same node, and a state is its root. Equal elements are one node with a
// count.
//
// Invariants: node 0 is the empty tree; children have smaller numbers than their parent; two nodes
// never have equal contents. Weights of different values differ, since the function is a bijection.
//
// Cost: O(log n) on average, if the weights of the values behave like random ones.

// treapMachine executes a priority queue.
type treapMachine struct {
	contents *contents
	nodes    []treapNode
	index    slots
	init     model.State
	kept     int // nodes that the last Forget kept
	old      []treapNode
}

type treapNode struct {
	left, right int32
	value       int32
	count       int32
}

func newTreapMachine(c *contents) model.Machine {
	m := &treapMachine{contents: c, nodes: []treapNode{{value: model.Nothing}}}
	root := int32(0)
	for _, v := range c.initial {
		root = m.insert(root, v)
	}
	m.init = model.State(root)
	return m
}

func (m *treapMachine) Init() model.State { return m.init }

func (m *treapMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	c, root := m.contents, int32(s)
	if c.does[op] == model.Insert {
		return append(dst, model.State(m.insert(root, c.value[op])))
	}
	switch c.does[op] {
	case counts:
		if m.size(root) == int(c.value[op]) {
			dst = append(dst, s)
		}
		return dst
	case empties:
		if c.drains(op, m.values(root, nil)) {
			dst = append(dst, 0)
		}
		return dst
	}
	first := m.first(s)
	v := c.value[op]
	switch {
	case first == model.Nothing && c.allows(op, model.Nothing):
		return append(dst, s)
	case first == model.Nothing || v == model.Nothing:
		return dst
	case v == model.Anything && c.does[op] == model.Peek:
		return append(dst, s)
	case v == model.Anything:
		return m.removals(root, root, c.rank[first], dst)
	case c.rank[v] != c.rank[first] || !m.has(s, v):
		return dst
	case c.does[op] == model.Peek:
		return append(dst, s)
	}
	return append(dst, model.State(m.remove(root, v)))
}

// removals appends root without each of the elements of node k that have the given rank, which is
// the least.
func (m *treapMachine) removals(root, k int32, rank int64, dst []model.State) []model.State {
	if k == 0 {
		return dst
	}
	n := m.nodes[k]
	dst = m.removals(root, n.left, rank, dst)
	if m.contents.rank[n.value] > rank {
		return dst
	}
	dst = append(dst, model.State(m.remove(root, n.value)))
	return m.removals(root, n.right, rank, dst)
}

// first returns the least element, or Nothing.
func (m *treapMachine) first(s model.State) int32 {
	n := &m.nodes[s]
	for n.left != 0 {
		n = &m.nodes[n.left]
	}
	return n.value
}

func (m *treapMachine) has(s model.State, v int32) bool {
	for k := int32(s); k != 0; {
		n := &m.nodes[k]
		switch c := m.contents.compare(v, n.value); {
		case c == 0:
			return true
		case c < 0:
			k = n.left
		default:
			k = n.right
		}
	}
	return false
}

func (m *treapMachine) intern(n treapNode) int32 {
	h := (weight(n.left)*windowBase+weight(n.right))*windowBase + weight(n.value) + uint64(n.count)<<32
	if k, ok := m.index.find(h, func(k int32) bool { return m.nodes[k] == n }); ok {
		return k
	}
	k := int32(len(m.nodes))
	m.nodes = append(m.nodes, n)
	m.index.add(h, k)
	return k
}

// insert returns the tree of node k with one v more.
func (m *treapMachine) insert(k, v int32) int32 {
	n := m.nodes[k]
	if k == 0 || weight(v) > weight(n.value) { // then v is not below it
		left, right := m.split(k, v)
		return m.intern(treapNode{left, right, v, 1})
	}
	switch c := m.contents.compare(v, n.value); {
	case c == 0:
		n.count++
	case c < 0:
		n.left = m.insert(n.left, v)
	default:
		n.right = m.insert(n.right, v)
	}
	return m.intern(n)
}

// split returns the elements of node k before v and those after it; v is not among them.
func (m *treapMachine) split(k, v int32) (before, after int32) {
	if k == 0 {
		return 0, 0
	}
	n := m.nodes[k]
	if m.contents.compare(v, n.value) < 0 {
		before, n.left = m.split(n.left, v)
		return before, m.intern(n)
	}
	n.right, after = m.split(n.right, v)
	return m.intern(n), after
}

// remove returns the tree of node k, which holds v, with one v less.
func (m *treapMachine) remove(k, v int32) int32 {
	n := m.nodes[k]
	switch c := m.contents.compare(v, n.value); {
	case c < 0:
		n.left = m.remove(n.left, v)
	case c > 0:
		n.right = m.remove(n.right, v)
	case n.count > 1:
		n.count--
	default:
		return m.join(n.left, n.right)
	}
	return m.intern(n)
}

// join returns the elements of two nodes, all those of a before those of b.
func (m *treapMachine) join(a, b int32) int32 {
	if a == 0 || b == 0 {
		return a + b
	}
	n := m.nodes[a]
	if o := m.nodes[b]; weight(n.value) < weight(o.value) {
		o.left = m.join(a, o.left)
		return m.intern(o)
	}
	n.right = m.join(n.right, b)
	return m.intern(n)
}

// Forget implements Forgetter.
func (m *treapMachine) Forget(s model.State) model.State {
	if len(m.nodes) < model.ForgetFrom+2*m.kept {
		return s
	}
	m.old, m.nodes = m.nodes, append(m.old[:0], treapNode{value: model.Nothing})
	m.index.clear()
	s = model.State(m.copied(int32(s)))
	m.kept = len(m.nodes)
	return s
}

// Collect implements Collector.
func (m *treapMachine) Collect(keep []model.State) {
	nodes := m.nodes
	number := make([]int32, len(nodes)) // of nodes that stay
	m.nodes, m.old, m.index = []treapNode{{value: model.Nothing}}, nil, slots{}
	var move func(k int32) int32
	move = func(k int32) int32 {
		if k > 0 && number[k] == 0 {
			n := nodes[k]
			n.left, n.right = move(n.left), move(n.right)
			number[k] = m.intern(n)
		}
		return number[k]
	}
	for i, s := range keep {
		keep[i] = model.State(move(int32(s)))
	}
}

// copied interns node k of the old ones anew.
func (m *treapMachine) copied(k int32) int32 {
	if k == 0 {
		return 0
	}
	n := m.old[k]
	n.left, n.right = m.copied(n.left), m.copied(n.right)
	return m.intern(n)
}

func (m *treapMachine) Describe(s model.State) string {
	return m.contents.list(m.values(int32(s), nil))
}

// values appends the elements of node k, the least first.
func (m *treapMachine) values(k int32, dst []int32) []int32 {
	if k == 0 {
		return dst
	}
	n := m.nodes[k]
	dst = m.values(n.left, dst)
	for range n.count {
		dst = append(dst, n.value)
	}
	return m.values(n.right, dst)
}

// size counts the elements of node k.
func (m *treapMachine) size(k int32) int {
	if k == 0 {
		return 0
	}
	n := m.nodes[k]
	return m.size(n.left) + int(n.count) + m.size(n.right)
}

func (m *treapMachine) Bytes() int64 { return 16*int64(cap(m.nodes)+cap(m.old)) + m.index.bytes() }

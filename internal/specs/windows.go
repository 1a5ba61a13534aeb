package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// The states of a FIFO queue. A step on a queue of n elements costs O(log n) time and a few words
// of memory instead of a copy of its contents.
//
// All sequences of insertions form a tree: a node is a value after the sequence of its parent. The
// contents of a queue are the last n values on the path to some node, so a state is (node, n). An
// insertion goes to a child; a removal keeps the node and subtracts one from n. The front is the
// ancestor n-1 steps above, found with one jump pointer a node [Myers, An applicative random-access
// stack, IPL'83].
//
// The same contents can lie on different paths. States are therefore found by a polynomial hash of
// their contents that a step updates in O(1). Equal hashes are confirmed by walking up both paths
// until they meet or n values are compared, so a collision costs time, never a wrong answer.
// Contents keep the node at which they were found first.
//
// Invariants: node 0 is the empty sequence; a node's parent and jump have smaller numbers; two
// states never have equal contents.

// windowMachine executes a queue.
type windowMachine struct {
	contents *contents
	nodes    []windowNode
	children slots
	states   []window
	index    slots
	power    []uint64 // of windowBase
	init     model.State
	kept     int // nodes that the last Forget kept
}

type windowNode struct {
	parent, jump int32
	depth        int32
	value        int32
}

type window struct {
	node, length int32
	hash         uint64
}

const windowBase = 0x9e3779b97f4a7c15 // odd: no power of it is 0

func newWindowMachine(c *contents) *windowMachine {
	m := &windowMachine{contents: c, nodes: []windowNode{{value: model.Nothing}}, power: []uint64{1}}
	m.init = m.intern(window{})
	for _, v := range c.initial {
		m.init = m.insert(m.init, v)
	}
	return m
}

func (m *windowMachine) Init() model.State { return m.init }

func (m *windowMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	c := m.contents
	if c.does[op] == model.Insert {
		return append(dst, m.insert(s, c.value[op]))
	}
	switch c.does[op] {
	case counts:
		if m.states[s].length == c.value[op] {
			dst = append(dst, s)
		}
		return dst
	case empties:
		if c.value[op] == model.Anything || len(c.lists[c.value[op]]) == int(m.states[s].length) &&
			c.drains(op, m.values(s)) {
			dst = append(dst, m.intern(window{}))
		}
		return dst
	}
	front := m.front(s)
	switch {
	case !c.allows(op, front):
		return dst
	case c.does[op] == model.Peek || front == model.Nothing:
		return append(dst, s)
	}
	w := m.states[s]
	w.length--
	w.hash -= weight(front) * m.power[w.length]
	return append(dst, m.intern(w))
}

// front returns the value at the front, or Nothing.
func (m *windowMachine) front(s model.State) int32 {
	w := m.states[s]
	if w.length == 0 {
		return model.Nothing
	}
	at := w.node
	for depth := m.nodes[at].depth - w.length + 1; m.nodes[at].depth > depth; {
		if n := &m.nodes[at]; m.nodes[n.jump].depth >= depth {
			at = n.jump
		} else {
			at = n.parent
		}
	}
	return m.nodes[at].value
}

func (m *windowMachine) insert(s model.State, v int32) model.State {
	w := m.states[s]
	w.hash = w.hash*windowBase + weight(v)
	w.length++
	if int(w.length) == len(m.power) {
		m.power = append(m.power, m.power[w.length-1]*windowBase)
	}
	w.node = m.child(w.node, v)
	return m.intern(w)
}

// child returns the node of v after parent.
func (m *windowMachine) child(parent, v int32) int32 {
	h := weight(parent)*windowBase + weight(v)
	if k, ok := m.children.find(h, func(k int32) bool {
		return m.nodes[k].parent == parent && m.nodes[k].value == v
	}); ok {
		return k
	}
	p := m.nodes[parent]
	n := windowNode{parent: parent, jump: parent, depth: p.depth + 1, value: v}
	if j := m.nodes[p.jump]; p.depth-j.depth == j.depth-m.nodes[j.jump].depth {
		n.jump = j.jump
	}
	k := int32(len(m.nodes))
	m.nodes = append(m.nodes, n)
	m.children.add(h, k)
	return k
}

func (m *windowMachine) intern(w window) model.State {
	if k, ok := m.index.find(w.hash, func(k int32) bool { return m.equal(m.states[k], w) }); ok {
		return model.State(k)
	}
	k := int32(len(m.states))
	m.states = append(m.states, w)
	m.index.add(w.hash, k)
	return model.State(k)
}

// Forget implements Forgetter.
func (m *windowMachine) Forget(s model.State) model.State {
	if max(len(m.nodes), len(m.states)) < model.ForgetFrom+2*m.kept {
		return s
	}
	values := m.values(s)
	m.nodes, m.states = m.nodes[:1], m.states[:0]
	m.children.clear()
	m.index.clear()
	s = m.intern(window{})
	for _, v := range values {
		s = m.insert(s, v)
	}
	m.kept = len(m.nodes)
	return s
}

// Collect implements Collector. A node keeps those before it, so that what states share stays
// shared.
func (m *windowMachine) Collect(keep []model.State) {
	nodes, states := m.nodes, m.states
	number := make([]int32, len(nodes)) // of nodes that stay: first 1, then their new number
	number[0] = 1
	for _, s := range keep {
		for k := states[s].node; number[k] == 0; k = nodes[k].parent {
			number[k] = 1
		}
	}
	number[0] = 0
	m.nodes, m.states, m.children, m.index = []windowNode{nodes[0]}, nil, slots{}, slots{}
	for k, n := range nodes {
		if number[k] == 0 {
			continue
		}
		n.parent, n.jump = number[n.parent], number[n.jump]
		number[k] = int32(len(m.nodes))
		m.nodes = append(m.nodes, n)
		m.children.add(weight(n.parent)*windowBase+weight(n.value), number[k])
	}
	for i, s := range keep {
		w := states[s]
		w.node = number[w.node]
		keep[i] = m.intern(w)
	}
}

func (m *windowMachine) equal(a, b window) bool {
	if a.length != b.length || a.hash != b.hash {
		return false
	}
	for n := a.length; n > 0 && a.node != b.node; n-- {
		x, y := &m.nodes[a.node], &m.nodes[b.node]
		if x.value != y.value {
			return false
		}
		a.node, b.node = x.parent, y.parent
	}
	return true
}

func (m *windowMachine) Describe(s model.State) string { return m.contents.list(m.values(s)) }

// values returns the contents, front first.
func (m *windowMachine) values(s model.State) []int32 {
	w := m.states[s]
	values := make([]int32, 0, w.length)
	for ; w.length > 0; w.length-- {
		values = append(values, m.nodes[w.node].value)
		w.node = m.nodes[w.node].parent
	}
	slices.Reverse(values)
	return values
}

func (m *windowMachine) Bytes() int64 {
	return 16*int64(cap(m.nodes)+cap(m.states)) + m.children.bytes() + m.index.bytes() + 8*int64(cap(m.power))
}

// weight spreads a number over 64 bits.
func weight(v int32) uint64 {
	h := uint64(uint32(v)) + 1
	h *= 0xff51afd7ed558ccd
	h ^= h >> 32
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// slots is a hash table of entries that are numbered from 0 and stored elsewhere: open addressing,
// at most half full.
type slots struct {
	number []int32 // plus one; 0 where free
	hash   []uint32
	used   int
}

func fingerprint(h uint64) uint32 { return uint32((h ^ h>>31) * 0xd6e8feb86659fd93 >> 32) }

// find returns the entry with that hash for which wanted is true.
func (t *slots) find(h uint64, wanted func(k int32) bool) (k int32, ok bool) {
	if t.number == nil {
		return 0, false
	}
	f := fingerprint(h)
	mask := uint32(len(t.number) - 1)
	for i := f & mask; t.number[i] != 0; i = (i + 1) & mask {
		if t.hash[i] == f && wanted(t.number[i]-1) {
			return t.number[i] - 1, true
		}
	}
	return 0, false
}

// add adds entry k, which find did not find.
func (t *slots) add(h uint64, k int32) {
	if 2*(t.used+1) > len(t.number) {
		old := *t
		size := max(64, 2*len(old.number))
		t.number, t.hash = make([]int32, size), make([]uint32, size)
		for i, n := range old.number {
			if n != 0 {
				t.place(old.hash[i], n)
			}
		}
	}
	t.used++
	t.place(fingerprint(h), k+1)
}

func (t *slots) place(f uint32, number int32) {
	mask := uint32(len(t.number) - 1)
	i := f & mask
	for t.number[i] != 0 {
		i = (i + 1) & mask
	}
	t.number[i], t.hash[i] = number, f
}

func (t *slots) clear() {
	clear(t.number)
	t.used = 0
}

func (t *slots) bytes() int64 { return 8 * int64(cap(t.number)) }

package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Stack returns the specification of a LIFO stack: push v, pop, peek, size and drain. A result of
// null says that the stack was empty. Its initial state is a list, bottom first and top last, as if
// pushed in that order; empty by default.
func Stack() model.Spec { return stack }

var stack = newTable(table{
	info: model.Info{
		Name:    "stack",
		Summary: "last-in first-out stack",
		Initial: "a list of values, bottom first and top last (default: empty)",
		Classes: []model.Class{
			{Name: "insertions", Operations: []string{"push"}},
			{Name: "removals", Operations: []string{"pop"}, Relaxable: true},
			{Name: "peeks", Operations: []string{"peek"}},
		},
		Drain:   "pop",
		Example: `{"spec": "stack", "operations": [{"process": 0, "f": "push", "arg": 1, "call": 0, "return": 3}, {"process": 1, "f": "push", "arg": 2, "call": 1, "return": 2}, {"process": 1, "f": "pop", "call": 4, "return": 6, "result": 2}, {"process": 0, "f": "pop", "call": 5, "return": 7, "result": 1}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "push", Aliases: []string{"add", "put", "insert", "offer", "addfirst",
			"offerfirst", "pushfront"}, Arg: "a value other than null"}, does: model.Insert},
		{Operation: model.Operation{Name: "pop", Aliases: []string{"remove", "poll", "take", "get", "removefirst",
			"pollfirst", "popfront", "trypop"}, Result: "the value taken, or null if the stack was empty"},
			arg: noArgument, observes: true, does: model.Remove},
		{Operation: model.Operation{Name: "peek", Aliases: []string{"top", "head", "first", "element", "peekfirst",
			"getfirst", "peekfront"}, Result: "the value at the top, or null if the stack was empty"}, arg: noArgument,
			observes: true, does: model.Peek},
		{Operation: sizeOperation, arg: noArgument, observes: true, does: counts},
		{Operation: drainOperation, arg: noArgument, observes: true, does: empties},
	},
	bind:       bindCollection,
	prepare:    prepareCollection,
	discipline: &lifo,
	order:      &stackOrder,
})

var lifo = discipline{order: model.LIFO, element: anyElement, machine: newStackMachine, refusal: refuseStack,
	leaving: func(c *contents) { slices.Reverse(c.initial) }}

// newStackMachine runs a stack. Its states form a tree: a stack is its top value on the stack below
// it, so that equal contents are the same node and a step costs the same at any depth.
func newStackMachine(c *contents) model.Machine {
	m := &stackMachine{contents: c, nodes: []stackNode{{below: -1, top: model.Nothing}}}
	for i := len(c.initial) - 1; i >= 0; i-- {
		m.init = m.push(m.init, c.initial[i])
	}
	return m
}

// stackMachine: state 0 is the empty stack.
type stackMachine struct {
	contents *contents
	nodes    []stackNode
	index    slots
	init     model.State
	kept     int // nodes that the last Forget kept
}

type stackNode struct {
	below model.State // the stack without its top
	top   int32       // Nothing for the empty stack
}

func (m *stackMachine) push(s model.State, v int32) model.State {
	h := weight(int32(s))*windowBase + weight(v)
	if k, ok := m.index.find(h, func(k int32) bool { return m.nodes[k] == stackNode{s, v} }); ok {
		return model.State(k)
	}
	k := int32(len(m.nodes))
	m.nodes = append(m.nodes, stackNode{s, v})
	m.index.add(h, k)
	return model.State(k)
}

// Forget implements Forgetter.
func (m *stackMachine) Forget(s model.State) model.State {
	if len(m.nodes) < model.ForgetFrom+2*m.kept {
		return s
	}
	values := m.values(s)
	m.nodes = m.nodes[:1]
	m.index.clear()
	s = 0
	for _, v := range values {
		s = m.push(s, v)
	}
	m.kept = len(m.nodes)
	return s
}

// Collect implements Collector. A stack keeps those below it.
func (m *stackMachine) Collect(keep []model.State) {
	nodes := m.nodes
	number := make([]model.State, len(nodes)) // of nodes that stay: first 1, then their new number
	number[0] = 1
	for _, s := range keep {
		for ; number[s] == 0; s = nodes[s].below {
			number[s] = 1
		}
	}
	number[0] = 0
	m.nodes, m.index = []stackNode{nodes[0]}, slots{}
	for k, n := range nodes {
		if number[k] > 0 {
			number[k] = m.push(number[n.below], n.top)
		}
	}
	for i, s := range keep {
		keep[i] = number[s]
	}
}

// values returns the contents, top last.
func (m *stackMachine) values(s model.State) []int32 {
	values := m.leaving(s)
	slices.Reverse(values)
	return values
}

// leaving returns the contents, top first.
func (m *stackMachine) leaving(s model.State) []int32 {
	var values []int32
	for ; m.nodes[s].top != model.Nothing; s = m.nodes[s].below {
		values = append(values, m.nodes[s].top)
	}
	return values
}

func (m *stackMachine) Init() model.State { return m.init }

func (m *stackMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	c, n := m.contents, m.nodes[s]
	switch {
	case c.does[op] == model.Insert:
		return append(dst, m.push(s, c.value[op]))
	case c.does[op] == counts:
		if len(m.values(s)) == int(c.value[op]) {
			dst = append(dst, s)
		}
		return dst
	case c.does[op] == empties:
		if c.drains(op, m.leaving(s)) {
			dst = append(dst, 0)
		}
		return dst
	case !c.allows(op, n.top):
		return dst
	case c.does[op] == model.Peek || n.top == model.Nothing:
		return append(dst, s)
	}
	return append(dst, n.below)
}

func (m *stackMachine) Describe(s model.State) string {
	if m.nodes[s].top == model.Nothing {
		return m.contents.list(nil)
	}
	return m.contents.list(m.values(s)) + " (top last)"
}

func (m *stackMachine) Bytes() int64 { return int64(cap(m.nodes))*8 + m.index.bytes() }

func refuseStack(c *contents, m model.Machine, s model.State, op history.OpID) string {
	if c.does[op] > model.Peek {
		return c.refuseAll(op, m.(*stackMachine).leaving(s), "stack")
	}
	return c.refuse(op, m.(*stackMachine).nodes[s].top, "stack", "top")
}

package specs

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// PriorityQueue returns the specification of a priority queue: insert p or [p, v], deletemin, min,
// size and drain. A result of null says that the queue was empty. An element is its priority p or a
// pair [p, v] of priority and value; of elements of equal priority any may leave first. Its initial
// state is a list of elements in any order; empty by default.
func PriorityQueue() model.Spec { return priorityQueue }

var priorityQueue = newTable(table{
	info: model.Info{
		Name:    "priority-queue",
		Summary: "priority queue, least priority first, elements of equal priority in any order",
		Initial: "a list of elements p or [p, v] in any order, p an integer (default: empty)",
		Classes: []model.Class{
			{Name: "insertions", Operations: []string{"insert"}},
			{Name: "removals", Operations: []string{"deletemin"}, Relaxable: true},
			{Name: "peeks", Operations: []string{"min"}},
		},
		Drain:   "deletemin",
		Example: `{"spec": "priority-queue", "operations": [{"process": 0, "f": "insert", "arg": 2, "call": 0, "return": 4}, {"process": 1, "f": "insert", "arg": [1, "x"], "call": 1, "return": 2}, {"process": 1, "f": "deletemin", "call": 3, "return": 6, "result": [1, "x"]}, {"process": 0, "f": "deletemin", "call": 5, "return": 7, "result": 2}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "insert", Aliases: []string{"add", "offer", "put", "push", "enq", "enqueue"},
			Arg: "an element: an integer priority p, or [p, v]"}, does: model.Insert},
		{Operation: model.Operation{Name: "deletemin", Aliases: []string{"poll", "pop", "remove", "take", "deq",
			"dequeue", "delete", "extractmin", "removemin", "delmin", "popmin", "pollmin"},
			Result: "the element taken, as it was inserted, or null if there was none"}, arg: noArgument,
			observes: true, does: model.Remove},
		{Operation: model.Operation{Name: "min", Aliases: []string{"peek", "top", "front", "first", "head", "element",
			"findmin", "getmin", "peekmin"}, Result: "an element of least priority, or null if there was none"},
			arg: noArgument, observes: true, does: model.Peek},
		{Operation: sizeOperation, arg: noArgument, observes: true, does: counts},
		{Operation: drainOperation, arg: noArgument, observes: true, does: empties},
	},
	bind:       bindCollection,
	prepare:    prepareCollection,
	discipline: &byPriority,
	order:      &priorityOrder,
})

var byPriority = discipline{order: model.ByPriority, element: element{"an integer priority or [priority, value]",
	prioritized},
	leaving: func(c *contents) { slices.SortFunc(c.initial, c.compare) },
	machine: newTreapMachine, refusal: refusePriority}

// orderLists makes the lists that drains returned comparable with contents, since equal priorities
// may be in any order. A list in which a priority comes after a greater one is never allowed.
func (c *contents) orderLists() {
	for k, list := range c.lists {
		if slices.IsSortedFunc(list, func(a, b int32) int { return cmp.Compare(c.rank[a], c.rank[b]) }) {
			slices.SortFunc(list, c.compare)
		} else {
			c.lists[k] = []int32{model.Nothing}
		}
	}
}

// prioritized accepts p and [p, v] where p is an integer.
func prioritized(t *history.Values, v history.Value) (int64, bool) {
	if pair, ok := t.AsList(v); ok && len(pair) == 2 {
		v = pair[0]
	}
	return t.AsInt(v)
}

// compare orders elements by priority, equal priorities by number.
func (c *contents) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(c.rank[a], c.rank[b]), cmp.Compare(a, b))
}

func refusePriority(c *contents, m model.Machine, s model.State, op history.OpID) string {
	q, v := m.(*treapMachine), c.value[op]
	if c.does[op] > model.Peek {
		return c.refuseAll(op, q.values(int32(s), nil), "priority queue")
	}
	first := q.first(s)
	if first == model.Nothing || v < 0 || c.does[op] == model.Insert {
		return c.refuse(op, first, "priority queue", "next element")
	}
	switch found := q.has(s, v); {
	case found && c.rank[v] == c.rank[first]:
		return ""
	case found:
		return c.format(first) + " goes before " + c.format(v)
	}
	return c.format(v) + " is not in the priority queue"
}

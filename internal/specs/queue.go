package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Queue returns the specification of a FIFO queue: enq v, deq, peek, size and drain. A result of
// null says that the queue was empty. Its initial state is a list, front first; empty by default.
func Queue() model.Spec { return queue }

// enqNames and deqNames are the names of an insertion and a removal in queues, with or without
// order.
var (
	enqNames = []string{"enqueue", "add", "offer", "put", "push", "insert", "send"}
	deqNames = []string{"dequeue", "remove", "poll", "take", "pop", "get", "receive", "recv"}
)

// also returns names followed by more.
func also(names []string, more ...string) []string { return append(slices.Clip(names), more...) }

var queue = newTable(table{
	info: model.Info{
		Name:    "queue",
		Summary: "first-in first-out queue",
		Initial: "a list of values, front first (default: empty)",
		Classes: []model.Class{
			{Name: "insertions", Operations: []string{"enq"}},
			{Name: "removals", Operations: []string{"deq"}, Relaxable: true},
			{Name: "peeks", Operations: []string{"peek"}},
		},
		Drain:   "deq",
		Example: `{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 3}, {"process": 1, "f": "enq", "arg": 2, "call": 1, "return": 2}, {"process": 1, "f": "deq", "call": 4, "return": 6, "result": 1}, {"process": 0, "f": "deq", "call": 5, "return": 7, "result": 2}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "enq", Aliases: also(enqNames, "pushback", "addlast", "offerlast"),
			Arg: "a value other than null"}, does: model.Insert},
		{Operation: model.Operation{Name: "deq", Aliases: also(deqNames, "popfront", "removefirst", "pollfirst",
			"trydeq", "trydequeue"), Result: "the value taken, or null if the queue was empty"}, arg: noArgument,
			observes: true, does: model.Remove},
		{Operation: model.Operation{Name: "peek", Aliases: []string{"front", "first", "head", "element", "peekfirst",
			"getfirst", "peekfront"}, Result: "the value at the front, or null if the queue was empty"},
			arg: noArgument, observes: true, does: model.Peek},
		{Operation: sizeOperation, arg: noArgument, observes: true, does: counts},
		{Operation: drainOperation, arg: noArgument, observes: true, does: empties},
	},
	bind:       bindCollection,
	prepare:    prepareCollection,
	discipline: &fifo,
	order:      &queueOrder,
})

var fifo = discipline{order: model.FIFO, element: anyElement,
	machine: func(c *contents) model.Machine { return newWindowMachine(c) },
	refusal: func(c *contents, m model.Machine, s model.State, op history.OpID) string {
		if q := m.(*windowMachine); c.does[op] > model.Peek {
			return c.refuseAll(op, q.values(s), "queue")
		}
		return c.refuse(op, m.(*windowMachine).front(s), "queue", "front")
	}}

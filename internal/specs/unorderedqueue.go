package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// UnorderedQueue returns the specification of a queue without order, also called a bag or a
// multiset (Knossos' unordered-queue): enq v, deq, peek, size and drain. deq takes any value that
// is there; a result of null says that the queue was empty. Its initial state is a list of values;
// empty by default.
//
// In the theory of collections it is a priority queue whose values all have the same priority.
func UnorderedQueue() model.Spec { return unorderedQueue }

var unorderedQueue = newTable(table{
	info: model.Info{
		Name:    "unordered-queue",
		Summary: "queue whose values leave in any order (a bag, or multiset)",
		Initial: "a list of values in any order (default: empty)",
		Classes: []model.Class{
			{Name: "insertions", Operations: []string{"enq"}},
			{Name: "removals", Operations: []string{"deq"}, Relaxable: true},
			{Name: "peeks", Operations: []string{"peek"}},
		},
		Drain: "deq",
		Example: `{"spec": "unordered-queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "enq", "arg": 2, "call": 2, "return": 3}, ` +
			`{"process": 1, "f": "deq", "call": 4, "return": 6, "result": 2}, {"process": 0, "f": "deq", "call": 5, "return": 7, "result": 1}, {"process": 0, "f": "deq", "call": 8, "return": 9, "result": null}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "enq", Aliases: also(enqNames, "publish"), Arg: "a value other than null"},
			does: model.Insert},
		{Operation: model.Operation{Name: "deq", Aliases: also(deqNames, "consume", "trydeq", "trydequeue", "trytake"),
			Result: "the value taken, any that was there, or null if the queue was empty"}, arg: noArgument,
			observes: true, does: model.Remove},
		{Operation: model.Operation{Name: "peek", Aliases: []string{"element", "trypeek"},
			Result: "any value that is there, or null if the queue was empty"}, arg: noArgument, observes: true,
			does: model.Peek},
		{Operation: sizeOperation, arg: noArgument, observes: true, does: counts},
		{Operation: drainOperation, arg: noArgument, observes: true, does: empties},
	},
	bind:       bindCollection,
	prepare:    prepareCollection,
	discipline: &unordered,
})

var unordered = discipline{order: model.ByPriority, element: element{"a value", equalPriority},
	leaving: func(c *contents) { slices.Sort(c.initial) },
	machine: newTreapMachine,
	refusal: func(c *contents, m model.Machine, s model.State, op history.OpID) string {
		q, v := m.(*treapMachine), c.value[op]
		if c.does[op] > model.Peek {
			return c.refuseAll(op, q.values(int32(s), nil), "queue")
		}
		first := q.first(s)
		if v >= 0 && c.does[op] != model.Insert && first != model.Nothing {
			if q.has(s, v) {
				return ""
			}
			return c.format(v) + " is not in the queue"
		}
		if first != model.Nothing && v == model.Nothing {
			return "the queue is not empty: it holds " + shorten(c.list(q.values(int32(s), nil)))
		}
		return c.refuse(op, first, "queue", "value")
	}}

// equalPriority accepts everything except null and gives it priority 0.
func equalPriority(_ *history.Values, v history.Value) (int64, bool) { return 0, v != history.Nil }

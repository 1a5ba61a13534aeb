package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/papers/catalogue"
)

const (
	source = "Zhang, Chattopadhyay, Wang: Round-Up, "
	tables = source + "Tables I to III"
	scal   = source + "Tables IV and V (Scal)"
)

// factor is the quasi factor of the tables.
const factor = "2"

// slotsPerSegment is how many values a removal may choose from: the factor is one less.
const slotsPerSegment = 3

var (
	queueMethods = roundup.Methods{Insert: "enq", Remove: "deq"}
	stackMethods = roundup.Methods{Insert: "push", Remove: "pop"}
	pqMethods    = roundup.Methods{Insert: "insert", Remove: "deletemin"}
)

// object is an object with its tests.
type object struct {
	name, about, source string
	fault               string // its fault, "" if it has none
	methods             roundup.Methods
	new                 func(*mem.Memory) explore.Instance
	tests               []test
}

// test is a test by its pattern, i for an insertion and r for a removal, and the verdicts that are
// expected.
type test struct {
	before, one, two, after string
	linearizable, quasi     bool
	note                    string
}

// removals is the test of dimension 2*2+4 in which all insertions come first.
func removals(linearizable, quasi bool) test {
	return test{before: "iiii", one: "rr", two: "rr", linearizable: linearizable, quasi: quasi}
}

// scalTests are the tests of dimension 1*1+10 of Table V: an insertion beside a removal, two
// insertions, two removals.
func scalTests(linearizable, quasi bool) []test {
	return []test{
		{before: "iiiii", one: "i", two: "r", after: "rrrrr", linearizable: linearizable, quasi: quasi},
		{before: "iiii", one: "i", two: "i", after: "rrrrrr", linearizable: linearizable, quasi: quasi},
		{before: "iiiiii", one: "r", two: "r", after: "rrrr", linearizable: linearizable, quasi: quasi},
	}
}

func objects() []object {
	const k = slotsPerSegment
	relaxedOnly := test{quasi: true}
	sizes := func(t test) []test {
		list := []test{
			{before: "iiii", one: "rr", two: "rr"},
			{before: "ii", one: "iri", two: "rir", after: "rr"},
			{before: "ii", one: "ir", two: "rir", after: "r"},
			{before: "i", one: "iri", two: "rir", after: "r"},
			{before: "i", one: "rir", two: "irir"},
			{one: "irir", two: "irir"},
		}
		for i := range list {
			list[i].linearizable, list[i].quasi = t.linearizable, t.quasi
		}
		return list
	}
	single := scalTests(false, false)
	single[0].linearizable, single[0].quasi = true, true
	single[0].note = "an insertion and a removal do not meet as long as the queue is not empty"
	reused := append([]test{{
		before: "iririiir", one: "i", two: "r", after: "rr", quasi: true,
		note: "the first removal leaves an empty segment on the top, which the removal beside the insertion takes away",
	}}, scalTests(false, true)...)

	return []object{
		{"iqueue", "queue in an array whose slots are handed out before they are filled", tables,
			"a removal says empty if the slot at the head is not filled yet, although later ones are",
			queueMethods, IQueue,
			[]test{{one: "ir", two: "ir"}}},
		{"herlihywing", "queue of Herlihy and Wing; a removal waits for a value", tables, "", queueMethods, HerlihyWing,
			[]test{{one: "ir", two: "ir", linearizable: true, quasi: true}}},
		{"quasiqueue", "relaxed queue of segments", tables, "", queueMethods, QuasiQueue(k), sizes(relaxedOnly)},
		{"quasiqueue-b1", "relaxed queue of segments, faulty", tables,
			"a removal chooses in a window twice as wide", queueMethods, QuasiQueueB1(k),
			[]test{removals(false, false)}},
		{"quasiqueue-b2", "relaxed queue of segments, faulty", tables,
			"a removal may take a value that was removed before", queueMethods, QuasiQueueB2(k),
			[]test{removals(false, false)}},
		{"quasiqueue-b3", "relaxed queue of segments, faulty", tables,
			"a removal that chooses a slot without value says empty", queueMethods, QuasiQueueB3(k),
			[]test{removals(false, false)}},
		{"quasistack-b1", "stack of segments, faulty", tables,
			"a pop that finds the top segment empty says that the stack is", stackMethods, QuasiStackB1(k),
			[]test{removals(false, false)}},
		{"quasistack-b2", "stack of segments, faulty", tables,
			"a pop takes one of too many values", stackMethods, QuasiStackB2(k), []test{removals(false, false)}},
		{"quasistack", "stack of segments", tables, "", stackMethods, QuasiStack(k), []test{removals(true, true)}},
		{"quasipq", "relaxed priority queue with a window", tables, "", pqMethods, QuasiPriorityQueue(k), []test{
			removals(false, true),
			{before: "i", one: "ii", two: "ir", after: "rrr",
				note: "a smaller value that is inserted while the window is open puts off what was removed too " +
					"early: no factor holds for a relaxed priority queue"},
		}},
		{"quasipq-b2", "relaxed priority queue with a window, faulty", tables,
			"the window is one value too wide", pqMethods, QuasiPriorityQueueB2(k), []test{removals(false, false)}},

		{"sl-queue", "linked list for one thread", scal, "plain variables and no lock", queueMethods, SLQueue, single},
		{"t-stack", "stack of Treiber", scal, "", stackMethods, TreiberStack, scalTests(true, true)},
		{"ms-queue", "queue of Michael and Scott", scal, "", queueMethods, MSQueue, scalTests(true, true)},
		{"rd-queue", "random dequeued queue of Afek, Korland and Yanovsky", scal, "", queueMethods, RDQueue(k),
			scalTests(false, true)},
		{"bk-queue", "bounded-size k-FIFO queue", scal, "", queueMethods, BKQueue(k), scalTests(false, true)},
		{"ubk-queue", "unbounded-size k-FIFO queue of Kirsch, Lippautz and Payer", scal, "", queueMethods, UBKQueue(k),
			scalTests(false, true)},
		{"k-stack-tagged", "k-stack of Henzinger and others, with tags", scal, "", stackMethods,
			KStackTagged(k - 1), reused},
	}
}

// specification of the objects with these methods.
func specification(m roundup.Methods) string {
	switch m {
	case stackMethods:
		return "stack"
	case pqMethods:
		return "priority-queue"
	}
	return "queue"
}

// Entries returns all objects with their tests. The verdicts under the factor are those of package
// roundup, which does not drain tests that insert and remove equally often and cannot find the
// object empty; all of these are such tests.
func Entries() []catalogue.Entry {
	var entries []catalogue.Entry
	for _, o := range objects() {
		m := o.methods
		made := &explore.Object{
			Name: o.name, About: o.about, Spec: specification(m), New: o.new,
			Ops: []explore.Call{{F: m.Insert, Arg: 1}, {F: m.Insert, Arg: 2}, {F: m.Remove}},
		}
		for _, t := range o.tests {
			note := o.fault
			if t.note != "" && note != "" {
				note += "; "
			}
			entries = append(entries, catalogue.Entry{
				Case: m.Test(made, t.before, []string{t.one, t.two}, t.after), Source: o.source, Faulty: o.fault != "",
				Linearizable: t.linearizable, Quasi: factor, QuasiLinearizable: t.quasi, Note: note + t.note,
			})
		}
	}
	return entries
}

package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/papers/catalogue"
)

const source = "cksystemsgroup/scal, early 2013; Zhang, Chattopadhyay, Wang: Round-Up, Tables IV and V"

// rounds bounds the accesses of an operation of the k-stack with segments of one slot: a push adds
// an empty segment and a pop takes it away, for ever. The fault takes 34 of a push and 27 of a pop.
const rounds = 40

// bounded keeps the threads of the bounded queue with segments of one slot from going round.
const bounded = 24

// factor is the quasi factor of Table V, and slots how many values a removal may choose from.
const (
	factor = "2"
	slots  = 3
)

var (
	queueMethods = roundup.Methods{Insert: "enq", Remove: "deq"}
	stackMethods = roundup.Methods{Insert: "push", Remove: "pop"}
)

// object is an object with its tests.
type object struct {
	name, about, fault string
	methods            roundup.Methods
	new                func(*mem.Memory) explore.Instance
	tests              []test
	opSteps            int // bound of the accesses of an operation, 0: none
}

// test is a test by its pattern, i for an insertion and r for a removal, and its verdicts.
type test struct {
	before              string
	threads             []string
	after               string
	linearizable, quasi bool
}

// tableV are the tests of dimension 1*1+10: an insertion beside a removal, two insertions, two
// removals.
func tableV(insertRemove, insertInsert, removeRemove bool) []test {
	return []test{
		{"iiiii", []string{"i", "r"}, "rrrrr", insertRemove, insertRemove},
		{"iiii", []string{"i", "i"}, "rrrrrr", insertInsert, insertInsert},
		{"iiiiii", []string{"r", "r"}, "rrrr", removeRemove, removeRemove},
	}
}

func objects() []object {
	all := tableV(true, true, true)
	plain := test{"iiiii", []string{"i", "r"}, "rrrrr", false, false}
	short := test{"iiir", []string{"i", "r"}, "rr", false, false}
	// with factor 2 the removal that says empty may come before both insertions
	lost := test{"", []string{"i", "i", "r"}, "r", false, true}
	relaxed := tableV(true, true, true)
	for i := range relaxed {
		relaxed[i].linearizable = false
	}
	right := func(t test) test { t.linearizable, t.quasi = true, true; return t }
	return []object{
		{"scal-sl-queue", "linked list for one thread", "plain variables and no lock", queueMethods, SLQueue,
			tableV(true, false, false), 0},
		{"scal-t-stack", "stack of Treiber", "", stackMethods, TStack, all, 0},
		{"scal-ms-queue", "queue of Michael and Scott", "", queueMethods, MSQueue, all, 0},
		{"scal-rd-queue", "random dequeued queue, without its random choices", "", queueMethods,
			RDQueue(slots, First), all, 0},
		{"scal-bk-queue", "bounded-size k-FIFO queue, without its random choices", "", queueMethods,
			BKQueue(slots, First), all, 0},
		{"scal-bk-queue-1", "bounded-size k-FIFO queue with segments of one slot",
			"an insertion whose segment the head has left takes the tail that it read before for one that has gone " +
				"around: its value is lost",
			queueMethods, BKQueue(1, First), []test{lost}, bounded},
		{"scal-ubk-queue", "unbounded-size k-FIFO queue, without its random choices", "", queueMethods,
			UBKQueue(slots, First), all, 0},
		{"scal-k-stack", "k-stack, without its random choices", "", stackMethods, KStack(slots, First), relaxed, 0},
		{"scal-k-stack-1", "k-stack with segments of one slot",
			"a push reads twice how many pops would remove its segment, and puts its value in again if there were " +
				"some and then none",
			stackMethods, KStack(1, First), []test{plain, short}, rounds},
		{"scal-k-stack-1-one-read", "k-stack with segments of one slot, corrected: one read", "", stackMethods,
			KStackOneRead(1, First), []test{right(plain), right(short)}, rounds},
	}
}

// Entries returns all objects with their tests.
func Entries() []catalogue.Entry {
	var entries []catalogue.Entry
	for _, o := range objects() {
		s := "queue"
		if o.methods == stackMethods {
			s = "stack"
		}
		made := &explore.Object{
			Name: o.name, About: o.about, Spec: s, New: o.new,
			Ops: []explore.Call{{F: o.methods.Insert, Arg: 1}, {F: o.methods.Insert, Arg: 2}, {F: o.methods.Remove}},
		}
		for _, t := range o.tests {
			entries = append(entries, catalogue.Entry{
				Case: o.methods.Test(made, t.before, t.threads, t.after), Source: source, Faulty: o.fault != "",
				Linearizable: t.linearizable, Quasi: factor, QuasiLinearizable: t.quasi, Note: o.fault,
				OpSteps: o.opSteps,
			})
		}
	}
	return entries
}

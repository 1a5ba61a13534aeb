package sets

import (
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/papers/catalogue"
)

const source = "Horn and Kroening: Faster linearizability checking via P-compositionality, Table 2"

// set is a set of small non-negative integers.
type set interface {
	add(key int) bool
	remove(key int) bool
	contains(key int) bool
}

// kind is one implementation.
type kind struct {
	name, about string
	new         func(m *mem.Memory) set
	note        string // of a faulty one
}

var kinds = []kind{
	{name: "coarselist", about: "sorted list under one lock", new: newCoarse},
	{name: "finelist", about: "sorted list with a lock for each node, taken hand over hand", new: newFine},
	{name: "optimisticlist", about: "sorted list that is traversed without locks and looked at again under two",
		new: newOptimistic},
	{name: "lazylist", about: "sorted list whose removed nodes are marked first", new: newLazy},
	{name: "harrislist", about: "sorted list without locks, of Harris and Michael", new: newHarris},
	{name: "hashset", about: "hash table under one lock", new: newHashSet},
	{name: "stripedset", about: "hash table with a fixed number of locks", new: newStriped},
	{name: "refinableset", about: "hash table that gets more locks as it grows", new: newRefinable},
	{name: "splitorderedset", about: "hash table in one list in the order of reversed bits, of Shalev and Shavit",
		new: newSplitOrdered},
	{name: "skiplist", about: "skip list without locks", new: newSkipList(sound)},
	{name: "skiplist-faulty1", about: "skip list without locks, faulty", new: newSkipList(marksTwice),
		note: "remove takes a node that another remove has marked for its own"},
	{name: "skiplist-faulty2", about: "skip list without locks, faulty", new: newSkipList(ignoresMarks),
		note: "add links a node behind one that is being removed"},
}

// Entries returns the sets with a small test each.
func Entries() []catalogue.Entry {
	call := func(f string, key int) explore.Call { return explore.Call{F: f, Arg: key} }
	var entries []catalogue.Entry
	for _, k := range kinds {
		o := &explore.Object{
			Name: k.name, About: k.about, Spec: "set", Initial: []any{}, New: func(m *mem.Memory) explore.Instance {
				return instance(k.new(m))
			},
			Ops: []explore.Call{call("add", 1), call("add", 2), call("remove", 1), call("remove", 2),
				call("contains", 1)},
		}
		e := catalogue.Entry{
			Case: &explore.Case{
				Object: o, Before: []explore.Call{call("add", 1)}, After: []explore.Call{call("contains", 2)},
				Threads: [][]explore.Call{{call("remove", 1)}, {call("add", 2), call("remove", 1)}},
			},
			Source: source, Faulty: k.note != "", Linearizable: k.note == "", Note: k.note,
		}
		entries = append(entries, e)
	}
	return entries
}

func instance(s set) explore.Instance {
	return func(f string, arg any) any {
		switch f {
		case "add":
			return s.add(arg.(int))
		case "remove":
			return s.remove(arg.(int))
		case "contains":
			return s.contains(arg.(int))
		}
		panic("sets: no operation " + f)
	}
}

// named makes the name of a location in a node: "next(5)".
func named(field string, node any) string { return fmt.Sprintf("%s(%v)", field, node) }

// Keys of the first and of the last node of a list.
const (
	first = -1
	last  = int(^uint(0) >> 1)
)

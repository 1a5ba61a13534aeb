package fgvt

import (
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/papers/catalogue"
)

const source = "Chen, Zhang, Wu, Zhang: Interleaving-tree Based Fine-grained Linearizability Fault Localization, " +
	"Table 2"

// Entries returns the six objects of the paper with their tests, each faulty and corrected.
func Entries() []catalogue.Entry {
	type six struct {
		name, about, spec string
		initial           any
		new               func(faulty bool) func(m *mem.Memory) explore.Instance
		ops, after        []explore.Call
		threads           [][]explore.Call
		pattern           string
		bug, fix          string
	}
	var entries []catalogue.Entry
	for _, o := range []six{{
		name: "lockfreelist", about: "sorted list of Harris and Michael", spec: "set", initial: []any{1},
		new: newLockFreeList,
		ops: []explore.Call{{F: "add", Arg: 1}, {F: "add", Arg: 2}, {F: "remove", Arg: 1}, {F: "remove", Arg: 2},
			{F: "contains", Arg: 1}},
		threads: [][]explore.Call{{{F: "remove", Arg: 1}}, {{F: "remove", Arg: 1}}},
		pattern: "WgG",
		bug:     "remove marks a node with attemptMark, which also succeeds if another remove has marked it",
		fix:     "remove marks a node with a compare-and-swap from unmarked to marked",
	}, {
		name: "optimisticqueue", about: "doubly linked queue of Ladan-Mozes and Shavit", spec: "queue",
		initial: []any{1, 2}, new: newOptimisticQueue,
		ops:     []explore.Call{{F: "offer", Arg: 3}, {F: "offer", Arg: 4}, {F: "poll"}},
		threads: [][]explore.Call{{{F: "poll"}}, {{F: "poll"}}},
		pattern: "G",
		bug:     "poll moves the head from wherever it is, not from where it read the item",
		fix:     "poll moves the head only from where it read the item, and else reads again",
	}, {
		name: "pairsnapshot", about: "two numbers that are read together", spec: "multi-register",
		initial: map[string]any{"0": 1, "1": 1}, new: newPairSnapshot,
		ops:     []explore.Call{write(0, 1), write(0, 2), write(1, 1), write(1, 2), read()},
		threads: [][]explore.Call{{write(0, 2), write(1, 2), write(1, 1), write(0, 1)}, {read()}},
		pattern: "Wg{5}G",
		bug:     "read takes an equal value of d[0] for an unchanged one",
		fix:     "every number has a version beside it",
	}, {
		name: "snark", about: "deque over double-word compare-and-swap of Detlefs and others", spec: "deque",
		initial: []any{1}, new: newSnark,
		ops:     []explore.Call{{F: "pushLeft", Arg: 2}, {F: "pushRight", Arg: 3}, {F: "popLeft"}, {F: "popRight"}},
		threads: [][]explore.Call{{{F: "popRight"}}, {{F: "pushRight", Arg: 2}, {F: "popLeft"}}},
		pattern: "WgWgG",
		bug: "a pop that sees its node popped from the other side reports an empty deque, though newer nodes may " +
			"be behind it",
		fix: "such a pop looks at its hat again; a pop owns a value only once it has claimed it",
	}, {
		name: "simplelist", about: "sorted list with plain references", spec: "set", initial: []any{1},
		new: newSimpleList,
		ops: []explore.Call{{F: "add", Arg: 3}, {F: "add", Arg: 4}, {F: "remove", Arg: 3}, {F: "contains", Arg: 3},
			{F: "contains", Arg: 4}},
		threads: [][]explore.Call{{{F: "add", Arg: 3}}, {{F: "add", Arg: 4}}},
		after:   []explore.Call{{F: "contains", Arg: 3}, {F: "contains", Arg: 4}},
		pattern: "BgG",
		bug:     "an add overwrites what another add has linked behind the same node",
		fix:     "every operation holds a lock",
	}, {
		name: "linkedlist", about: "list that counts its values", spec: "set", initial: []any{1, 5}, new: newLinkedList,
		ops: []explore.Call{{F: "add", Arg: 1}, {F: "add", Arg: 9}, {F: "remove", Arg: 1},
			{F: "remove", Arg: 5}, {F: "size"}},
		threads: [][]explore.Call{{{F: "remove", Arg: 1}, {F: "add", Arg: 9}}, {{F: "size"}}},
		pattern: "WgWgG",
		bug:     "size counts without the lock, and so nodes of different moments",
		fix:     "size holds the lock, too",
	}} {
		for _, faulty := range []bool{true, false} {
			e := catalogue.Entry{
				Case: &explore.Case{
					Object: &explore.Object{Name: o.name, About: o.about, Spec: o.spec, Initial: o.initial,
						New: o.new(faulty), Ops: o.ops},
					Threads: o.threads, After: o.after,
				},
				Source: source, Faulty: faulty, Linearizable: !faulty, Note: o.fix,
			}
			if faulty {
				e.Pattern, e.Note = o.pattern, o.bug
			} else {
				e.Case.Object.Name += "-fixed"
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// named makes the name of a location in a node: "next(5)".
func named(field string, node any) string { return fmt.Sprintf("%s(%v)", field, node) }

func unknown(f string) string { return "fgvt: no operation " + f }

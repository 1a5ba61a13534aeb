package lineup

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// Observations are all serial runs of a finite test, a specification of what its operations may
// do. The calls of a program (explore.ProgramCase) are those that its serial runs made.
//
// They are an automaton without cycles: a path from node 0 is a serial history, an edge the next
// operation of a thread with its result, or the note that it blocks. Of every thread at most one
// edge leaves a node if the object is deterministic, and otherwise at most one with each outcome;
// nodes with equal futures are one node.
type Observations struct {
	threads []thread
	main    int32 // the thread of the operations before and after the others
	first   int32 // and the first of the others
	learns  bool  // the operations are those that were seen
	values  *values
	nodes   [][]edge // edges by thread
	full    int
	stuck   int
	// Complete is set if the whole test is known, with operations that no serial run reached. It is
	// false for files without a <test>.
	Complete bool
	// Nondeterministic allows an operation several outcomes after the same operations.
	Nondeterministic bool
}

// thread is a thread of the test with its operations. The operations before and after the threads
// belong to thread main.
type thread struct {
	name string
	ops  []operation
}

type operation struct {
	f   string
	arg int32
}

// edge is an operation of a thread, by its place among those of the test, or those that were seen.
type edge struct {
	thread, index int32
	result        int32 // number of the value
	to            int32 // blocked: the operation never returns
}

const blocked int32 = -1

const mainName = "main"

// threadName is the name of thread t in observation files: A, B, ...
func threadName(t int) string {
	if t < 26 {
		return string(rune('A' + t))
	}
	return "T" + strconv.Itoa(t)
}

// Histories counts the serial histories, the full ones and those that end with an operation that
// blocks.
func (o *Observations) Histories() (full, stuck int) { return o.full, o.stuck }

// errNothingObserved is what methods of a zero value return.
var errNothingObserved = errors.New("lineup: nothing was observed")

// threadOf returns the position of the thread with that name. Processes of recorded histories have
// numbers: the n-th thread is also called n, if none has that name.
func (o *Observations) threadOf(name string) int {
	for t := range o.threads {
		if o.threads[t].name == name {
			return t
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		for t := range o.threads {
			switch {
			case o.threads[t].name == mainName:
			case n == 0:
				return t
			default:
				n--
			}
		}
	}
	return -1
}

// call is operation index of a thread.
func (o *Observations) call(thread, index int32) explore.Call {
	op := o.threads[thread].ops[index]
	return explore.Call{F: op.f, Arg: o.values.list[op.arg]}
}

// newObservations returns observations with the threads of a test and no history.
func newObservations(c *explore.Case) (*Observations, error) {
	o := &Observations{values: newValues(), nodes: [][]edge{nil}, Complete: true}
	if c.Object.New == nil { // a program
		o.Complete, o.learns, o.first, o.threads = false, true, 1, []thread{{name: mainName}}
		return o, nil
	}
	add := func(name string, calls []explore.Call) error {
		t := thread{name: name}
		for _, call := range calls {
			arg, err := o.values.intern(call.Arg)
			if err != nil {
				return err
			}
			t.ops = append(t.ops, operation{call.F, arg})
		}
		o.threads = append(o.threads, t)
		return nil
	}
	for t, calls := range c.Threads {
		if err := add(threadName(t), calls); err != nil {
			return nil, err
		}
	}
	o.main = int32(len(o.threads))
	if len(c.Before)+len(c.After) > 0 {
		if err := add(mainName, slices.Concat(c.Before, c.After)); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Deterministic reports whether no operation has two outcomes after the same operations.
func (o *Observations) Deterministic() bool {
	for _, edges := range o.nodes {
		for i := range edges {
			if i > 0 && edges[i].thread == edges[i-1].thread {
				return false
			}
		}
	}
	return true
}

// Equal reports whether both have the same serial histories.
func (o *Observations) Equal(other *Observations) bool {
	if other == nil {
		return false
	}
	mine, others := o.written(), other.written()
	return len(mine) == len(others) && !slices.ContainsFunc(mine, func(run string) bool {
		_, found := slices.BinarySearch(others, run)
		return !found
	})
}

// written returns the serial histories as texts, in order.
func (o *Observations) written() (all []string) {
	if len(o.nodes) == 0 {
		return nil
	}
	o.each(func(run []step) {
		var b strings.Builder
		for _, s := range run {
			fmt.Fprintf(&b, "%q %s", o.threads[s.thread].name, o.call(s.thread, s.index))
			if s.stuck {
				b.WriteString(" #\n")
			} else {
				fmt.Fprintf(&b, " %s\n", format(o.values.list[s.result]))
			}
		}
		all = append(all, b.String())
	})
	slices.Sort(all)
	return all
}

// threadIndex is the position of a thread among those of the observations.
func (o *Observations) threadIndex(thread int) int32 {
	if thread == schedule.Main {
		return o.main
	}
	return o.first + int32(thread)
}

// operation returns the place of an operation of a thread that has called so many, or absent.
func (o *Observations) operation(t, called int32, op *explore.Op) int32 {
	if !o.learns {
		return called
	}
	if int(t) >= len(o.threads) {
		return absent
	}
	return int32(slices.Index(o.threads[t].ops, operation{op.F, o.values.find(op.Arg)}))
}

// learn is operation for one that is then known.
func (o *Observations) learn(t, called int32, op *explore.Op) (int32, error) {
	for o.learns && int(t) >= len(o.threads) {
		o.threads = append(o.threads, thread{name: "process " + strconv.Itoa(len(o.threads)-1)})
	}
	place := o.operation(t, called, op)
	if place != absent {
		return place, nil
	}
	arg, err := o.values.intern(op.Arg)
	ops := &o.threads[t].ops
	*ops = append(*ops, operation{op.F, arg})
	return int32(len(*ops) - 1), err
}

// step is one operation of a serial run.
type step struct {
	thread, index int32
	result        int32
	stuck         bool
}

// order orders the edges of a node by thread; by outcome, too, if there may be several of them.
func (o *Observations) order(e edge, s step) int {
	if e.thread != s.thread || !o.Nondeterministic {
		return cmp.Compare(e.thread, s.thread)
	}
	if e.index != s.index {
		return cmp.Compare(e.index, s.index)
	}
	switch stuck := e.to == blocked; {
	case stuck && s.stuck:
		return 0
	case stuck:
		return 1
	case s.stuck:
		return -1
	}
	return cmp.Compare(e.result, s.result)
}

// add adds a serial run. It returns the place where the run contradicts earlier ones, another
// result of the same operation after the same operations, or -1.
func (o *Observations) add(run []step) (contradiction int) {
	node, fresh := int32(0), false
	for i, s := range run {
		k, found := slices.BinarySearchFunc(o.nodes[node], s, o.order)
		if found {
			e := &o.nodes[node][k]
			if e.index != s.index || (e.to == blocked) != s.stuck || !s.stuck && e.result != s.result {
				return i
			}
			node = e.to
			continue
		}
		fresh = true
		e := edge{s.thread, s.index, s.result, blocked}
		if !s.stuck {
			e.to = int32(len(o.nodes))
			o.nodes = append(o.nodes, nil)
		}
		o.nodes[node] = slices.Insert(o.nodes[node], k, e)
		node = e.to
	}
	switch {
	case !fresh && (len(run) > 0 || o.full > 0): // the same history again, by other data choices
	case len(run) > 0 && run[len(run)-1].stuck:
		o.stuck++
	default:
		o.full++
	}
	return -1
}

// minimize merges nodes with equal futures. Before, children have larger numbers than their
// parents; afterwards they may have any.
func (o *Observations) minimize() {
	into := make([]int32, len(o.nodes))
	known := map[string]int32{}
	var kept [][]edge
	var key []byte
	for n := len(o.nodes) - 1; n >= 0; n-- {
		key = key[:0]
		for i := range o.nodes[n] {
			e := &o.nodes[n][i]
			if e.to != blocked {
				e.to = into[e.to]
			}
			key = binary.AppendVarint(key, int64(e.thread))
			key = binary.AppendVarint(key, int64(e.index))
			key = binary.AppendVarint(key, int64(e.result))
			key = binary.AppendVarint(key, int64(e.to))
		}
		k, ok := known[string(key)]
		if !ok {
			k = int32(len(kept))
			known[string(key)] = k
			kept = append(kept, o.nodes[n])
		}
		into[n] = k
	}
	// The root becomes node 0.
	last := int32(len(kept) - 1)
	root := into[0]
	kept[root], kept[0] = kept[0], kept[root]
	swap := func(n int32) int32 {
		switch n {
		case root:
			return 0
		case 0:
			return root
		}
		return n
	}
	for n := range last + 1 {
		for i := range kept[n] {
			if e := &kept[n][i]; e.to != blocked {
				e.to = swap(e.to)
			}
		}
	}
	o.nodes = kept
}

// each calls visit with every serial history, in the order of their threads. The slice is valid
// during the call.
func (o *Observations) each(visit func(run []step)) {
	var run []step
	var walk func(n int32)
	walk = func(n int32) {
		for _, e := range o.nodes[n] {
			run = append(run, step{e.thread, e.index, e.result, e.to == blocked})
			if e.to == blocked {
				visit(run)
			} else {
				walk(e.to)
			}
			run = run[:len(run)-1]
		}
		if len(o.nodes[n]) == 0 {
			visit(run)
		}
	}
	walk(0)
}

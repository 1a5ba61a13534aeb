package model

// Derived theory: a RegisterTheory read off the machine of a specification that has few states on a
// partition.
//
// What: one register whose values are the reachable states. An operation is a relation between the
// state that it finds and the state that it leaves. Every such relation is a list of modes: the
// states from which it leads to one given state are a test (Is, Not or Any) that leaves that state,
// and the states that it does not change are a test with Keep.
//
// Reachable are the states that the operations of the partition lead to from the initial state,
// with or without their results, each any number of times, in at most as many steps as there are
// operations. So the values include every state of every run, even when results are dropped or
// operations left out: weakened partitions use the same values and have a theory, too.
//
// Sound: no run leaves the values, and from any of them the modes of an operation lead exactly
// where its machine leads, except out of the values, where no run goes. So the partition has a
// linearization in the theory exactly if it has one in the machine. Nothing is known about other
// initial states (FromInit).
//
// Where results cannot be dropped (binding says so), the values are those that operations with
// their results lead to.
//
// No theory is derived for more than derivedStates states, derivedSteps steps of exploration,
// derivedOperations different operations or derivedModes transitions over all operations, or for a
// machine that panics in a state that perhaps no run reaches.
//
// Cost: the steps above, and O(n) for n operations. The derivation stops as soon as there is one
// state too many.

import (
	"math/bits"
	"sync"

	"github.com/linsat/linsat/history"
)

// WithDerived wraps bind so that every partition without axioms and with few states gets a derived
// theory, unless that is to be derived later.
func WithDerived(bind func(p *Partition) (*Instance, error)) func(p *Partition) (*Instance, error) {
	return func(p *Partition) (*Instance, error) {
		b, err := bind(p)
		switch {
		case err != nil || b.Axiomatic() != nil:
		case p.TheoryLater:
			b.TheoryLeft = true
		default:
			t := Derive(b, bind)
			if lock, ok := b.Theory.(*ReadersWriterTheory); ok {
				lock.Cells = t
			} else if t != nil {
				b.Theory = t
			}
		}
		return b, err
	}
}

// stateSet is a set of values of a derived theory.
type stateSet uint64

func (s stateSet) size() int    { return bits.OnesCount64(uint64(s)) }
func (s stateSet) least() int32 { return int32(bits.TrailingZeros64(uint64(s))) }

// each calls f with the members, ascending.
func (s stateSet) each(f func(v int32)) {
	for ; s != 0; s &= s - 1 {
		f(s.least())
	}
}

// relation lists, by state found, the states left.
type relation [derivedStates]stateSet

// alphabet is a small partition that stands for another: one operation of each EquivID, and, if
// results can be dropped, the same operations with their results forgotten.
type alphabet struct {
	part *Partition
	// By EquivID in the other partition: its operation here, and the same with its result
	// forgotten, or again with it if results cannot be dropped. -1 for none.
	known, forgotten []int32
}

func alphabetOf(b *Instance, forget bool) *alphabet {
	p := b.Partition
	q := *p
	q.Ops, q.Index, q.Edges, q.Demands, q.Drains = nil, nil, nil, nil, 0
	a := &alphabet{part: &q}
	add := func(o history.Op, i history.OpID) int32 {
		q.Ops, q.Index = append(q.Ops, o), append(q.Index, i)
		return int32(len(q.Ops) - 1)
	}
	for i, sig := range b.EquivID {
		if sig >= derivedOperations {
			return nil
		}
		for int(sig) >= len(a.known) {
			a.known, a.forgotten = append(a.known, -1), append(a.forgotten, -1)
		}
		if a.known[sig] >= 0 {
			continue
		}
		o := p.Ops[i]
		a.known[sig] = add(o, p.Global(history.OpID(i)))
		a.forgotten[sig] = a.known[sig]
		if forget && !o.Unknown {
			o.Result, o.Unknown = history.Nil, true
			a.forgotten[sig] = add(o, p.Global(history.OpID(i)))
		}
	}
	for k := range q.Ops {
		o := &q.Ops[k]
		o.Call = history.Rank(k)
		if !o.Pending() {
			o.Return = history.Rank(len(q.Ops) + k)
		}
	}
	return a
}

// explored holds the states within reach.
type explored struct {
	machine   Machine
	states    []State // by value
	relations []relation
	of        []int32 // by operation: its relation
}

// explore finds the states that the operations of b lead to in at most depth steps. It returns nil
// if they are too many, or if finding them takes too many steps.
func explore(b *Instance, depth int) *explored {
	x := &explored{machine: b.NewMachine(), of: make([]int32, len(b.EquivID))}
	var distinct []history.OpID // one operation for each relation
	number := map[int32]int32{}
	for i, sig := range b.EquivID {
		k, known := number[sig]
		if !known {
			k = int32(len(distinct))
			number[sig], distinct = k, append(distinct, history.OpID(i))
		}
		x.of[i] = k
	}
	x.relations = make([]relation, len(distinct))
	x.states = append(x.states, x.machine.Init())
	values := map[State]int32{x.states[0]: 0}
	far := []int{0} // by value: in how many steps it is reached
	steps := 0
	var next []State
	for v := 0; v < len(x.states); v++ {
		if steps += len(distinct); steps > derivedSteps {
			return nil
		}
		for k, op := range distinct {
			next = x.machine.Step(x.states[v], op, next[:0])
			for _, s := range next {
				to, known := values[s]
				switch {
				case known:
				case far[v] == depth: // no run comes here
					continue
				case len(x.states) == derivedStates:
					return nil
				default:
					to = int32(len(x.states))
					values[s], x.states, far = to, append(x.states, s), append(far, far[v]+1)
				}
				x.relations[k][v] |= 1 << to
			}
		}
	}
	return x
}

// Derive returns the derived theory of b, which bind has bound, nil if there is none.
func Derive(b *Instance, bind func(p *Partition) (*Instance, error)) (c *RegisterTheory) {
	p := b.Partition
	if p.Drains > 0 {
		return nil
	}
	a := alphabetOf(b, true)
	if a == nil {
		return nil
	}
	defer func() {
		v := recover()
		if f, ok := v.(*Fault); ok && f.Impure != "" {
			panic(v)
		}
		// Any other panic is in a state that perhaps no run meets. If a run does, the machine
		// panics again.
		if v != nil {
			c = nil
		}
	}()
	small, err := bind(a.part)
	if err != nil { // results cannot be dropped, so no partition is asked about without them
		a = alphabetOf(b, false)
		if small, err = bind(a.part); err != nil {
			return nil
		}
	}
	x := explore(small, max(len(p.Ops), derivedReach))
	if x == nil {
		return nil
	}
	all := stateSet(1)<<len(x.states) - 1
	sizes := make([]int, len(x.relations))
	for k := range x.relations {
		for _, to := range x.relations[k] {
			sizes[k] += to.size()
		}
	}
	// by relation, of completed and of pending operations
	modes := make([][2][]Mode, len(x.relations))
	total := 0
	for _, sig := range b.EquivID {
		if total += max(1, sizes[x.of[a.forgotten[sig]]]); total > derivedModes {
			return nil
		}
	}
	c = NewRegisterTheory(len(p.Ops))
	c.Init, c.Values, c.FromInit, c.Name = []int32{0}, len(x.states), true, x.names()
	for i, sig := range b.EquivID {
		k, kind := x.of[a.known[sig]], 0
		if p.Ops[i].Pending() {
			kind = 1
		}
		m := &modes[k][kind]
		if *m == nil {
			*m = x.relations[k].modes(all, kind == 1)
		}
		c.Add(0, *m...)
	}
	return c
}

// names returns a function that describes values. The machine is asked once, when one is wanted.
func (x *explored) names() func(v int32) string {
	describe := sync.OnceValue(func() []string {
		texts := make([]string, len(x.states))
		for v, s := range x.states {
			texts[v] = x.machine.Describe(s)
		}
		return texts
	})
	return func(v int32) string { return describe()[v] }
}

// modes returns a few disjoint modes that together make up the relation. A pending operation that
// changes nothing might as well not take effect, so only its changes are listed, or a single mode
// that does nothing if there are none.
func (r *relation) modes(all stateSet, pending bool) []Mode {
	var into relation // by state left, the states found
	kept := stateSet(0)
	all.each(func(v int32) {
		r[v].each(func(to int32) {
			if v != to {
				into[to] |= 1 << v
			} else if !pending {
				kept |= 1 << v
			}
		})
	})
	// A state that does not change can also be listed as a state left. That saves a mode if it
	// empties kept, or if the operation always leaves that state.
	spare := true
	kept.each(func(v int32) { spare = spare && into[v] != 0 })
	kept.each(func(v int32) {
		if spare || into[v]|1<<v == all && into[v] != 0 {
			into[v] |= 1 << v
			kept &^= 1 << v
		}
	})
	modes := []Mode{}
	if kept != 0 {
		modes = append(modes, kept.mode(all, Keep))
	}
	all.each(func(to int32) {
		if into[to] != 0 {
			modes = append(modes, into[to].mode(all, to))
		}
	})
	if len(modes) == 0 && pending {
		modes = append(modes, Mode{Test: Any, Leaves: Keep})
	}
	return modes
}

// mode returns the mode that finds one of the states of s, which is not empty, and leaves a value.
func (s stateSet) mode(all stateSet, leaves int32) Mode {
	switch rest := all &^ s; {
	case rest == 0:
		return Mode{Test: Any, Leaves: leaves}
	case s.size() == 1:
		return Mode{Test: Is, V: s.least(), Leaves: leaves}
	default:
		m := Mode{Test: Not, V: rest.least(), Leaves: leaves}
		(rest & (rest - 1)).each(func(v int32) { m.Others = append(m.Others, v) })
		return m
	}
}

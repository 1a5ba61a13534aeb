package guest

// What: which parts of a state the operations of a model seem to read or write, where the model
// does not say.
//
// Source: ours.
//
// How: the operations take effect one after the other, in the order in which they returned; what is
// not allowed is left out. What differs between the states before and after is what an operation
// writes: fields of structs, entries of maps, elements of arrays and slices. What it reads cannot
// be seen. But operations that write what they name in their input say which parts of inputs are
// names: of a part and a value, what all operations wrote that have it there (a name), or nothing
// (an amount). So an operation touches what it writes, and what its input names. One that names
// nothing may read everything.
//
// It may be wrong, so nothing is refuted by it; an order that is found with it is allowed as any.
//
// Cost: a step for each operation, and seenParts comparisons at most.

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// Wrapped is an input that holds the one that a user gave.
type Wrapped interface{ Wrapped() any }

// part is a part of a state, or of an input: where it is, and the key or the value that is there.
type part struct {
	path string
	key  any // an int64, a string, or nil
}

// seen is what was seen of the operations of a partition.
type seen struct {
	numbers map[part]int32   // parts of states
	writes  [][]int32        // by operation
	names   map[part][]int32 // by part of inputs: what all that have it wrote
	again   map[part]bool    // several wrote that have it
	budget  int
}

// Seen returns what operations seem to touch, as in model.Instance.Touches, and which seem to leave
// every state alone. Both are nil where that tells nothing, and when more, which is asked before
// each step, says no.
func (g *Code[S]) Seen(input func(op history.OpID) any, more func() bool) (touches [][]int32, readOnly []bool) {
	n := g.Partition.Len()
	x := &seen{numbers: map[part]int32{}, writes: make([][]int32, n), names: map[part][]int32{}, again: map[part]bool{},
		budget: seenParts}
	inputs := make([][]part, n)
	for i := range inputs {
		v := input(history.OpID(i))
		for w, ok := v.(Wrapped); ok; w, ok = v.(Wrapped) {
			v = w.Wrapped()
		}
		inputs[i] = x.scalars(nil, "", reflect.ValueOf(v), 0)
	}
	order := make([]history.OpID, n)
	for i := range order {
		order[i] = history.OpID(i)
	}
	ops := g.Partition.Ops
	slices.SortStableFunc(order, func(i, j history.OpID) int { return cmp.Compare(ops[i].Return, ops[j].Return) })
	m := g.NewMachine()
	s := m.Init()
	took, changed := make([]bool, n), make([]bool, n)
	var next []model.State
	for k, i := range order {
		if k&255 == 255 {
			s = m.Forget(s)
		}
		if !more() {
			return nil, nil
		}
		next = m.Step(s, i, next[:0])
		if len(next) == 0 || x.budget < 0 {
			continue
		}
		t := next[len(next)-1]
		took[i], changed[i] = true, t != s
		if t != s {
			x.writes[i] = x.differ(nil, "", reflect.ValueOf(m.Peek(s)), reflect.ValueOf(m.Peek(t)), 0)
			for k, p := range inputs[i] {
				if slices.Contains(inputs[i][:k], p) {
					continue
				}
				had, known := x.names[p]
				if !known {
					x.names[p] = x.writes[i]
					continue
				}
				x.again[p] = true
				x.names[p] = slices.DeleteFunc(slices.Clone(had), func(k int32) bool {
					return !slices.Contains(x.writes[i], k)
				})
			}
		}
		if !ops[i].Pending() {
			s = t
		}
	}
	named, naming := 0, x.naming()
	touches = make([][]int32, n)
	for i, parts := range inputs {
		keys, names, wrote := slices.Clone(x.writes[i]), false, len(x.writes[i]) > 0
		for _, p := range parts {
			if !naming[p.path] {
				continue
			}
			names = true
			of, known := x.names[p]
			if !known { // nobody writes it
				of = []int32{x.number(part{"input" + p.path, p.key})}
			}
			if len(of) == 0 && !wrote { // it names something, and nobody knows what
				names = false
				break
			}
			keys = append(keys, of...)
		}
		if names {
			touches[i] = inorder.Distinct(keys)
			named++
		}
	}
	if named < n/2 || len(x.numbers) < 2 {
		return nil, nil
	}
	return touches, readers(inputs, naming, took, changed)
}

// readers returns which operations leave every state alone, as far as was seen of those whose
// inputs differ in names alone.
func readers(inputs [][]part, naming map[string]bool, took, changed []bool) []bool {
	of, texts := make([]string, len(inputs)), []byte(nil)
	reads := map[string]bool{}
	for i, parts := range inputs {
		texts = texts[:0]
		for _, p := range parts {
			if !naming[p.path] {
				texts = fmt.Appendf(texts, "%s=%v;", p.path, p.key)
			}
		}
		of[i] = string(texts)
		if was, known := reads[of[i]]; took[i] {
			reads[of[i]] = !changed[i] && (was || !known)
		}
	}
	readOnly := make([]bool, len(inputs))
	for i := range readOnly {
		readOnly[i] = reads[of[i]]
	}
	return readOnly
}

// naming returns the paths in inputs of which most values name something. A value that only one
// operation has says nothing of that.
func (x *seen) naming() map[string]bool {
	names, all := map[string]int{}, map[string]int{}
	for p := range x.again {
		all[p.path]++
		if len(x.names[p]) > 0 {
			names[p.path]++
		}
	}
	naming := map[string]bool{}
	for path, n := range names {
		naming[path] = 2*n > all[path] && all[path] > 1
	}
	return naming
}

func (x *seen) number(p part) int32 {
	k, known := x.numbers[p]
	if !known {
		k = int32(len(x.numbers))
		x.numbers[p] = k
	}
	return k
}

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
	x := &seen{numbers: map[part]int32{}, writes: make([][]int32, n), names: map[part][]int32{}, again: map[part]bool{}, budget: seenParts}
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
				x.names[p] = slices.DeleteFunc(slices.Clone(had), func(k int32) bool { return !slices.Contains(x.writes[i], k) })
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
			slices.Sort(keys)
			touches[i] = slices.Compact(keys)
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

// scalars appends the integers, strings and truth values of an input, with their paths.
func (x *seen) scalars(dst []part, path string, v reflect.Value, depth int) []part {
	if x.budget--; x.budget < 0 || depth > seenDepth || len(dst) >= seenScalars {
		return dst
	}
	if key, ok := scalar(v); ok {
		return append(dst, part{path, key})
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return x.scalars(dst, path, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			dst = x.scalars(dst, path+"."+v.Type().Field(i).Name, v.Field(i), depth+1)
		}
	case reflect.Array, reflect.Slice:
		for i := range min(v.Len(), seenScalars) {
			at := "[]"
			if _, ok := scalar(reflect.Indirect(v.Index(i))); (ok || v.Index(i).Kind() == reflect.Interface) && i < seenPlaces {
				at = fmt.Sprintf("[%d]", i) // another place may mean another thing
			}
			dst = x.scalars(dst, path+at, v.Index(i), depth+1)
		}
	case reflect.Map:
		if v.Len() > seenScalars {
			return dst
		}
		for _, k := range keys(v) {
			dst = x.scalars(dst, path+"{}", k, depth+1)
			dst = x.scalars(dst, path+"{v}", v.MapIndex(k), depth+1)
		}
	}
	return dst
}

// scalar returns an integer or a string, or a number for a truth value.
func scalar(v reflect.Value) (any, bool) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return int64(1), true
		}
		return int64(0), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return int64(v.Uint()), true
	case reflect.String:
		return v.String(), true
	}
	return nil, false
}

// differ appends the parts in which two states differ.
func (x *seen) differ(dst []int32, path string, a, b reflect.Value, depth int) []int32 {
	if x.budget--; x.budget < 0 || !a.IsValid() && !b.IsValid() {
		return dst
	}
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() || depth > seenDepth {
		return append(dst, x.number(part{path, nil}))
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return dst
		}
		return x.differ(dst, path, a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		for i := range a.NumField() {
			dst = x.differ(dst, path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i), depth+1)
		}
		return dst
	case reflect.Array, reflect.Slice:
		if a.Kind() == reflect.Slice && a.Len() != b.Len() {
			return append(dst, x.number(part{path, nil}))
		}
		for i := range a.Len() {
			if x.budget < 0 {
				break
			}
			if !x.same(a.Index(i), b.Index(i), depth+1) {
				dst = append(dst, x.number(part{path, int64(i)}))
			}
		}
		return dst
	case reflect.Map:
		return x.differInMaps(dst, path, a, b, depth)
	}
	if !x.same(a, b, depth) {
		dst = append(dst, x.number(part{path, nil}))
	}
	return dst
}

// differInMaps appends the keys at which two maps differ.
func (x *seen) differInMaps(dst []int32, path string, a, b reflect.Value, depth int) []int32 {
	var differ []reflect.Value
	for it := a.MapRange(); it.Next() && x.budget >= 0; {
		if other := b.MapIndex(it.Key()); !other.IsValid() || !x.same(it.Value(), other, depth+1) {
			differ = append(differ, it.Key())
		}
	}
	for it := b.MapRange(); it.Next() && x.budget >= 0; {
		if !a.MapIndex(it.Key()).IsValid() {
			differ = append(differ, it.Key())
		}
	}
	inOrder(differ)
	for _, k := range differ {
		for k.Kind() == reflect.Interface {
			k = k.Elem()
		}
		if key, ok := scalar(k); ok {
			dst = append(dst, x.number(part{path, key}))
		} else {
			dst = append(dst, x.number(part{path, nil}))
		}
	}
	return dst
}

// keys returns the keys of a map in an order that is always the same, where they are scalars.
func keys(m reflect.Value) []reflect.Value {
	all := m.MapKeys()
	inOrder(all)
	return all
}

// inOrder sorts keys that are scalars by their texts.
func inOrder(keys []reflect.Value) {
	text := func(k reflect.Value) string {
		for k.Kind() == reflect.Interface {
			k = k.Elem()
		}
		if key, ok := scalar(k); ok {
			return fmt.Sprint(key)
		}
		return ""
	}
	slices.SortStableFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(text(a), text(b)) })
}

// same reports whether two values of one type have the same contents, as far as the budget and
// seenDepth go.
func (x *seen) same(a, b reflect.Value, depth int) bool {
	if x.budget--; x.budget < 0 || depth > seenDepth {
		return false
	}
	if a.Comparable() && b.Comparable() && a.Kind() != reflect.Pointer {
		return a.Equal(b)
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && x.same(a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		for i := range a.NumField() {
			if !x.same(a.Field(i), b.Field(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Array, reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !x.same(a.Index(i), b.Index(i), depth+1) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if other := b.MapIndex(it.Key()); !other.IsValid() || !x.same(it.Value(), other, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

package guest

// Go values taken apart by reflection, for seen.go: the scalars of an input, and the parts in which
// two states differ. Values may be anything: they may hold themselves, functions and unexported
// fields. Depth and work are bounded (policy.go), and the order does not depend on that of maps.

import (
	"cmp"
	"fmt"
	"reflect"
	"sort"
)

// scalars appends the integers, strings and truth values of an input, with their paths.
func (x *seen) scalars(dst []part, path string, v reflect.Value, depth int) []part {
	if x.budget--; x.budget < 0 || depth > seenDepth || len(dst) >= probes {
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
		for i := range min(v.Len(), probes) {
			at := "[]"
			if _, ok := scalar(reflect.Indirect(v.Index(i))); (ok || v.Index(i).Kind() == reflect.Interface) &&
				i < seenDepth {
				at = fmt.Sprintf("[%d]", i) // another place may mean another thing
			}
			dst = x.scalars(dst, path+at, v.Index(i), depth+1)
		}
	case reflect.Map:
		if v.Len() > probes {
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
	compare := func(a, b reflect.Value) int { return cmp.Compare(text(a), text(b)) }
	sort.SliceStable(keys, func(i, j int) bool { return compare(keys[i], keys[j]) < 0 })
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

package history

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history/internal/lex"
)

// Of returns the value of x: nil, booleans, integers and strings, and slices, arrays, maps and
// pointers of these, whatever their types are called. Unsigned integers beyond int64, of which a
// history has none, become strings of their digits, and so do the keys of maps. The error names the
// type of what a history does not hold.
func (t *Values) Of(x any) (Value, error) { return t.of(reflect.ValueOf(x), 0) }

func (t *Values) of(x reflect.Value, depth int) (Value, error) {
	if depth > lex.MaxDepth {
		return Nil, &Error{What: fmt.Sprintf("a value is nested more than %d deep", lex.MaxDepth),
			Hint: "does it contain itself?"}
	}
	switch x.Kind() {
	case reflect.Invalid:
		return Nil, nil
	case reflect.Bool:
		return t.Bool(x.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return t.Int(x.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if x.Uint() > math.MaxInt64 {
			return t.String(strconv.FormatUint(x.Uint(), 10)), nil
		}
		return t.Int(int64(x.Uint())), nil
	case reflect.String:
		return t.String(x.String()), nil
	case reflect.Pointer, reflect.Interface:
		return t.of(x.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		list := make([]Value, x.Len())
		for i := range list {
			v, err := t.of(x.Index(i), depth+1)
			if err != nil {
				return Nil, err
			}
			list[i] = v
		}
		return t.List(list), nil
	case reflect.Map:
		return t.ofMap(x, depth)
	}
	return Nil, &Error{What: fmt.Sprintf("%s is not a value of a history", x.Type()),
		Hint: "use integers, strings, booleans, and slices and maps of them"}
}

func (t *Values) ofMap(x reflect.Value, depth int) (Value, error) {
	type pair struct {
		key   string
		value reflect.Value
	}
	pairs := make([]pair, 0, x.Len())
	for it := x.MapRange(); it.Next(); {
		k, err := t.of(it.Key(), depth+1)
		if err != nil {
			return Nil, err
		}
		key, isString := t.AsString(k)
		if !isString {
			key = t.Format(k)
		}
		pairs = append(pairs, pair{key, it.Value()})
	}
	// Sorted, so that equal maps number their values alike.
	sort.Slice(pairs, func(a, b int) bool { return pairs[a].key < pairs[b].key })
	flat := make([]Value, 0, 2*len(pairs))
	for _, p := range pairs {
		v, err := t.of(p.value, depth+1)
		if err != nil {
			return Nil, err
		}
		flat = append(flat, t.String(p.key), v)
	}
	return t.Map(flat), nil
}

package spec

import (
	"fmt"
	"reflect"

	"github.com/linsat/linsat/spec/meta"
)

// Call is one operation as a Definition sees it.
type Call struct {
	F       string
	Key     any // nil if there is none, or if it names the object
	Process string
	Arg     any
}

// Result is the result of a call in the history. The zero value is an unknown result: the call
// never returned, or its result was dropped.
type Result struct {
	value any
	known bool
}

// Is reports whether the result is known to be v. It is false for an unknown result.
func (r Result) Is(v any) bool { return r.known && sameValue(r.value, v) }

// Known returns the result and whether it is known. An unknown result is nil, which does not mean
// that nothing was returned.
func (r Result) Known() (v any, known bool) { return r.value, r.known }

// Outcome is a possible effect of a call in a state: Output is what it returns, nil for nothing,
// and Next the state that it leaves. With AnyOutput the result carries no information (a write),
// and the one in the history is ignored. Else the two are compared: an integer of any type, a
// string, a boolean, nil, a slice, or a map with strings as keys.
type Outcome[S any] = meta.Outcome[S, any]

// sameResult reports whether a result that Step computed is the one in the history.
func sameResult(computed, observed any) bool { return sameValue(observed, computed) }

// sameValue reports whether a decoded value is v. It panics if v is not of a type that a history
// can hold: the comparison would always fail, and look like a violation.
func sameValue(decoded, v any) bool {
	switch v := v.(type) {
	case nil:
		return decoded == nil
	case bool:
		b, ok := decoded.(bool)
		return ok && b == v
	case string:
		s, ok := decoded.(string)
		return ok && s == v
	case int:
		n, ok := decoded.(int64)
		return ok && n == int64(v)
	case int64:
		n, ok := decoded.(int64)
		return ok && n == v
	}
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Bool:
		return sameValue(decoded, x.Bool())
	case reflect.String:
		return sameValue(decoded, x.String())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int, reflect.Int64:
		return sameValue(decoded, x.Int())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		n, ok := decoded.(int64)
		return ok && n >= 0 && uint64(n) == x.Uint()
	case reflect.Slice, reflect.Array:
		return sameList(decoded, x)
	case reflect.Map:
		if x.Type().Key().Kind() == reflect.String {
			return sameMap(decoded, x)
		}
	}
	panic(fmt.Sprintf(
		"a result of type %T, which no history holds: use nil, bool, an integer, string, a slice, or a map with "+
			"strings as keys", v))
}

func sameList(decoded any, x reflect.Value) bool {
	list, ok := decoded.([]any)
	same := ok && len(list) == x.Len()
	for k := range x.Len() {
		var d any
		if same {
			d = list[k]
		}
		same = sameValue(d, x.Index(k).Interface()) && same
	}
	return same
}

func sameMap(decoded any, x reflect.Value) bool {
	m, ok := decoded.(map[string]any)
	same := ok && len(m) == x.Len()
	for _, key := range x.MapKeys() {
		d, there := m[key.String()]
		same = sameValue(d, x.MapIndex(key).Interface()) && there && same
	}
	return same
}

package starspec

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// toStarlark returns a decoded value of a history as a frozen Starlark value. Maps become dicts
// whose keys are in ascending order.
func toStarlark(v any) starlark.Value {
	switch v := v.(type) {
	case nil:
		return starlark.None
	case bool:
		return starlark.Bool(v)
	case int64:
		return starlark.MakeInt64(v)
	case string:
		return starlark.String(v)
	case []any:
		list := make([]starlark.Value, len(v))
		for i, e := range v {
			list[i] = toStarlark(e)
		}
		l := starlark.NewList(list)
		l.Freeze()
		return l
	case map[string]any:
		d := starlark.NewDict(len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			_ = d.SetKey(starlark.String(key), toStarlark(v[key])) // strings are hashable
		}
		d.Freeze()
		return d
	}
	panic(fmt.Sprintf("a value of type %T in a history", v))
}

// fromStarlark returns a result of step as a value that a history can hold.
func fromStarlark(v starlark.Value, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("a result is nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return nil, fmt.Errorf("the result %s is too large: histories hold integers of 64 bits", v)
		}
		return n, nil
	case starlark.String:
		return string(v), nil
	case starlark.Tuple:
		return elements(v, depth)
	case *starlark.List:
		return elements(v, depth)
	case *starlark.Dict:
		m := make(map[string]any, v.Len())
		for _, item := range v.Items() {
			name, err := fieldName(item[0])
			if err != nil {
				return nil, err
			}
			if m[name], err = fromStarlark(item[1], depth-1); err != nil {
				return nil, err
			}
		}
		return m, nil
	case *starlarkstruct.Struct:
		m := map[string]any{}
		for _, name := range v.AttrNames() {
			field, err := v.Attr(name)
			if err != nil {
				return nil, err
			}
			if m[name], err = fromStarlark(field, depth-1); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return nil,
		fmt.Errorf(
			"a result of type %s, which no history holds: use None, booleans, integers, strings, lists and dicts",
			v.Type())
}

func elements(v starlark.Indexable, depth int) (any, error) {
	list := make([]any, v.Len())
	for i := range list {
		e, err := fromStarlark(v.Index(i), depth-1)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

// fieldName spells the key of a dict as histories do.
func fieldName(key starlark.Value) (string, error) {
	switch key := key.(type) {
	case starlark.String:
		return string(key), nil
	case starlark.Int, starlark.Bool, starlark.NoneType:
		x, err := fromStarlark(key, 1)
		switch x := x.(type) {
		case int64:
			return strconv.FormatInt(x, 10), nil
		case bool:
			return strconv.FormatBool(x), nil
		}
		return "null", err
	}
	return "", fmt.Errorf("a result has the key %s of type %s: use strings and integers", key, key.Type())
}

// canonical returns v rebuilt and frozen, with the entries of dicts and sets in ascending order of
// their text, and a text that two values share if and only if they are equal and of one type. So a
// step that goes through a dict sees one order, whichever way the state was reached.
func canonical(v starlark.Value, depth int) (starlark.Value, []byte, error) {
	if depth == 0 {
		return nil, nil, fmt.Errorf("a state is nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return v, []byte{'n'}, nil
	case starlark.Bool:
		if v {
			return v, []byte{'t'}, nil
		}
		return v, []byte{'f'}, nil
	case starlark.Int:
		return v, append([]byte(v.String()), ';'), nil
	case starlark.String:
		return v, quoted('s', string(v)), nil
	case starlark.Bytes:
		return v, quoted('b', string(v)), nil
	case starlark.Tuple:
		list, text, err := canonicalList('(', v, depth)
		return starlark.Tuple(list), text, err
	case *starlark.List:
		list, text, err := canonicalList('[', v, depth)
		l := starlark.NewList(list)
		l.Freeze()
		return l, text, err
	case *starlark.Set:
		var members []starlark.Value
		for e := range starlark.Elements(v) {
			members = append(members, e)
		}
		parts, text, err := canonicalParts('<', members, nil, depth)
		s := starlark.NewSet(len(parts))
		for _, p := range parts {
			_ = s.Insert(p.key) // it was hashable before
		}
		s.Freeze()
		return s, text, err
	case *starlark.Dict:
		var keys, values []starlark.Value
		for _, item := range v.Items() {
			keys, values = append(keys, item[0]), append(values, item[1])
		}
		parts, text, err := canonicalParts('{', keys, values, depth)
		d := starlark.NewDict(len(parts))
		for _, p := range parts {
			_ = d.SetKey(p.key, p.value) // it was hashable before
		}
		d.Freeze()
		return d, text, err
	case *starlarkstruct.Struct:
		var keys, values []starlark.Value
		for _, name := range v.AttrNames() {
			field, err := v.Attr(name)
			if err != nil {
				return nil, nil, err
			}
			keys, values = append(keys, starlark.String(name)), append(values, field)
		}
		parts, text, err := canonicalParts('S', keys, values, depth)
		fields := starlark.StringDict{}
		for _, p := range parts {
			fields[string(p.key.(starlark.String))] = p.value
		}
		s := starlarkstruct.FromStringDict(v.Constructor(), fields)
		s.Freeze()
		return s, text, err
	}
	return nil, nil,
		fmt.Errorf(
			"a state holds a value of type %s: use None, booleans, integers, strings, tuples, lists, dicts, sets and "+
				"structs", v.Type())
}

func quoted(kind byte, text string) []byte {
	out := strconv.AppendInt([]byte{kind}, int64(len(text)), 10)
	return append(append(out, ':'), text...)
}

func canonicalList(open byte, v starlark.Indexable, depth int) ([]starlark.Value, []byte, error) {
	list := make([]starlark.Value, v.Len())
	text := []byte{open}
	for i := range list {
		e, t, err := canonical(v.Index(i), depth-1)
		if err != nil {
			return nil, nil, err
		}
		list[i], text = e, append(text, t...)
	}
	return list, append(text, ')'), nil
}

// part is an entry of a dict, a set or a struct.
type part struct {
	key, value starlark.Value
	text       []byte
}

// canonicalParts returns entries in ascending order; a set has no values.
func canonicalParts(open byte, keys, values []starlark.Value, depth int) ([]part, []byte, error) {
	parts := make([]part, len(keys))
	for i, key := range keys {
		var err error
		if parts[i].key, parts[i].text, err = canonical(key, depth-1); err != nil {
			return nil, nil, err
		}
		if values != nil {
			var text []byte
			if parts[i].value, text, err = canonical(values[i], depth-1); err != nil {
				return nil, nil, err
			}
			parts[i].text = append(parts[i].text, text...)
		}
	}
	compare := func(a, b part) int { return slices.Compare(a.text, b.text) }
	sort.Slice(parts, func(i, j int) bool { return compare(parts[i], parts[j]) < 0 })
	text := []byte{open}
	for _, p := range parts {
		text = append(text, p.text...)
	}
	return parts, append(text, '}'), nil
}

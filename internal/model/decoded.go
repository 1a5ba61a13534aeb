package model

import "github.com/linsat/linsat/history"

// Decoded returns a value of a history as plain Go: nil, bool, int64, string, []any, or
// map[string]any, whose keys are spelled as in JSON.
func Decoded(t *history.Values, v history.Value) any {
	switch KindOf(t, v) {
	case KindBool:
		return v == history.True
	case KindInt:
		n, _ := t.AsInt(v)
		return n
	case KindString:
		s, _ := t.AsString(v)
		return s
	case KindList:
		elements, _ := t.AsList(v)
		list := make([]any, len(elements))
		for k, e := range elements {
			list[k] = Decoded(t, e)
		}
		return list
	case KindMap:
		pairs, _ := t.AsMap(v)
		m := make(map[string]any, len(pairs)/2)
		for k := 0; k < len(pairs); k += 2 {
			name, isString := t.AsString(pairs[k])
			if !isString {
				name = t.Format(pairs[k])
			}
			m[name] = Decoded(t, pairs[k+1])
		}
		return m
	}
	return nil
}

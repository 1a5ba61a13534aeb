package model

import (
	"strings"

	"github.com/linsat/linsat/history"
)

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

// Client returns the name of who calls: a process that goes on after an operation of unknown
// outcome is written with another name, 3~2 for the second of 3, since several are open then.
func Client(process string) string {
	at := strings.LastIndexByte(process, '~')
	if at <= 0 || at+1 == len(process) || strings.Trim(process[at+1:], "0123456789") != "" {
		return process
	}
	return process[:at]
}

package model

import "github.com/linsat/linsat/history"

// Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	KindNil Kind = iota
	KindBool
	KindInt
	KindString
	KindList
	KindMap
)

// KindOf returns the kind of v, a value of t.
func KindOf(t *history.Values, v history.Value) Kind {
	switch v {
	case history.Nil:
		return KindNil
	case history.True, history.False:
		return KindBool
	}
	if _, ok := t.AsInt(v); ok {
		return KindInt
	}
	if _, ok := t.AsString(v); ok {
		return KindString
	}
	if _, ok := t.AsList(v); ok {
		return KindList
	}
	return KindMap
}

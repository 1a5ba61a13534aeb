// Package foreign holds what specifications in other languages share: their states have numbers,
// their steps and keys are asked once, many objects become one, and samples of what they return are
// collected. internal/starspec and internal/wasmspec use it.
package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/linsat/linsat/spec"
)

// State is the number of a state. Equal states have the same number.
type State int32

// String is for messages that cannot wait until the other language describes the state.
func (s State) String() string { return fmt.Sprintf("number %d", int32(s)) }

// Outcome is one thing that a call may do.
type Outcome struct {
	Result any
	Any    bool // the result carries no information
	Next   State
}

// Defined returns outcomes as a definition gives them.
func Defined(outcomes []Outcome) []spec.Outcome[State] {
	out := make([]spec.Outcome[State], len(outcomes))
	for i, o := range outcomes {
		if o.Any {
			out[i] = spec.Outcome[State]{Next: o.Next, AnyOutput: true}
		} else {
			out[i] = spec.Outcome[State]{Output: o.Result, Next: o.Next}
		}
	}
	return out
}

// Failure is what a function of a file panics with: the reason is in the file, and it has no Go
// stack to look at.
type Failure struct{ error }

// Deliberate tells a model.Fault that this is a message, not a crash.
func (Failure) Deliberate() {}

// Unwrap returns the reason.
func (f Failure) Unwrap() error { return f.error }

// Failed returns err as a Failure.
func Failed(err error) Failure { return Failure{err} }

// Caught calls f, and returns the reason if it panics with a Failure.
func Caught(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			failed, ok := v.(Failure)
			if !ok {
				panic(v)
			}
			err = failed.error
		}
	}()
	f()
	return nil
}

// appendCall appends a text that equal calls share, and no others.
func appendCall(dst []byte, c spec.Call) []byte {
	dst = appendValue(append(quote(dst, c.F), 'k'), c.Key)
	return appendValue(append(quote(dst, c.Process), 'a'), c.Arg)
}

func quote(dst []byte, text string) []byte {
	return append(append(strconv.AppendInt(dst, int64(len(text)), 10), ':'), text...)
}

func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return append(strconv.AppendInt(append(dst, 'i'), v, 10), ';')
	case string:
		return quote(append(dst, 's'), v)
	case []any:
		dst = append(dst, '[')
		for _, e := range v {
			dst = appendValue(dst, e)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			dst = appendValue(quote(dst, name), v[name])
		}
		return append(dst, '}')
	}
	panic(fmt.Sprintf("a value of type %T in a history", v))
}

// Process returns the name of the process that a sample gives as a string or as an integer, "" for
// none; false if it is neither.
func Process(v any) (name string, ok bool) {
	switch v := v.(type) {
	case nil:
		return "", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case string:
		return v, true
	}
	return "", false
}

// Names reports whether a piece is the key of a call, or its argument, or in its argument. The
// history would not know any other.
func Names(c spec.Call, piece any) bool {
	return piece != nil && (contains(c.Key, piece) || contains(c.Arg, piece))
}

// contains reports whether a decoded value is v or has v in it.
func contains(in, v any) bool {
	switch in := in.(type) {
	case []any:
		return slices.ContainsFunc(in, func(e any) bool { return contains(e, v) })
	case map[string]any:
		for name, e := range in {
			if any(name) == v || contains(e, v) {
				return true
			}
		}
		return false
	}
	return in == v
}

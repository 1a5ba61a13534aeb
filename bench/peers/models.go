//go:build unix

package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/linsat/linsat/history"
)

// The models of the peer, written for it to be fast: inputs are resolved before the clock starts,
// states are integers and strings that == compares, and every model has a hash.

// never is the return time of a pending operation.
const never = int64(history.Never)

// input is an operation: its verb, what it takes and what it gave. Values are those of the history,
// as integers.
type input struct {
	verb    verb
	key     string
	a, b    int32  // value; of a cas, old and new; of a removal or read, what it gave
	text    string // of a map; of a cas the old text, and then the new one
	then    string
	n       int64 // of a counter: what is added or found
	nothing bool  // a removal or read that gave nothing
	unknown bool  // never returned: whatever it may have given is possible
}

type verb uint8

const (
	read verb = iota
	write
	swap
	swapFailed
	insert
	insertFront
	remove
	removeFront
	appendTo
	increase
	decrease
	fetchIncrease
)

var verbs = map[string]map[string]verb{
	"register":     {"read": read, "write": write},
	"cas-register": {"read": read, "write": write, "cas": swap},
	"queue":        {"enq": insert, "deq": remove},
	"stack":        {"push": insert, "pop": remove},
	"deque":        {"pushback": insert, "pushfront": insertFront, "popback": remove, "popfront": removeFront},
	"counter":      {"read": read, "inc": increase, "dec": decrease, "getandinc": fetchIncrease},
	"kv":           {"get": read, "put": write, "append": appendTo, "delete": write, "cas": swap},
}

var seed = maphash.MakeSeed()

// translate converts a history to the peer's operations. Pending operations return after everything
// else. Each of them is possible in every state if its result is free, so taking effect at the very
// end is equivalent to not taking effect. It returns an error for operations that the models do not
// have.
func translate(h *history.History) ([]porcupine.Operation, error) {
	if len(h.Edges) > 0 {
		return nil, fmt.Errorf("the peer knows no explicit order")
	}
	ops := make([]porcupine.Operation, len(h.Ops))
	for i, o := range h.Ops {
		name, _ := h.Values.AsString(o.F)
		v, ok := verbs[h.Spec][name]
		if !ok {
			return nil, fmt.Errorf("no model for %s of %s", name, h.Spec)
		}
		in := input{verb: v, unknown: o.Unknown}
		if o.Key != history.NoKey {
			in.key = h.Values.Format(o.Key)
		}
		value := o.Arg
		if v == read || v == remove || v == removeFront || v == fetchIncrease {
			value = o.Result
		}
		switch {
		case h.Spec == "counter":
			if in.n, ok = h.Values.AsInt(value); !ok && (v == increase || v == decrease) {
				in.n = 1
			}
			if v == fetchIncrease && o.Arg != history.Nil {
				return nil, fmt.Errorf("no model for %s with an argument", name)
			}
		case v == swap:
			pair, isList := h.Values.AsList(o.Arg)
			if !isList || len(pair) != 2 {
				return nil, fmt.Errorf("a cas takes two values")
			}
			in.a, in.b = int32(pair[0]), int32(pair[1])
			in.text, _ = h.Values.AsString(pair[0])
			in.then, _ = h.Values.AsString(pair[1])
			if o.Result == h.Values.Bool(false) && !o.Unknown {
				in.verb = swapFailed
			}
		case h.Spec == "kv":
			in.text, _ = h.Values.AsString(value)
		default:
			in.a, in.nothing = int32(value), value == history.Nil
		}
		ret := never
		if !o.Pending() {
			ret = int64(o.Return)
		}
		ops[i] = porcupine.Operation{ClientId: int(o.Process), Input: in, Call: int64(o.Call), Return: ret}
	}
	return ops, nil
}

// modelFor is the peer's model for a history, partitioned by key unless whole.
func modelFor(h *history.History, whole bool) (porcupine.Model, error) {
	switch h.Spec {
	case "register", "cas-register":
		initial := history.Nil
		if h.HasInitial {
			initial = h.Initial
		}
		return registerModel(int32(initial)), nil
	case "queue":
		return listModel(true), nil
	case "stack":
		return listModel(false), nil
	case "deque":
		return listModel(false), nil
	case "counter":
		initial, _ := h.Values.AsInt(h.Initial)
		return counterModel(initial), nil
	case "kv":
		if whole {
			return wholeMapModel(), nil
		}
		return mapModel(), nil
	}
	return porcupine.Model{}, fmt.Errorf("no model for %s", h.Spec)
}

func registerModel(initial int32) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(state, in, _ any) (bool, any) {
			s, o := state.(int32), in.(input)
			switch o.verb {
			case read:
				return o.unknown || s == o.a, state
			case write:
				return true, o.a
			case swap:
				if s == o.a {
					return true, o.b
				}
				return o.unknown, state
			}
			return s != o.a, state // a cas that failed
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state.(int32)) },
	}
}

func counterModel(initial int64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(state, in, _ any) (bool, any) {
			s, o := state.(int64), in.(input)
			switch o.verb {
			case increase:
				return true, s + o.n
			case decrease:
				return true, s - o.n
			case fetchIncrease:
				return o.unknown || s == o.n, s + 1
			}
			return o.unknown || s == o.n, state
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state.(int64)) },
	}
}

// listModel is a queue, a stack or a deque: four bytes a value, the front first. The removals of a
// queue are from the front.
func listModel(fifo bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, in, _ any) (bool, any) {
			s, o := state.(string), in.(input)
			switch o.verb {
			case insert:
				return true, s + word(o.a)
			case insertFront:
				return true, word(o.a) + s
			}
			if s == "" {
				return o.nothing || o.unknown, state
			}
			item, rest := s[len(s)-4:], s[:len(s)-4]
			if fifo || o.verb == removeFront {
				item, rest = s[:4], s[4:]
			}
			return o.unknown || !o.nothing && item == word(o.a), rest
		},
		Hash: hashString,
	}
}

func word(v int32) string {
	return string([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

func hashString(state any) uint64 { return maphash.String(seed, state.(string)) }

// onText is what an operation does to the string under a key; an absent key holds "", so that
// histories may not store empty texts.
func onText(s string, o input) (bool, string) {
	switch o.verb {
	case read:
		return o.unknown || s == o.text, s
	case write:
		return true, o.text
	case swap:
		if s == o.text {
			return true, o.then
		}
		return o.unknown, s
	case swapFailed:
		return s != o.text, s
	}
	return true, s + o.text
}

func mapModel() porcupine.Model {
	return porcupine.Model{
		Partition: func(ops []porcupine.Operation) [][]porcupine.Operation {
			byKey := map[string][]porcupine.Operation{}
			for _, o := range ops {
				k := o.Input.(input).key
				byKey[k] = append(byKey[k], o)
			}
			var all [][]porcupine.Operation
			for _, k := range slices.Sorted(maps.Keys(byKey)) {
				all = append(all, byKey[k])
			}
			return all
		},
		Init: func() any { return "" },
		Step: func(state, in, _ any) (bool, any) {
			ok, next := onText(state.(string), in.(input))
			return ok, next
		},
		Hash: hashString,
	}
}

func wholeMapModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return map[string]string{} },
		Step: func(state, in, _ any) (bool, any) {
			s, o := state.(map[string]string), in.(input)
			ok, next := onText(s[o.key], o)
			if !ok || next == s[o.key] {
				return ok, state
			}
			t := maps.Clone(s)
			t[o.key] = next
			return true, t
		},
		Equal: func(a, b any) bool { return maps.Equal(a.(map[string]string), b.(map[string]string)) },
		Hash: func(state any) uint64 {
			var sum uint64
			for k, v := range state.(map[string]string) {
				sum += maphash.String(seed, k+"\x00"+v)
			}
			return sum
		},
	}
}

// fastlinText writes a history in the format of fastlin, "# spec" and a line per operation. It
// returns an error for what that format cannot express.
func fastlinText(h *history.History) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", h.Spec)
	for _, o := range h.Ops {
		name, _ := h.Values.AsString(o.F)
		if h.Spec == "set" {
			if err := fastlinSet(&b, h, o, name); err != nil {
				return "", err
			}
			continue
		}
		v, ok := verbs[h.Spec][name]
		if !ok || v != insert && v != remove {
			return "", fmt.Errorf("fastlin has no %s", name)
		}
		value := o.Arg
		if v == remove {
			value = o.Result
		}
		n, ok := h.Values.AsInt(value)
		if value == history.Nil {
			n, ok = -1, v == remove
		}
		if !ok || o.Pending() {
			return "", fmt.Errorf("fastlin takes integers and operations that return")
		}
		fmt.Fprintf(&b, "%s %d %d %d\n", name, n, o.Call, o.Return)
	}
	return b.String(), nil
}

// fastlinSet writes an operation on a set. A failed insertion or removal is none that fastlin
// knows.
func fastlinSet(b *strings.Builder, h *history.History, o history.Op, name string) error {
	n, ok := h.Values.AsInt(o.Arg)
	switch {
	case !ok || o.Pending():
		return fmt.Errorf("fastlin takes integers and operations that return")
	case name == "contains" && (o.Result == history.True || o.Result == history.False):
		name = map[history.Value]string{history.True: "contains_true", history.False: "contains_false"}[o.Result]
	case name != "insert" && name != "remove" || o.Result != history.True:
		return fmt.Errorf("fastlin has no %s of a set with such a result", name)
	}
	fmt.Fprintf(b, "%s %d %d %d\n", name, n, o.Call, o.Return)
	return nil
}

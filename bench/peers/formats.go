//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
)

// The formats of peers that are programs. A refusal says in a few words why a peer does not take a
// history.

// Refusals.
const (
	refusesSpec     = "no such object"
	refusesPending  = "complete histories only"
	refusesRepeated = "distinct values only"
	refusesValue    = "integers only"
)

// onceEach reports whether no value is inserted twice.
func onceEach(h *history.History) bool {
	seen := map[history.Value]bool{}
	for i := range h.Ops {
		if v := h.Ops[i].Arg; v != history.Nil {
			if seen[v] {
				return false
			}
			seen[v] = true
		}
	}
	return true
}

// distinctText is fastlin's format. fastlin takes each value to be inserted once.
func distinctText(h *history.History) (text, refusal string) {
	if h.Spec != "queue" && h.Spec != "stack" {
		return "", refusesSpec
	}
	if !onceEach(h) {
		return "", refusesRepeated
	}
	text, err := fastlinText(h)
	if err != nil {
		return "", err.Error()
	}
	return text, ""
}

// lines writes a line for each operation that a tool calls by one of the names.
func lines(h *history.History, header string, names map[string]string, line func(o *history.Op, name string,
	value int64) string) (text, refusal string) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", header)
	for i := range h.Ops {
		o := &h.Ops[i]
		f, _ := h.Values.AsString(o.F)
		name, ok := names[f]
		if !ok {
			return "", refusesSpec
		}
		if o.Pending() {
			return "", refusesPending
		}
		value, found := o.Arg, int64(-1)
		if value == history.Nil {
			value = o.Result
		}
		if value != history.Nil {
			if found, ok = h.Values.AsInt(value); !ok || found == -1 {
				return "", refusesValue
			}
		}
		b.WriteString(line(o, name, found))
	}
	return b.String(), ""
}

// polylinText is PolyLin's format, which is fastlin's with deques.
func polylinText(h *history.History) (text, refusal string) {
	names := map[string]map[string]string{
		"queue": {"enq": "enq", "deq": "deq"},
		"stack": {"push": "push", "pop": "pop"},
		"deque": {"pushfront": "push_front", "pushback": "push_back", "popfront": "pop_front", "popback": "pop_back"},
	}[h.Spec]
	switch {
	case names == nil:
		return "", refusesSpec
	case !onceEach(h):
		return "", refusesRepeated
	}
	return lines(h, h.Spec, names, func(o *history.Op, name string, value int64) string {
		return fmt.Sprintf("%s %d %d %d\n", name, value, o.Call, o.Return)
	})
}

// fptlinText is FPTLin's format. It finds out by the overlap how many processes there are, so each
// operation keeps its own.
func fptlinText(h *history.History) (text, refusal string) {
	names := map[string]map[string]string{"queue": {"enq": "ENQ", "deq": "DEQ"},
		"stack": {"push": "PUSH", "pop": "POP"}}[h.Spec]
	if names == nil {
		return "", refusesSpec
	}
	return lines(h, h.Spec, names, func(o *history.Op, name string, value int64) string {
		return fmt.Sprintf("%d %d %d %s %d\n", o.Process, o.Call, o.Return, name, value)
	})
}

package isolationtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// Parse reads a history: a transaction a line, its accesses first:
//
//	x=1 y+2 x:1 y:[1 2] | session 3 | time 1 4 | open
//
// writes 1 to x, appends 2 to y, reads 1 of x, reads a list of y. Registers have 0 at the start.
// Without a session each has its own; without times all overlap; "aborted" instead of "open".
// It panics on what it does not understand.
func Parse(text string) *isolation.History {
	p := parser{h: &isolation.History{}}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		p.txn(strings.Split(line, "|"))
	}
	return p.h
}

var accesses = regexp.MustCompile(`[^\s\[]+(\[[^\]]*\])?`)

type parser struct{ h *isolation.History }

func (p *parser) txn(parts []string) {
	n := len(p.h.Txns)
	t := isolation.Txn{Op: history.OpID(n), Session: int32(1000 + n)}
	t.Call, t.Return = history.Rank(n), history.Rank(1000+n)
	for _, w := range accesses.FindAllString(parts[0], -1) {
		t.Accesses = append(t.Accesses, p.access(w))
	}
	for _, part := range parts[1:] {
		var a, b int
		switch part = strings.TrimSpace(part); {
		case part == "open":
			t.Status, t.Return = isolation.Open, history.Never
		case part == "aborted":
			t.Status = isolation.Aborted
		case scan(part, "session %d", &a):
			t.Session = int32(a)
		case scan(part, "time %d %d", &a, &b):
			t.Call, t.Return = history.Rank(a), history.Rank(b)
		default:
			panic(fmt.Sprintf("%q is no property of a transaction", part))
		}
	}
	p.h.Txns = append(p.h.Txns, t)
}

func scan(s, format string, into ...any) bool {
	n, err := fmt.Sscanf(s, format, into...)
	return err == nil && n == len(into)
}

// access reads x=1, x+1, x:1 or x:[1 2].
func (p *parser) access(w string) isolation.Access {
	k := strings.IndexAny(w, "=+:")
	if k <= 0 {
		panic(fmt.Sprintf("%q is no access", w))
	}
	list := w[k] == '+' || w[k+1] == '['
	a := isolation.Access{Object: p.object(w[:k], list)}
	switch {
	case w[k] == '=':
		a.Kind = isolation.Write
	case w[k] == '+':
		a.Kind = isolation.Append
	case list:
		for _, v := range strings.Fields(strings.Trim(w[k+1:], "[]")) {
			a.List = append(a.List, p.value(v))
		}
		return a
	}
	a.Value = p.value(w[k+1:])
	return a
}

func (p *parser) object(name string, list bool) int32 {
	k := slices.IndexFunc(p.h.Objects, func(o isolation.Object) bool { return o.Name == name })
	if k < 0 {
		k = len(p.h.Objects)
		o := isolation.Object{Name: name, List: list}
		if !list {
			o.Initial = p.value("0")
		}
		p.h.Objects = append(p.h.Objects, o)
	}
	if p.h.Objects[k].List != list {
		panic(name + " is a list and a register")
	}
	return int32(k)
}

func (p *parser) value(text string) int32 {
	k := slices.Index(p.h.Values, text)
	if k < 0 {
		k = len(p.h.Values)
		p.h.Values = append(p.h.Values, text)
	}
	return int32(k)
}

// Format writes a history as Parse reads it.
func Format(h *isolation.History) string {
	var b strings.Builder
	for t := range h.Txns {
		x := &h.Txns[t]
		for _, a := range x.Accesses {
			o := h.Objects[a.Object]
			switch {
			case a.Kind == isolation.Write:
				fmt.Fprintf(&b, "%s=%s ", o.Name, h.Values[a.Value])
			case a.Kind == isolation.Append:
				fmt.Fprintf(&b, "%s+%s ", o.Name, h.Values[a.Value])
			case o.List:
				values := make([]string, len(a.List))
				for k, v := range a.List {
					values[k] = h.Values[v]
				}
				fmt.Fprintf(&b, "%s:[%s] ", o.Name, strings.Join(values, " "))
			default:
				fmt.Fprintf(&b, "%s:%s ", o.Name, h.Values[a.Value])
			}
		}
		b.WriteString("| session " + strconv.Itoa(int(x.Session)))
		switch x.Status {
		case isolation.Open:
			fmt.Fprintf(&b, " | time %d 0 | open", x.Call)
		case isolation.Aborted:
			fmt.Fprintf(&b, " | time %d %d | aborted", x.Call, x.Return)
		default:
			fmt.Fprintf(&b, " | time %d %d", x.Call, x.Return)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

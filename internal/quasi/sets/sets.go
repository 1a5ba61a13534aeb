// Package sets says which operations belong to a set of operations that a factor bounds (Round-Up,
// Definition 3).
package sets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Terms reads the text of a set, "enq(1|3)+deq": the operations of a class, or those with a name,
// and if values are given only those with one of them.
func Terms(info model.Info, text string) ([]Term, error) {
	var all []Term
	for _, item := range Split(text, '+') {
		item = strings.TrimSpace(item)
		name, values, valued := strings.Cut(item, "(")
		name = strings.TrimSpace(name)
		t := Term{operations: operations(info, name)}
		if t.operations == nil {
			return nil, fmt.Errorf("%s has no class or operation %q", info.Name, name)
		}
		if valued {
			inner, closed := strings.CutSuffix(values, ")")
			if !closed || strings.TrimSpace(inner) == "" {
				return nil, fmt.Errorf("malformed set %q (want values in parentheses, such as enq(1|3))", item)
			}
			for _, v := range Split(inner, '|') {
				t.values = append(t.values, strings.TrimSpace(v))
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// Split divides text at a character, except within quotes or parentheses.
func Split(text string, at byte) []string {
	var parts []string
	from, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == at && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// Term is a part of a set.
type Term struct {
	operations []string // canonical names
	values     []string // in JSON, or strings without quotes; nil: all
}

// operations returns the canonical names of the operations that a name stands for, nil for none.
func operations(info model.Info, name string) []string {
	for _, c := range info.Classes {
		if c.Name == name {
			return c.Operations
		}
	}
	if n := canonical(info, name); n != "" {
		return []string{n}
	}
	return nil
}

func canonical(info model.Info, name string) string {
	for _, o := range info.Operations {
		if o.Name == name || slices.Contains(o.Aliases, name) {
			return o.Name
		}
	}
	return ""
}

// Members says of each operation of b's partition whether it belongs to the set. The value of an
// operation is its argument, or its result if it has no argument. An operation that is pending, or
// whose result is unknown, as that of a drain is, has no result here.
func Members(b *model.Instance, text string) ([]bool, error) {
	info, values := b.Spec.Info(), b.Partition.History.Values
	terms, err := Terms(info, text)
	if err != nil {
		return nil, err
	}
	in := make([]bool, b.Partition.Len())
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		name := info.Drain
		if o.F != model.DrainName {
			called, _ := values.AsString(o.F)
			name = canonical(info, called)
		}
		value, known := o.Arg, true
		if value == history.Nil {
			value, known = o.Result, !o.Unknown && !o.Pending()
		}
		for _, t := range terms {
			if !slices.Contains(t.operations, name) {
				continue
			}
			if t.values == nil || known && (slices.Contains(t.values, values.Format(value)) ||
				slices.ContainsFunc(t.values, func(v string) bool {
					return strconv.Quote(v) == values.Format(value)
				})) {
				in[i] = true
			}
		}
	}
	return in, nil
}

package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// String writes the test as ParseCase reads it: threads separated by |, operations by spaces, with
// serial operations before or after them: "enq(1); deq() enq(2) | deq(); deq()".
func (c *Case) String() string {
	threads := make([]string, len(c.Threads))
	for i, calls := range c.Threads {
		threads[i] = joinCalls(calls)
	}
	s := strings.Join(threads, " | ")
	if len(c.Before) > 0 || len(c.After) > 0 {
		s = joinCalls(c.Before) + "; " + s
	}
	if len(c.After) > 0 {
		s += "; " + joinCalls(c.After)
	}
	return s
}

func joinCalls(calls []Call) string {
	words := make([]string, len(calls))
	for i, c := range calls {
		words[i] = c.String()
	}
	return strings.Join(words, " ")
}

// ParseCase reads a test: threads separated by |, operations by spaces, each a name with an
// argument in JSON in parentheses, or without one. Serial operations before and after the threads
// are separated by semicolons: "push(1) pop | pop", "enq(1); deq | deq", "enq(1); deq | enq(2); deq
// deq".
func ParseCase(o *Object, text string) (*Case, error) {
	c := &Case{Object: o}
	p := caseParser{rest: text}
	parts := [][][]Call{{nil}}
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\n")
		last := &parts[len(parts)-1]
		switch {
		case p.rest == "":
			return c, c.assemble(parts, text)
		case p.rest[0] == '|':
			*last = append(*last, nil)
			p.rest = p.rest[1:]
		case p.rest[0] == ';':
			parts = append(parts, [][]Call{nil})
			p.rest = p.rest[1:]
		default:
			call, err := p.call()
			if err != nil {
				return nil, fmt.Errorf("test %q: %w", text, err)
			}
			thread := &(*last)[len(*last)-1]
			*thread = append(*thread, call)
		}
	}
}

// assemble assigns the parts of the text to Before, Threads and After.
func (c *Case) assemble(parts [][][]Call, text string) error {
	threads := 0
	switch len(parts) {
	case 1:
	case 2, 3:
		threads = 1
		c.Before = parts[0][0]
		if len(parts) == 3 {
			c.After = parts[2][0]
		}
	default:
		return fmt.Errorf("test %q: more than two semicolons", text)
	}
	for i, part := range parts {
		if i != threads && len(part) > 1 {
			return fmt.Errorf(
				"test %q: only one part has threads: the first, or the second of \"before; threads\" and \"before; "+
					"threads; after\"", text)
		}
	}
	c.Threads = parts[threads]
	for _, calls := range c.Threads {
		if len(calls) == 0 {
			return fmt.Errorf("test %q: a thread without operations", text)
		}
	}
	return nil
}

type caseParser struct{ rest string }

// call reads name or name(argument).
func (p *caseParser) call() (Call, error) {
	n := strings.IndexAny(p.rest, "(|; \t\n")
	if n < 0 {
		n = len(p.rest)
	}
	c := Call{F: p.rest[:n]}
	p.rest = p.rest[n:]
	if c.F != "" && strings.ContainsRune("0123456789-\"[{", rune(c.F[0])) {
		return c, fmt.Errorf("%s is not the name of an operation; write arguments in parentheses, as in push(1)", c.F)
	}
	if c.F == "" {
		return c, errors.New("an argument without an operation before it")
	}
	if !strings.HasPrefix(p.rest, "(") {
		return c, nil
	}
	p.rest = p.rest[1:]
	if after, ok := strings.CutPrefix(p.rest, ")"); ok {
		p.rest = after
		return c, nil
	}
	d := json.NewDecoder(strings.NewReader(p.rest))
	d.UseNumber()
	if err := d.Decode(&c.Arg); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the text ends")
		}
		return c, fmt.Errorf("argument of %s is not JSON: %w", c.F, err)
	}
	arg, err := integers(c.Arg)
	if err != nil {
		return c, fmt.Errorf("argument of %s: %w", c.F, err)
	}
	c.Arg = arg
	p.rest = strings.TrimLeft(p.rest[d.InputOffset():], " \t\n")
	after, ok := strings.CutPrefix(p.rest, ")")
	if !ok {
		return c, fmt.Errorf("%s takes one argument, in parentheses", c.F)
	}
	p.rest = after
	return c, nil
}

// integers turns the numbers of JSON into ints.
func integers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is not an integer", v)
		}
		return int(n), nil
	case []any:
		for i := range v {
			e, err := integers(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = e
		}
	case map[string]any:
		for k := range v {
			e, err := integers(v[k])
			if err != nil {
				return nil, err
			}
			v[k] = e
		}
	}
	return v, nil
}

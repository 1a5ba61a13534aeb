package lex

import (
	"bytes"
	"fmt"
)

// Streaming JSON (RFC 8259) with line numbers and exact integers.
// What: a cursor over a source, with one method for each kind of JSON value. No tree is built;
// values are interned directly (json_values.go).
//
// Why not a library: docs/decisions/json-reader.md. In short, encoding/json takes most
// of the time budget and reports no lines inside one large document.
//
// Invariants: every method consumes exactly one JSON value or fails for good; a
// nested value is at most maxDepth deep. FuzzJSON compares what is accepted with encoding/json.

type JsonText struct {
	*Source
	Depth int
}

// Space consumes white space and returns the byte after it, or false at the end.
func (l *JsonText) Space() (byte, bool) {
	if l.Pos < l.End && l.Buf[l.Pos] > ' ' {
		return l.Buf[l.Pos], true
	}
	for {
		for l.Pos < l.End {
			c := l.Buf[l.Pos]
			switch c {
			case '\n':
				l.Line++
			case ' ', '\t', '\r':
			default:
				return c, true
			}
			l.Pos++
		}
		if !l.fill() {
			return 0, false
		}
	}
}

// Token is space for places where the input must not end.
func (l *JsonText) Token(inside string) (byte, error) {
	c, ok := l.Space()
	if !ok {
		return 0, l.Truncated(inside)
	}
	return c, nil
}

func (l *JsonText) Syntax(what string) error {
	return NewError(l.Line, what,
		"the input is not valid JSON at this place")
}

// Shown describes a byte for a message.
func Shown(c byte) string {
	if c < ' ' || c >= 0x7f {
		return fmt.Sprintf("byte 0x%02x", c)
	}
	return fmt.Sprintf("%q", c)
}

// expect consumes c.
func (l *JsonText) expect(c byte, inside string) error {
	got, err := l.Token(inside)
	if err != nil {
		return err
	}
	if got != c {
		return l.Syntax(fmt.Sprintf("%s where %q belongs, in %s", Shown(got), c, inside))
	}
	l.Pos++
	return nil
}

// Want checks that the value of a field begins with c.
func (l *JsonText) Want(c byte, field, kind string) error {
	got, ok := l.Space()
	if !ok {
		return l.Truncated(`"` + field + `"`)
	}
	if got != c && !(c == '0' && (got == '-' || '0' <= got && got <= '9')) {
		return NewError(l.Line, fmt.Sprintf("%q is %s, not %s", field, l.Kind(), kind),
			fmt.Sprintf("write %s as %s", field, kind))
	}
	return nil
}

// Object calls field for each member; field consumes the value, until which the key is valid. No
// name may stand twice.
func (l *JsonText) Object(inside string, field func(key []byte) error) error {
	if err := l.expect('{', inside); err != nil {
		return err
	}
	if err := l.deeper(); err != nil {
		return err
	}
	c, err := l.Token(inside)
	if err != nil {
		return err
	}
	var had names
	for first := true; c != '}'; first = false {
		if !first {
			if c != ',' {
				return l.Syntax(fmt.Sprintf("%s where ',' or '}' belongs, in %s", Shown(c), inside))
			}
			l.Pos++
			if c, err = l.Token(inside); err != nil {
				return err
			}
		}
		if c != '"' {
			return l.Syntax(fmt.Sprintf("%s where a name in quotes belongs, in %s", Shown(c), inside))
		}
		key, err := l.Str()
		if err != nil {
			return err
		}
		if had.again(key) {
			return l.twice(key, inside)
		}
		// The colon comes first, as finding it may refill the buffer that key lies in.
		if l.Pos < l.End && l.Buf[l.Pos] == ':' {
			l.Pos++
		} else {
			key = bytes.Clone(key)
			if err := l.expect(':', inside); err != nil {
				return err
			}
		}
		if err := field(key); err != nil {
			return err
		}
		if c, err = l.Token(inside); err != nil {
			return err
		}
	}
	l.Pos++
	l.Depth--
	return nil
}

// Array calls element for each element, which consumes it.
func (l *JsonText) Array(inside string, element func() error) error {
	if err := l.expect('[', inside); err != nil {
		return err
	}
	if err := l.deeper(); err != nil {
		return err
	}
	c, err := l.Token(inside)
	if err != nil {
		return err
	}
	for first := true; c != ']'; first = false {
		if !first {
			if c != ',' {
				return l.Syntax(fmt.Sprintf("%s where ',' or ']' belongs, in %s", Shown(c), inside))
			}
			l.Pos++
		}
		if err := element(); err != nil {
			return err
		}
		if c, err = l.Token(inside); err != nil {
			return err
		}
	}
	l.Pos++
	l.Depth--
	return nil
}

func (l *JsonText) deeper() error {
	if l.Depth++; l.Depth > MaxDepth {
		return TooDeep(l.Line)
	}
	return nil
}

// literal consumes true, false or null, which it returns as 2, 1 or 0.
func (l *JsonText) literal() (int32, error) {
	l.scratch = l.scratch[:0]
	for {
		c, ok := l.Peek()
		if !ok || !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') || len(l.scratch) > 20 {
			break
		}
		l.scratch = append(l.scratch, c)
		l.Pos++
	}
	switch string(l.scratch) {
	case "null":
		return 0, nil
	case "true":
		return 2, nil
	case "false":
		return 1, nil
	case "":
		c, ok := l.Peek()
		if !ok {
			return 0, l.Truncated("a value")
		}
		return 0, l.Syntax(fmt.Sprintf("%s where a value belongs", Shown(c)))
	}
	if _, ok := l.Peek(); !ok && l.Depth > 0 {
		return 0, l.Truncated("a value")
	}
	return 0, l.Syntax(fmt.Sprintf("%q is not a value", l.scratch))
}

// Ignore consumes any value without keeping it. Numbers of any form are allowed.
func (l *JsonText) Ignore() error {
	c, err := l.Token("a value")
	if err != nil {
		return err
	}
	switch {
	case c == '"':
		_, err = l.Str()
	case c == '-' || '0' <= c && c <= '9':
		_, err = l.Number()
	case c == '[':
		err = l.Array("a list", l.Ignore)
	case c == '{':
		err = l.Object("a map", func([]byte) error { return l.Ignore() })
	default:
		_, err = l.literal()
	}
	return err
}

// Kind describes the next value, for messages.
func (l *JsonText) Kind() string {
	c, _ := l.Space() // never at the end: the caller has seen a byte
	switch {
	case c == '"':
		return "a string"
	case c == '-' || '0' <= c && c <= '9':
		return "a number"
	case c == '[':
		return "a list"
	case c == '{':
		return "a map"
	case c == 't' || c == 'f':
		return "a boolean"
	case c == 'n':
		return "null"
	}
	return Shown(c)
}

// DocumentsOf calls read for every object of an input that is a list of objects, or one object
// after the other.
func (l *JsonText) DocumentsOf(what string, read func() error) error {
	object := func() error {
		if c, err := l.Token(what); err != nil || c != '{' {
			if err == nil {
				err = NewError(l.Line, fmt.Sprintf("%s where %s belongs", l.Kind(), what), "")
			}
			return err
		}
		return read()
	}
	c, ok := l.Space()
	if ok && c == '[' {
		if err := l.Array("the list", object); err != nil {
			return err
		}
		if c, ok = l.Space(); ok {
			return l.Syntax(fmt.Sprintf("%s after the end of the list", Shown(c)))
		}
	}
	for ok {
		if err := object(); err != nil {
			return err
		}
		_, ok = l.Space()
	}
	if l.Failed() {
		return l.Fault()
	}
	return nil
}

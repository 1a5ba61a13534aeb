package history

import (
	"bytes"
	"fmt"
)

// Streaming JSON (RFC 8259) with line numbers and exact integers.
// What: a cursor over a source, with one method for each kind of JSON value. No tree is built;
// values are interned directly.
//
// Why not a library: docs/decisions/json-reader.md. In short, encoding/json takes most
// of the time budget and reports no lines inside one large document.
//
// Invariants: every method consumes exactly one JSON value or fails for good; a
// nested value is at most maxDepth deep. FuzzJSON compares what is accepted with encoding/json.

type jsonLexer struct {
	*source
	values *Values
	stack  []Value // elements of the lists and maps that are being read
	depth  int

	opaque  bool  // value reads numbers that are not integers of 64 bits as strings
	inexact error // what is wrong with the last such number
}

// space consumes white space and returns the byte after it, or false at the end.
func (l *jsonLexer) space() (byte, bool) {
	if l.pos < l.end && l.buf[l.pos] > ' ' {
		return l.buf[l.pos], true
	}
	for {
		for l.pos < l.end {
			c := l.buf[l.pos]
			switch c {
			case '\n':
				l.line++
			case ' ', '\t', '\r':
			default:
				return c, true
			}
			l.pos++
		}
		if !l.fill() {
			return 0, false
		}
	}
}

// token is space for places where the input must not end.
func (l *jsonLexer) token(inside string) (byte, error) {
	c, ok := l.space()
	if !ok {
		return 0, l.truncated(inside)
	}
	return c, nil
}

func (l *jsonLexer) syntax(what string) error {
	return &Error{Line: l.line, What: what, Hint: "the input is not valid JSON at this place", syntax: true}
}

// shown describes a byte for a message.
func shown(c byte) string {
	if c < ' ' || c >= 0x7f {
		return fmt.Sprintf("byte 0x%02x", c)
	}
	return fmt.Sprintf("%q", c)
}

// expect consumes c.
func (l *jsonLexer) expect(c byte, inside string) error {
	got, err := l.token(inside)
	if err != nil {
		return err
	}
	if got != c {
		return l.syntax(fmt.Sprintf("%s where %q belongs, in %s", shown(got), c, inside))
	}
	l.pos++
	return nil
}

// want checks that the value of a field begins with c.
func (l *jsonLexer) want(c byte, field, kind string) error {
	got, ok := l.space()
	if !ok {
		return l.truncated(`"` + field + `"`)
	}
	if got != c && !(c == '0' && (got == '-' || '0' <= got && got <= '9')) {
		return &Error{Line: l.line, What: fmt.Sprintf("%q is %s, not %s", field, l.kind(), kind),
			Hint: fmt.Sprintf("write %s as %s", field, kind)}
	}
	return nil
}

// object calls field for each member; field consumes the value, until which the key is valid. No
// name may stand twice.
func (l *jsonLexer) object(inside string, field func(key []byte) error) error {
	if err := l.expect('{', inside); err != nil {
		return err
	}
	if err := l.deeper(); err != nil {
		return err
	}
	c, err := l.token(inside)
	if err != nil {
		return err
	}
	var had names
	for first := true; c != '}'; first = false {
		if !first {
			if c != ',' {
				return l.syntax(fmt.Sprintf("%s where ',' or '}' belongs, in %s", shown(c), inside))
			}
			l.pos++
			if c, err = l.token(inside); err != nil {
				return err
			}
		}
		if c != '"' {
			return l.syntax(fmt.Sprintf("%s where a name in quotes belongs, in %s", shown(c), inside))
		}
		key, err := l.str()
		if err != nil {
			return err
		}
		if had.again(key) {
			return l.twice(key, inside)
		}
		// The colon comes first, as finding it may refill the buffer that key lies in.
		if l.pos < l.end && l.buf[l.pos] == ':' {
			l.pos++
		} else {
			key = bytes.Clone(key)
			if err := l.expect(':', inside); err != nil {
				return err
			}
		}
		if err := field(key); err != nil {
			return err
		}
		if c, err = l.token(inside); err != nil {
			return err
		}
	}
	l.pos++
	l.depth--
	return nil
}

// array calls element for each element, which consumes it.
func (l *jsonLexer) array(inside string, element func() error) error {
	if err := l.expect('[', inside); err != nil {
		return err
	}
	if err := l.deeper(); err != nil {
		return err
	}
	c, err := l.token(inside)
	if err != nil {
		return err
	}
	for first := true; c != ']'; first = false {
		if !first {
			if c != ',' {
				return l.syntax(fmt.Sprintf("%s where ',' or ']' belongs, in %s", shown(c), inside))
			}
			l.pos++
		}
		if err := element(); err != nil {
			return err
		}
		if c, err = l.token(inside); err != nil {
			return err
		}
	}
	l.pos++
	l.depth--
	return nil
}

func (l *jsonLexer) deeper() error {
	if l.depth++; l.depth > maxDepth {
		return tooDeep(l.line)
	}
	return nil
}

// literal consumes true, false or null.
func (l *jsonLexer) literal() (Value, error) {
	l.scratch = l.scratch[:0]
	for {
		c, ok := l.peek()
		if !ok || !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') || len(l.scratch) > 20 {
			break
		}
		l.scratch = append(l.scratch, c)
		l.pos++
	}
	switch string(l.scratch) {
	case "null":
		return Nil, nil
	case "true":
		return True, nil
	case "false":
		return False, nil
	case "":
		c, ok := l.peek()
		if !ok {
			return Nil, l.truncated("a value")
		}
		return Nil, l.syntax(fmt.Sprintf("%s where a value belongs", shown(c)))
	}
	if _, ok := l.peek(); !ok && l.depth > 0 {
		return Nil, l.truncated("a value")
	}
	return Nil, l.syntax(fmt.Sprintf("%q is not a value", l.scratch))
}

// value consumes any value and interns it.
func (l *jsonLexer) value() (Value, error) {
	c, err := l.token("a value")
	if err != nil {
		return Nil, err
	}
	switch {
	case c == '"':
		s, err := l.str()
		if err != nil {
			return Nil, err
		}
		return l.values.StringBytes(s), nil
	case (c == '-' || '0' <= c && c <= '9') && l.opaque:
		text, err := l.number()
		if err != nil {
			return Nil, err
		}
		n, err := l.wholeNumber(text)
		if err != nil {
			l.inexact = err
			return l.values.String(text), nil
		}
		return l.values.Int(n), nil
	case c == '-' || '0' <= c && c <= '9':
		n, err := l.integer()
		if err != nil {
			return Nil, err
		}
		return l.values.Int(n), nil
	case c == '[':
		base := len(l.stack)
		err := l.array("a list", func() error { return l.push(l.value()) })
		if err != nil {
			return Nil, err
		}
		v := l.values.List(l.stack[base:])
		l.stack = l.stack[:base]
		return v, nil
	case c == '{':
		base := len(l.stack)
		err := l.object("a map", func(key []byte) error {
			l.stack = append(l.stack, l.values.StringBytes(key))
			return l.push(l.value())
		})
		if err != nil {
			return Nil, err
		}
		v := l.values.Map(l.stack[base:])
		l.stack = l.stack[:base]
		return v, nil
	}
	return l.literal()
}

func (l *jsonLexer) push(v Value, err error) error {
	if l.limit > 0 && int64(len(l.stack))*16+l.values.bytes > l.limit {
		return tooLarge(l.line, l.limit)
	}
	l.stack = append(l.stack, v)
	return err
}

// ignore consumes any value without keeping it. Numbers of any form are allowed.
func (l *jsonLexer) ignore() error {
	c, err := l.token("a value")
	if err != nil {
		return err
	}
	switch {
	case c == '"':
		_, err = l.str()
	case c == '-' || '0' <= c && c <= '9':
		_, err = l.number()
	case c == '[':
		err = l.array("a list", l.ignore)
	case c == '{':
		err = l.object("a map", func([]byte) error { return l.ignore() })
	default:
		_, err = l.literal()
	}
	return err
}

// kind describes the next value, for messages.
func (l *jsonLexer) kind() string {
	c, _ := l.space() // never at the end: the caller has seen a byte
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
	return shown(c)
}

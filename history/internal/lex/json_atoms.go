package lex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Strings and numbers of JSON, where nearly all of the reading time is spent. Each has a fast path
// for plain tokens that lie in the buffer as a whole, and a slow path for the rest.

// Str consumes a string and returns its text, valid until the next call.
func (l *JsonText) Str() ([]byte, error) {
	l.Pos++ // the quote
	l.scratch = l.scratch[:0]
	for {
		start := l.Pos
		ascii := byte(0)
		for l.Pos < l.End {
			c := l.Buf[l.Pos]
			if c == '"' || c == '\\' || c < ' ' {
				break
			}
			ascii |= c
			l.Pos++
		}
		part := l.Buf[start:l.Pos]
		if l.Pos < l.End && l.Buf[l.Pos] == '"' && len(l.scratch) == 0 {
			l.Pos++
			if ascii < utf8.RuneSelf || utf8.Valid(part) {
				return part, nil
			}
			return validText(part), nil
		}
		if err := l.keep(part); err != nil {
			return nil, err
		}
		c, ok := l.Peek()
		switch {
		case !ok:
			return nil, l.Truncated("a string")
		case c == '"':
			l.Pos++
			return validText(l.scratch), nil
		case c == '\\':
			l.Pos++
			if err := l.escape(); err != nil {
				return nil, err
			}
		case c < ' ':
			return nil, l.Syntax("a line end or control character inside a string")
		}
	}
}

// validText is validString for bytes.
func validText(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return []byte(ValidString(string(b)))
}

// escape consumes what follows a backslash.
func (l *JsonText) escape() error {
	c, ok := l.Peek()
	if !ok {
		return l.Truncated("a string")
	}
	l.Pos++
	switch c {
	case '"', '\\', '/':
		l.scratch = append(l.scratch, c)
	case 'b':
		l.scratch = append(l.scratch, '\b')
	case 'f':
		l.scratch = append(l.scratch, '\f')
	case 'n':
		l.scratch = append(l.scratch, '\n')
	case 'r':
		l.scratch = append(l.scratch, '\r')
	case 't':
		l.scratch = append(l.scratch, '\t')
	case 'u':
		return l.unicode()
	default:
		return l.Syntax(fmt.Sprintf("%s after a backslash in a string", Shown(c)))
	}
	return nil
}

// unicode consumes the digits of \uXXXX, and a second such escape if the two are a surrogate pair.
// A lone surrogate becomes U+FFFD and its four hexadecimal digits, so that different strings stay
// different values.
func (l *JsonText) unicode() error {
	r, err := l.hex4()
	if err != nil {
		return err
	}
	for utf16.IsSurrogate(r) {
		if c, ok := l.Peek(); !ok || c != '\\' {
			l.loneSurrogate(r)
			return nil
		}
		l.Pos++
		if c, ok := l.Peek(); !ok || c != 'u' {
			l.loneSurrogate(r)
			return l.escape()
		}
		l.Pos++
		second, err := l.hex4()
		if err != nil {
			return err
		}
		if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
			r = pair
			break
		}
		l.loneSurrogate(r)
		r = second
	}
	l.scratch = utf8.AppendRune(l.scratch, r)
	return nil
}

func (l *JsonText) loneSurrogate(r rune) {
	l.scratch = fmt.Appendf(l.scratch, "%c%04x", utf8.RuneError, r)
}

func (l *JsonText) hex4() (rune, error) {
	r := rune(0)
	for range 4 {
		c, ok := l.Peek()
		switch {
		case !ok:
			return 0, l.Truncated("a string")
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, l.Syntax(fmt.Sprintf("%s in the four digits after \\u", Shown(c)))
		}
		l.Pos++
	}
	return r, nil
}

// Integer consumes a number, which must be an integer of 64 bits.
func (l *JsonText) Integer() (int64, error) {
	// Nearly all numbers lie in the buffer whole and have few digits.
	p, negative := l.Pos, false
	if p < l.End && l.Buf[p] == '-' {
		negative = true
		p++
	}
	n, start := int64(0), p
	for p < l.End && p-start < 18 && '0' <= l.Buf[p] && l.Buf[p] <= '9' {
		n = n*10 + int64(l.Buf[p]-'0')
		p++
	}
	if p < l.End && p > start && (l.Buf[start] != '0' || p == start+1) {
		switch l.Buf[p] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			l.Pos = p
			if negative {
				n = -n
			}
			return n, nil
		}
	}
	text, err := l.Number()
	if err != nil {
		return 0, err
	}
	return l.wholeNumber(text)
}

// Number consumes a number of any form and returns its text.
func (l *JsonText) Number() (string, error) {
	l.scratch = l.scratch[:0]
	for {
		c, ok := l.Peek()
		if !ok || !('0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E') {
			break
		}
		if err := l.keep([]byte{c}); err != nil {
			return "", err
		}
		l.Pos++
	}
	if _, ok := l.Peek(); !ok && l.Depth > 0 {
		return "", l.Truncated("a number")
	}
	if !ValidNumber(l.scratch) {
		return "", l.Syntax(fmt.Sprintf("%q is not a number", Abbreviate(string(l.scratch))))
	}
	return string(l.scratch), nil
}

// ValidNumber reports whether b is a number by the grammar of JSON.
func ValidNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	b = bytes.TrimPrefix(b, []byte{'-'})
	if len(b) > 0 && b[0] == '0' {
		b = b[1:]
	} else if !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		b = b[1:]
		if !digits() {
			return false
		}
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}

func (l *JsonText) wholeNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, nil
	}
	for i := range len(text) {
		if c := text[i]; c == '.' || c == 'e' || c == 'E' {
			return 0, NewError(l.Line, fmt.Sprintf("%s is not written as an integer", Abbreviate(text)),
				integerHint)
		}
	}
	return 0, NewError(l.Line, fmt.Sprintf("%s is beyond the integers of 64 bits", Abbreviate(text)),
		integerHint)
}

var integerHint = fmt.Sprintf(
	"numbers are integers from %d to %d; write others as strings, and times in a smaller unit", int64(math.MinInt64),
	int64(math.MaxInt64))

// Abbreviate shortens a text for a message. Not inlined: it has many callers.
//
//go:noinline
func Abbreviate(s string) string {
	if len(s) > 40 {
		cut := 37
		for cut > 37-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return s[:cut] + "..."
	}
	return s
}

// ValidString replaces each byte that is not UTF-8 by U+FFFD and its two hexadecimal digits.
func ValidString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b []byte
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		b = utf8.AppendRune(b, r)
		if r == utf8.RuneError && n == 1 {
			b = fmt.Appendf(b, "%02x", s[0])
		}
		s = s[n:]
	}
	return string(b)
}

// AppendJSONString appends a string as JSON, in ASCII.
func AppendJSONString(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(s)
			if err != nil { // a string always has a JSON form
				panic("history: " + err.Error())
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

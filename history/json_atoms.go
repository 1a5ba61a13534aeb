package history

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Strings and numbers of JSON, where nearly all of the reading time is spent. Each has a fast path
// for plain tokens that lie in the buffer as a whole, and a slow path for the rest.

// str consumes a string and returns its text, valid until the next call.
func (l *jsonLexer) str() ([]byte, error) {
	l.pos++ // the quote
	l.scratch = l.scratch[:0]
	for {
		start := l.pos
		ascii := byte(0)
		for l.pos < l.end {
			c := l.buf[l.pos]
			if c == '"' || c == '\\' || c < ' ' {
				break
			}
			ascii |= c
			l.pos++
		}
		part := l.buf[start:l.pos]
		if l.pos < l.end && l.buf[l.pos] == '"' && len(l.scratch) == 0 {
			l.pos++
			if ascii < utf8.RuneSelf || utf8.Valid(part) {
				return part, nil
			}
			return validText(part), nil
		}
		if err := l.keep(part); err != nil {
			return nil, err
		}
		c, ok := l.peek()
		switch {
		case !ok:
			return nil, l.truncated("a string")
		case c == '"':
			l.pos++
			return validText(l.scratch), nil
		case c == '\\':
			l.pos++
			if err := l.escape(); err != nil {
				return nil, err
			}
		case c < ' ':
			return nil, l.syntax("a line end or control character inside a string")
		}
	}
}

// validText is validString for bytes.
func validText(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return []byte(validString(string(b)))
}

// escape consumes what follows a backslash.
func (l *jsonLexer) escape() error {
	c, ok := l.peek()
	if !ok {
		return l.truncated("a string")
	}
	l.pos++
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
		return l.syntax(fmt.Sprintf("%s after a backslash in a string", shown(c)))
	}
	return nil
}

// unicode consumes the digits of \uXXXX, and a second such escape if the two are a surrogate pair.
// A lone surrogate becomes U+FFFD and its four hexadecimal digits, so that different strings stay
// different values.
func (l *jsonLexer) unicode() error {
	r, err := l.hex4()
	if err != nil {
		return err
	}
	for utf16.IsSurrogate(r) {
		if c, ok := l.peek(); !ok || c != '\\' {
			l.loneSurrogate(r)
			return nil
		}
		l.pos++
		if c, ok := l.peek(); !ok || c != 'u' {
			l.loneSurrogate(r)
			return l.escape()
		}
		l.pos++
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

func (l *jsonLexer) loneSurrogate(r rune) {
	l.scratch = fmt.Appendf(l.scratch, "%c%04x", utf8.RuneError, r)
}

func (l *jsonLexer) hex4() (rune, error) {
	r := rune(0)
	for range 4 {
		c, ok := l.peek()
		switch {
		case !ok:
			return 0, l.truncated("a string")
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, l.syntax(fmt.Sprintf("%s in the four digits after \\u", shown(c)))
		}
		l.pos++
	}
	return r, nil
}

// integer consumes a number, which must be an integer of 64 bits.
func (l *jsonLexer) integer() (int64, error) {
	// Nearly all numbers lie in the buffer whole and have few digits.
	p, negative := l.pos, false
	if p < l.end && l.buf[p] == '-' {
		negative = true
		p++
	}
	n, start := int64(0), p
	for p < l.end && p-start < 18 && '0' <= l.buf[p] && l.buf[p] <= '9' {
		n = n*10 + int64(l.buf[p]-'0')
		p++
	}
	if p < l.end && p > start && (l.buf[start] != '0' || p == start+1) {
		switch l.buf[p] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			l.pos = p
			if negative {
				n = -n
			}
			return n, nil
		}
	}
	text, err := l.number()
	if err != nil {
		return 0, err
	}
	return l.wholeNumber(text)
}

// number consumes a number of any form and returns its text.
func (l *jsonLexer) number() (string, error) {
	l.scratch = l.scratch[:0]
	for {
		c, ok := l.peek()
		if !ok || !('0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E') {
			break
		}
		if err := l.keep([]byte{c}); err != nil {
			return "", err
		}
		l.pos++
	}
	if _, ok := l.peek(); !ok && l.depth > 0 {
		return "", l.truncated("a number")
	}
	if !validNumber(l.scratch) {
		return "", l.syntax(fmt.Sprintf("%q is not a number", abbreviate(string(l.scratch))))
	}
	return string(l.scratch), nil
}

// validNumber reports whether b is a number by the grammar of JSON.
func validNumber(b []byte) bool {
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

func (l *jsonLexer) wholeNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, nil
	}
	for i := range len(text) {
		if c := text[i]; c == '.' || c == 'e' || c == 'E' {
			return 0, &Error{Line: l.line, What: fmt.Sprintf("%s is not written as an integer", abbreviate(text)),
				Hint: integerHint}
		}
	}
	return 0, &Error{Line: l.line, What: fmt.Sprintf("%s is beyond the integers of 64 bits", abbreviate(text)),
		Hint: integerHint}
}

var integerHint = fmt.Sprintf(
	"numbers are integers from %d to %d; write others as strings, and times in a smaller unit", int64(math.MinInt64),
	int64(math.MaxInt64))

// abbreviate shortens a text for a message.
func abbreviate(s string) string {
	if len(s) > 40 {
		cut := 37
		for cut > 37-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return s[:cut] + "..."
	}
	return s
}

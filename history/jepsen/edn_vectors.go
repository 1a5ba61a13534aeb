package jepsen

import (
	"github.com/linsat/linsat/history"
)

// vectors interns a vector whose elements are integers, plain keywords, nil, true, false, and such
// vectors, without building the library's tree of it: transactions hold most of the text of some
// histories. text is as the lexer copies it. ok is false for all other forms, and for numbers that
// are out of range or oddly written.
func (l *ednLexer) vectors(text []byte) (v history.Value, ok bool) {
	n := len(text)
	if n < 2 || text[0] != '[' || l.Limit > 0 && ednListBytes*int64(n) > l.Limit {
		return history.Nil, false
	}
	l.list = l.list[:0]
	v, end, ok := l.vector(text, 0)
	return v, ok && end == n
}

// vector interns the vector that begins at a position, and returns where it ends. Elements wait in
// l.list.
func (l *ednLexer) vector(text []byte, at int) (v history.Value, end int, ok bool) {
	from := len(l.list)
	for at++; at < len(text) && text[at] != ']'; {
		if text[at] == ' ' {
			at++
			continue
		}
		if text[at] == '[' {
			v, at, ok = l.vector(text, at)
		} else {
			end = at
			for end < len(text) && !ednDelimiter(text[end]) {
				end++
			}
			v, ok = l.plain(text[at:end])
			at = end
		}
		if !ok {
			return history.Nil, at, false
		}
		l.list = append(l.list, v)
	}
	if at == len(text) {
		return history.Nil, at, false
	}
	v = l.values.List(l.list[from:])
	l.list = l.list[:from]
	return v, at + 1, true
}

// plain interns an integer, a keyword of letters, digits and hyphens, nil, true or false.
func (l *ednLexer) plain(text []byte) (v history.Value, ok bool) {
	switch {
	case len(text) == 0:
		return history.Nil, false
	case text[0] == ':':
		for k, c := range text[1:] {
			letter := c|0x20 >= 'a' && c|0x20 <= 'z'
			if !letter && (k == 0 || c != '-' && (c < '0' || c > '9')) {
				return history.Nil, false
			}
		}
		return l.values.StringBytes(text[1:]), len(text) > 1
	case string(text) == "nil":
		return history.Nil, true
	case string(text) == "true":
		return history.True, true
	case string(text) == "false":
		return history.False, true
	}
	at := 0
	if text[0] == '-' {
		at = 1
	}
	digits := text[at:]
	if len(digits) == 0 || len(digits) > 18 || digits[0] == '0' && len(digits) > 1 {
		return history.Nil, false
	}
	k := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return history.Nil, false
		}
		k = 10*k + int64(c-'0')
	}
	if at > 0 {
		k = -k
	}
	return l.values.Int(k), true
}

package jepsen

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// integers interns a vector, list or set of integers without building the library's tree of it:
// reads of whole sets hold most of the text of some histories. text is as the lexer copies it. ok
// is false for other forms, and for what the library should judge: a set that repeats an element,
// and numbers that are out of range or oddly written.
func (l *ednLexer) integers(text []byte) (v history.Value, ok bool) {
	set := len(text) > 1 && text[0] == '#'
	if set {
		text = text[1:]
	}
	n := len(text)
	switch {
	case n < 2, l.Limit > 0 && ednListBytes*int64(n) > l.Limit:
		return history.Nil, false
	case text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')':
		if set {
			return history.Nil, false
		}
	case !set || text[0] != '{' || text[n-1] != '}':
		return history.Nil, false
	}
	numbers := l.numbers[:0]
	for at := 1; at < n-1; {
		k, digits := int64(0), at
		if text[at] == '-' {
			digits++
		}
		end := digits
		for ; end < n-1 && text[end] != ' '; end++ {
			c := text[end] - '0'
			if c > 9 || end-digits == len("999999999999999999") { // more may not fit
				return history.Nil, false
			}
			k = 10*k + int64(c)
		}
		if end == digits || text[digits] == '0' && end > digits+1 {
			return history.Nil, false
		}
		if digits > at {
			k = -k
		}
		numbers = append(numbers, k)
		at = end + 1
	}
	l.numbers = numbers
	if set {
		slices.Sort(numbers)
		for k := 1; k < len(numbers); k++ {
			if numbers[k] == numbers[k-1] {
				return history.Nil, false
			}
		}
	}
	list := slices.Grow(l.list[:0], len(numbers))
	for _, x := range numbers {
		list = append(list, l.values.Int(x))
	}
	l.list = list
	return l.values.List(list), true
}

// digits consumes integers, each with the space after it, appends them to text without the last
// space, and reports whether there were any. It takes what lies in the buffer, and nothing where a
// limit is near.
func (l *ednLexer) digits() bool {
	if l.Limit > 0 && int64(len(l.text)+l.End-l.Pos) >= l.Limit {
		return false
	}
	last := l.Pos // after the last space
	for at, buf := last, l.Buf[:l.End]; at < len(buf); at++ {
		if c := buf[at]; c == ' ' {
			if at == last { // the second one
				break
			}
			last = at + 1
		} else if c-'0' > 9 {
			break
		}
	}
	if last == l.Pos {
		return false
	}
	l.text = append(l.text, l.Buf[l.Pos:last-1]...)
	l.Pos = last
	return true
}

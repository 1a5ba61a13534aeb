package history

import (
	"slices"
	"strconv"
)

// integers interns a vector, list or set of integers without building the library's tree of it:
// reads of whole sets hold most of the text of some histories. text is as the lexer copies it. ok
// is false for other forms, and for what the library should judge: a set that repeats an element,
// and numbers that are out of range or oddly written.
func (l *ednLexer) integers(text []byte) (v Value, ok bool) {
	set := len(text) > 1 && text[0] == '#'
	if set {
		text = text[1:]
	}
	n := len(text)
	switch {
	case n < 2, l.limit > 0 && ednListBytes*int64(n) > l.limit:
		return Nil, false
	case text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')':
		if set {
			return Nil, false
		}
	case !set || text[0] != '{' || text[n-1] != '}':
		return Nil, false
	}
	var numbers []int64
	for at := 1; at < n-1; {
		end := at
		for end < n-1 && text[end] != ' ' {
			end++
		}
		word := text[at:end]
		if !plainInt(word) {
			return Nil, false
		}
		k, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil {
			return Nil, false
		}
		numbers = append(numbers, k)
		at = end + 1
	}
	if set {
		slices.Sort(numbers)
		for k := 1; k < len(numbers); k++ {
			if numbers[k] == numbers[k-1] {
				return Nil, false
			}
		}
	}
	list := make([]Value, len(numbers))
	for k, x := range numbers {
		list[k] = l.values.Int(x)
	}
	return l.values.List(list), true
}

package specs

import (
	"math/bits"
	"slices"
)

// tokens numbers appended strings from 0. Those of up to eight bytes, as most are, are found by
// their bytes as one number in a table with open addressing, at most half full; longer ones in a
// map.
type tokens struct {
	count int32
	short []shortToken
	shift int
	long  map[string]int32
}

// shortToken is a slot of the table; length 0: it is free.
type shortToken struct {
	head   uint64
	length int32
	token  int32
}

// open empties the table and makes room for n strings.
func (t *tokens) open(n int) {
	b := bits.Len(uint(2*n + 1))
	t.short = slices.Grow(t.short[:0], 1<<b)[:1<<b]
	clear(t.short)
	t.count, t.shift, t.long = 0, 64-b, nil
}

// add numbers s, which is not empty and was not added before.
func (t *tokens) add(s string) int32 {
	t.count++
	if len(s) > 8 {
		if t.long == nil {
			t.long = map[string]int32{}
		}
		t.long[s] = t.count - 1
		return t.count - 1
	}
	*t.place(headOf(s), int32(len(s))) = shortToken{headOf(s), int32(len(s)), t.count - 1}
	return t.count - 1
}

// find returns the number of s[from:from+n], or -1.
func (t *tokens) find(s string, from, n int) int32 {
	if n > 8 {
		if token, ok := t.long[s[from:from+n]]; ok {
			return token
		}
		return -1
	}
	var head uint64
	if from+8 <= len(s) {
		head = eight(s[from:]) &^ (1<<(64-8*n) - 1)
	} else {
		head = headOf(s[from : from+n])
	}
	if p := t.place(head, int32(n)); p.length > 0 {
		return p.token
	}
	return -1
}

// place finds where a string is, or would be.
func (t *tokens) place(head uint64, length int32) *shortToken {
	h := (head ^ uint64(length)) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	for k := int(h >> t.shift); ; k = (k + 1) & (len(t.short) - 1) {
		if p := &t.short[k]; p.length == 0 || p.length == length && p.head == head {
			return p
		}
	}
}

package history

import (
	"slices"
	"strings"
)

// room keeps texts and lists of values in blocks, each twice as large as the one before, up to
// mostRoom. A history may have millions of them, and the garbage collector visits every object
// separately.
type room struct {
	texts strings.Builder // the current block: what is written to it does not move
	lists []Value         // the rest of the current block
	block int             // size of the last block of lists
}

// text returns a copy of s.
func (r *room) text(s string) string {
	if len(s) >= mostRoom/8 {
		return strings.Clone(s)
	}
	if r.texts.Cap()-r.texts.Len() < len(s) {
		size := min(max(64, 2*r.texts.Cap(), 4*len(s)), mostRoom)
		r.texts = strings.Builder{}
		r.texts.Grow(size)
	}
	from := r.texts.Len()
	r.texts.WriteString(s)
	return r.texts.String()[from:]
}

// list returns a copy of elements.
func (r *room) list(elements []Value) []Value {
	n := len(elements)
	if n >= mostRoom/8 {
		return slices.Clone(elements)
	}
	if len(r.lists) < n {
		r.block = min(max(16, 2*r.block, 4*n), mostRoom)
		r.lists = make([]Value, r.block)
	}
	list := r.lists[:n:n]
	r.lists = r.lists[n:]
	copy(list, elements)
	return list
}

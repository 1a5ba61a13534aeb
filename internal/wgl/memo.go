package wgl

// What: configuration (layer, mask, state) → what is known about it: a list of minimal nogoods. A
// nogood is a usage vector; a visit that has used at least that much fails.
//
// Source: Lowe (CCPE'17) for memoised configurations; the nogoods are ours.
//
// What we changed: entries are stored in chunks that never move; an index of 4-byte numbers with
// open addressing finds them. Masks of more than one word and nogoods are stored in arenas. Which
// entries are forgotten where memory or their number is limited: eviction.go.
//
// Invariant: the list of one entry is an antichain: a new nogood replaces those that it dominates.
//
// Cost: 24 bytes and two index cells for each configuration; a look-up compares the list of one
// entry.
//
// Usage vectors say how many members of each class of pending operations have been used. As a
// nogood, vector b at a configuration means: the configuration fails whenever at least b is used.
//
// Invariants: vectors are sparse and sorted by class; counts are positive.
//
// Cost: linear in the terms.

import (
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// term is how many members of a class have been used.
type term struct {
	class layout.ClassID
	count int32
}

// vector is a usage vector.
type vector []term

// atMost reports whether b ≤ used, componentwise.
func (b vector) atMost(used []int32) bool {
	for _, t := range b {
		if used[t.class] < t.count {
			return false
		}
	}
	return true
}

// within reports whether b ≤ c, componentwise.
func (b vector) within(c vector) bool {
	k := 0
	for _, t := range b {
		for k < len(c) && c[k].class < t.class {
			k++
		}
		if k == len(c) || c[k].class != t.class || c[k].count < t.count {
			return false
		}
	}
	return true
}

// of returns the count of a class.
func (b vector) of(class layout.ClassID) int32 {
	for _, t := range b {
		if t.class >= class {
			if t.class == class {
				return t.count
			}
			break
		}
	}
	return 0
}

// mergeMax appends to dst the componentwise maximum of a and (b minus minus, at least
// zero), where minus is dense. dst may not overlap a or b.
func mergeMax(dst, a, b vector, minus []int32) vector {
	i := 0
	for _, t := range b {
		t.count -= minus[t.class]
		if t.count <= 0 {
			continue
		}
		for i < len(a) && a[i].class < t.class {
			dst = append(dst, a[i])
			i++
		}
		if i < len(a) && a[i].class == t.class {
			t.count = max(t.count, a[i].count)
			i++
		}
		dst = append(dst, t)
	}
	return append(dst, a[i:]...)
}

// raise raises the count of a class to at least n.
func (b vector) raise(class layout.ClassID, n int32) vector {
	k := len(b)
	for k > 0 && b[k-1].class >= class {
		k--
	}
	if k < len(b) && b[k].class == class {
		b[k].count = max(b[k].count, n)
		return b
	}
	b = append(b, term{})
	copy(b[k+1:], b[k:])
	b[k] = term{class, n}
	return b
}

// always is the nogood of an entry that fails whatever has been used.
const always = -1

// entry is a configuration and its first nogood.
type entry struct {
	mask   uint64 // the mask if it has one word, else its place in masks
	layer  layout.LayerID
	state  model.State
	hash   uint32
	nogood int32 // always, or the place in arena of the first nogood, 0 for none
}

// memo finds entries by configuration.
type memo struct {
	words  int
	chunks [][]entry
	count  int32
	index  []int32 // entry number plus one, 0 where free
	masks  []uint64
	// A nogood takes, from its place on: the place of the next one (0 for none), twice the number
	// of its terms, and class and count of every term. Place 0 is not used.
	arena []int32
	// blames holds for every entry which component failed, where there are several.
	blames []int32
}

// at returns entry i.
func (m *memo) at(i int32) *entry { return &m.chunks[i>>chunkBits][i&(chunkSize-1)] }

// bytes estimates the memory of the memo without its index, which is counted when it grows.
func (m *memo) bytes() int64 {
	if m == nil {
		return 0
	}
	return int64(len(m.chunks))*chunkSize*24 + int64(cap(m.masks))*8 + int64(cap(m.arena)+cap(m.blames))*4
}

// same reports whether an entry has that mask.
func (m *memo) same(e *entry, mask []uint64) bool {
	if m.words == 1 {
		return e.mask == mask[0]
	}
	for k, w := range mask {
		if m.masks[e.mask+uint64(k)] != w {
			return false
		}
	}
	return true
}

// find returns the entry of a configuration and its number, or nil.
func (m *memo) find(layer layout.LayerID, state model.State, mask []uint64, hash uint32) (*entry, int32) {
	if len(m.index) == 0 {
		return nil, -1
	}
	for k := int(hash) & (len(m.index) - 1); ; k = (k + 1) & (len(m.index) - 1) {
		i := m.index[k]
		if i == 0 {
			return nil, -1
		}
		if e := m.at(i - 1); e.hash == hash && e.layer == layer && e.state == state && m.same(e, mask) {
			return e, i - 1
		}
	}
}

// place returns the index slot for a new entry of that hash.
func (m *memo) place(hash uint32) *int32 {
	k := int(hash) & (len(m.index) - 1)
	for m.index[k] != 0 {
		k = (k + 1) & (len(m.index) - 1)
	}
	return &m.index[k]
}

// terms returns class and count of every term of the nogood at a place.
func (m *memo) terms(at int32) []int32 { return m.arena[at+2 : at+2+m.arena[at+1]] }

// holds reports whether the nogood at a place applies for this usage.
func (m *memo) holds(at int32, used []int32) bool {
	terms := m.terms(at)
	for k := 0; k < len(terms); k += 2 {
		if used[terms[k]] < terms[k+1] {
			return false
		}
	}
	return true
}

// vector appends the nogood at a place to dst.
func (m *memo) vector(at int32, dst vector) vector {
	terms := m.terms(at)
	for k := 0; k < len(terms); k += 2 {
		dst = append(dst, term{layout.ClassID(terms[k]), terms[k+1]})
	}
	return dst
}

// indexed returns the bytes of the index.
func (m *memo) indexed() int64 { return int64(len(m.index)) * 4 }

// rehash builds the index anew, since states have new numbers.
func (m *memo) rehash() {
	clear(m.index)
	for i := range m.count {
		e := m.at(i)
		mask := []uint64{e.mask}
		if m.words > 1 {
			mask = m.masks[e.mask : e.mask+uint64(m.words)]
		}
		e.hash = layout.Hash(e.layer, e.state, mask)
		*m.place(e.hash) = i + 1
	}
}

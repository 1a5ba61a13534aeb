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

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// always is the nogood of an entry that fails whatever has been used.
const always = -1

// entry is a configuration and its first nogood.
type entry struct {
	mask   uint64 // the mask if it has one word, else its place in masks
	layer  int32
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
func (m *memo) find(layer int32, state model.State, mask []uint64, hash uint32) (*entry, int32) {
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

// insert adds an entry for the current configuration, or returns nil if the search has to stop.
func (r *run) insert(hash uint32) *entry {
	m := &r.memo
	if r.generation > 0 && m.count >= r.generation {
		r.age()
	}
	if int(m.count) >= len(m.index)/4*3 && !r.growIndex() {
		return nil
	}
	if int(m.count)>>chunkBits == len(m.chunks) {
		if !r.Look() {
			return nil
		}
		if r.evicts() && m.bytes()+m.indexed() > r.SoftBytes/youngShare {
			r.age()
			return r.insert(hash)
		}
		size := chunkSize
		if len(m.chunks) == 0 {
			size = 16
		}
		m.chunks = append(m.chunks, make([]entry, 0, size))
	}
	c := &m.chunks[m.count>>chunkBits]
	e := entry{layer: r.depth, state: r.state, hash: hash}
	if m.words == 1 {
		e.mask = r.mask[0]
	} else {
		e.mask = uint64(len(m.masks))
		m.masks = append(m.masks, r.mask...)
	}
	*c = append(*c, e)
	if r.Component != nil {
		m.blames = append(m.blames, r.component())
	}
	m.count++
	*m.place(hash) = m.count
	return &(*c)[len(*c)-1]
}

// growIndex doubles the index. That takes long for a large one, so it looks at the context
// meanwhile.
func (r *run) growIndex() bool {
	m := &r.memo
	size := max(32, 2*len(m.index))
	if m.count > 1<<30 {
		return r.Stop(engine.Memory)
	}
	if !r.Grow(int64(size) * 4) {
		return false
	}
	old := len(m.index)
	m.index = make([]int32, size)
	for i := range m.count {
		*m.place(m.at(i).hash) = i + 1
		if i&0xffff == 0xffff && !r.Look() {
			return false
		}
	}
	return r.Grow(-int64(old) * 4)
}

// fails reports whether the current configuration is known to fail, and returns the vector that
// shows it (valid until the next call).
func (r *run) fails() (found bool, because vector) {
	e, number := r.recall(layout.Hash(r.depth, r.state, r.mask))
	if e == nil {
		return false, nil
	}
	if r.Component != nil {
		r.blame = r.memo.blames[number]
	}
	if e.nogood == always {
		return true, nil
	}
	for at := e.nogood; at != 0; at = r.memo.arena[at] {
		if r.memo.holds(at, r.used) {
			r.fetched = r.memo.vector(at, r.fetched[:0])
			return true, r.fetched
		}
		if !r.Toil(1) {
			break
		}
	}
	return false, nil
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
		dst = append(dst, term{terms[k], terms[k+1]})
	}
	return dst
}

// store learns a nogood at the current configuration, which failed for a component. It
// returns false if the search has to stop.
func (r *run) store(b vector, blame int32) bool {
	hash := layout.Hash(r.depth, r.state, r.mask)
	e, number := r.recall(hash)
	m := &r.memo
	if e == nil {
		if e = r.insert(hash); e == nil {
			return false
		}
		number = m.count - 1
		if r.Component != nil {
			m.blames[number] = blame
		}
	} else if e.nogood == always {
		return true
	}
	if r.Component != nil && m.blames[number] != blame {
		m.blames[number] = anyComponent
	}
	if len(b) == 0 {
		e.nogood = always
		return true
	}
	// Drop what the new one dominates.
	link := &e.nogood
	for *link != 0 {
		r.fetched = m.vector(*link, r.fetched[:0])
		if b.within(r.fetched) {
			*link = m.arena[*link]
		} else {
			link = &m.arena[*link]
		}
		if !r.Toil(1) {
			return false
		}
	}
	if len(m.arena)+2+2*len(b) > cap(m.arena) {
		if int64(len(m.arena)) > 1<<30 {
			return r.Stop(engine.Memory)
		}
		if !r.Look() {
			return false
		}
	}
	at := int32(len(m.arena))
	m.arena = append(m.arena, e.nogood, 2*int32(len(b)))
	for _, t := range b {
		m.arena = append(m.arena, t.class, t.count)
	}
	e.nogood = at
	return true
}

package search

// What: the memo of configurations that were visited before, with dominance between deadlines.
//
// Source: Lowe (CCPE'17) for memoised configurations; dominance is ours.
//
// A key holds everything of a configuration except the deadlines of its debts: the state; the
// completed operations that are open and not linearized (these determine the linearized set:
// whatever is called after the earliest of their returns is not linearized, whatever is called
// before it and not listed is); how many pending operations of each class were used; the number of
// drains of every object; the results chosen for unknown removals; and the kinds of the debts of
// every group. Places and ranks follow from the set.
//
// Whatever settles the debts also settles them with later deadlines. So a configuration fails if
// one of the same key failed whose deadlines were all at least as late, and only the maximal
// vectors of deadlines are kept. Debts of equal kind are compared in the order of their deadlines,
// in which they are settled.
//
// Invariants: keys are compared in full, a hash only finds them. A configuration is recorded when
// it is entered; it cannot recur below itself, since every move linearizes one more operation.
//
// Cost: the words of the key and of the vectors recorded with it.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
)

// memo holds keys and, for each, the maximal vectors of deadlines recorded with it.
type memo struct {
	index  []int32 // entry number plus one, 0 where free
	count  int
	hashes []uint32
	keys   []int   // entry → its key in words
	first  []int32 // entry → its first vector in words, 0 for none
	words  []int32 // keys: length, then the key; vectors: the next one, then the deadlines
}

// emptied returns an empty memo in the same memory.
func (m *memo) emptied() memo {
	clear(m.index)
	return memo{index: m.index, hashes: m.hashes[:0], keys: m.keys[:0], first: m.first[:0],
		words: append(m.words[:0], 0)}
}

// bytes estimates the memory of the memo.
func (m *memo) bytes() int64 {
	return 4*int64(cap(m.index)+cap(m.hashes)+cap(m.first)+cap(m.words)) + 8*int64(cap(m.keys))
}

// visited reports whether key was recorded before with deadlines at least as late, and records it.
func (m *memo) visited(key, deadlines []int32) bool {
	if m.index == nil {
		m.index = make([]int32, 1<<10)
		m.words = append(m.words, 0)
	}
	h := uint64(0x5851f42d4c957f2d)
	for _, x := range key {
		h = layout.Mix(h, uint64(uint32(x)))
	}
	hash := uint32(h ^ h>>32)
	mask := uint32(len(m.index) - 1)
	i := hash & mask
	for ; m.index[i] != 0; i = (i + 1) & mask {
		if e := m.index[i] - 1; m.hashes[e] == hash && slices.Equal(m.key(e), key) {
			return m.dominated(e, deadlines)
		}
	}
	e := int32(m.count)
	m.count++
	m.index[i] = e + 1
	m.hashes = append(m.hashes, hash)
	m.keys = append(m.keys, len(m.words))
	m.words = append(append(m.words, int32(len(key))), key...)
	m.first = append(m.first, int32(len(m.words)))
	m.words = append(append(m.words, 0), deadlines...)
	if 2*m.count > len(m.index) {
		m.grow()
	}
	return false
}

// key returns the key of an entry.
func (m *memo) key(e int32) []int32 {
	at := m.keys[e]
	return m.words[at+1 : at+1+int(m.words[at])]
}

// dominated compares deadlines with those of entry e. It records them unless some vector there has
// all of them at least as late.
func (m *memo) dominated(e int32, deadlines []int32) bool {
	reuse := int32(0)
	for at := m.first[e]; at != 0; at = m.words[at] {
		noted := m.words[at+1 : int(at)+1+len(deadlines)]
		switch {
		case atMost(deadlines, noted):
			return true
		case reuse == 0 && atMost(noted, deadlines):
			reuse = at
		}
	}
	if reuse != 0 {
		copy(m.words[reuse+1:], deadlines)
		return false
	}
	at := int32(len(m.words))
	m.words = append(append(m.words, m.first[e]), deadlines...)
	m.first[e] = at
	return false
}

// atMost reports whether no element of a is greater than that of b.
func atMost(a, b []int32) bool {
	for k, x := range a {
		if x > b[k] {
			return false
		}
	}
	return true
}

// grow doubles the index.
func (m *memo) grow() {
	m.index = make([]int32, 2*len(m.index))
	mask := uint32(len(m.index) - 1)
	for e, hash := range m.hashes {
		i := hash & mask
		for m.index[i] != 0 {
			i = (i + 1) & mask
		}
		m.index[i] = int32(e) + 1
	}
}

// key returns the key of the current configuration, and its deadlines.
func (r *run) key() (key, deadlines []int32) {
	k, d := append(r.keyBuffer[:0], int32(r.state), r.closed), r.deadlines[:0]
	limit := history.Rank(-1)
	if head := r.byReturn.next[r.n]; head != r.n {
		limit = r.ops[head].Return
	}
	for v := r.byCall.next[r.n]; v != r.n && r.ops[v].Call < limit; v = r.byCall.next[v] {
		k = append(k, int32(v))
	}
	for f, n := range r.used {
		if n > 0 {
			k = append(k, -2, int32(f), n)
		}
	}
	for _, v := range r.guessed {
		k = append(k, -3, v)
	}
	if r.closed > 0 && len(r.drained) > 1 {
		k = append(append(k, -7), r.drained...)
	}
	for g := range r.groups {
		if len(r.owed[g]) == 0 {
			continue
		}
		k = append(k, -4, int32(g))
		for _, x := range r.owed[g] {
			k, d = append(k, x.kind), append(d, x.deadline)
		}
		k = append(k, -5)
		for _, x := range r.early[g] {
			k, d = append(k, x.kind), append(d, x.deadline)
		}
	}
	r.keyBuffer, r.deadlines = k, d
	return k, d
}

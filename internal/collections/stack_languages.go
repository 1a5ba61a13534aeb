package collections

// What: sets of contents of a stack. A set is an acyclic deterministic automaton that reads
// contents from the top: for each value that can be on top, what can lie below. Equal sets are one
// number, so that they are compared at once, and what lies deep down is shared by all that is above
// it.
//
// Source: sequence binary decision diagrams (Loekito, Bailey and Pei, Knowledge and Information
// Systems 24, 2010): minimal automata whose arcs are in lists, with one node for equal ones and a
// table of results (Bryant, IEEE Transactions on Computers 35, 1986).
//
// What we changed: contents end with what lies under everything, which is nothing or unknown.
//
// Invariants: the arcs of a list ascend by value; below each arc is some contents, apart from the
// two that end them; two sets of the same contents have the same number, but for those that are out
// of use (retain).
//
// Cost: a union takes at most the product of the sizes. It mostly ends soon, where both sets are
// the same: what lies deep down was united before.

import (
	"slices"

	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// language is the number of a set of contents.
type language int32

// The sets that are always there: no contents, the empty stack, and whatever it held at the start.
const (
	noContents  language = iota
	emptyStack           // an arc with model.Nothing
	anyContents          // an arc with model.Anything
)

// stackArc is a value that can be on top, what can lie below, and the rest of the list.
type stackArc struct {
	value       int32
	below, rest language
}

// unionOf is a union that is known.
type unionOf struct{ a, b, result language }

// languages are sets of contents.
type languages struct {
	arcs  []stackArc // by set: the first of its list
	byArc layout.Numbering
	known []unionOf // by hash, the last one; the size is a power of two
	heard []unionOf // by hash: whether a set has contents, 1 or 0
	used  int       // arcs in use when sets were retained,
	until int       // of so many in all
	eager bool      // for the tests: sets are let go of as often as can be
	depth int       // of the union that is computed
	left  int       // so many unions may still be computed
	short bool      // a union was too long, or contents too high, so that some are missing
}

// begin adds the sets that are always there.
func (s *languages) begin() {
	s.arcs = append(s.arcs, stackArc{})
	s.arc(model.Nothing, noContents, noContents)
	s.arc(model.Anything, noContents, noContents)
	s.left = longestUnion
	if s.known == nil {
		s.known = make([]unionOf, fewUnions)
	}
}

// arc returns the set of an arc and the rest of its list.
func (s *languages) arc(value int32, below, rest language) language {
	n := int32(len(s.arcs))
	x := stackArc{value, below, rest}
	k := s.byArc.Find(x.hash(), n, func(k int32) bool { return s.arcs[k] == x })
	if k == n {
		s.arcs = append(s.arcs, x)
	}
	return language(k)
}

func (x *stackArc) hash() uint32 {
	return uint32(layout.Mix(uint64(uint32(x.below))<<32|uint64(uint32(x.rest)), uint64(uint32(x.value))<<20) >> 32)
}

// crowded reports whether there are many arcs that are not in use.
func (s *languages) crowded() bool {
	return len(s.arcs)-s.until > max(retainAfter, 4*s.used) || s.eager
}

// retain lets go of all sets but those from one of the given ones on: the others stay what they
// are, but an equal one that comes later has another number. So the table of arcs stays small
// enough for the cache.
func (s *languages) retain(sets []language) {
	var index, met layout.Numbering
	var listed []language
	list := func(x language) {
		if x == noContents {
			return
		}
		n := int32(len(listed))
		if met.Find(layout.HashOf(int32(x), 0), n, func(k int32) bool { return listed[k] == x }) == n {
			listed = append(listed, x)
		}
	}
	list(emptyStack)
	list(anyContents)
	for _, x := range sets {
		list(x)
	}
	for k := 0; k < len(listed); k++ {
		x := s.arcs[listed[k]]
		index.Find(x.hash(), int32(listed[k]), func(int32) bool { return false })
		list(x.below)
		list(x.rest)
	}
	s.byArc, s.used, s.until = index, len(listed), len(s.arcs)
	clear(s.known)
}

// onto returns the contents with a value on top.
func (s *languages) onto(value int32, set language) language {
	if set == noContents {
		return noContents
	}
	return s.arc(value, set, noContents)
}

// having returns the contents that have a value on top, none if there are none.
func (s *languages) having(value int32, set language) language {
	for ; set != noContents; set = s.arcs[set].rest {
		if x := s.arcs[set]; x.value == value {
			return s.arc(value, x.below, noContents)
		}
	}
	return noContents
}

// without returns the contents that do not have a value on top.
func (s *languages) without(value int32, set language) language {
	if set == noContents {
		return noContents
	}
	x := s.arcs[set]
	if x.value == value {
		return x.rest
	}
	switch rest := s.without(value, x.rest); rest {
	case x.rest:
		return set
	default:
		return s.arc(x.value, x.below, rest)
	}
}

// union returns the contents of either set.
func (s *languages) union(a, b language) language {
	switch {
	case a == b || b == noContents:
		return a
	case a == noContents:
		return b
	case a > b:
		a, b = b, a
	}
	at := layout.Mix(uint64(uint32(a))<<32|uint64(uint32(b)), 0) >> 32
	if x := &s.known[at&uint64(len(s.known)-1)]; x.a == a && x.b == b {
		return x.result
	}
	if s.depth >= highestUnion || s.left <= 0 {
		s.short = true
		return a
	}
	s.depth++
	s.left--
	x, y := s.arcs[a], s.arcs[b]
	var r language
	switch {
	case x.value < y.value:
		r = s.arc(x.value, x.below, s.union(x.rest, b))
	case x.value > y.value:
		r = s.arc(y.value, y.below, s.union(a, y.rest))
	default:
		below := s.union(x.below, y.below)
		r = s.arc(x.value, below, s.union(x.rest, y.rest))
	}
	s.depth--
	if len(s.known) < min(len(s.arcs), mostUnions) {
		s.known = make([]unionOf, 4*len(s.known))
	}
	s.known[at&uint64(len(s.known)-1)] = unionOf{a, b, r}
	return r
}

// has reports whether contents, a set of their own, are in a set.
func (s *languages) has(set, contents language) bool {
	if set == contents {
		return true
	}
	if s.heard == nil {
		s.heard = make([]unionOf, mostHeard)
	}
	at := &s.heard[layout.HashOf(int32(set), int32(contents))&(mostHeard-1)]
	if at.a == set && at.b == contents {
		return at.result == 1
	}
	heard := unionOf{set, contents, 0}
	if c := s.arcs[contents]; contents != noContents {
		for x := set; x != noContents; x = s.arcs[x].rest {
			if s.arcs[x].value == c.value && s.has(s.arcs[x].below, c.below) {
				heard.result = 1
			}
		}
	}
	*at = heard
	return heard.result == 1
}

// some returns some contents of a set, as a set of their own.
func (s *languages) some(set language) language {
	var values []int32
	for ; s.arcs[set].below != noContents; set = s.arcs[set].below {
		values = append(values, s.arcs[set].value)
	}
	contents := s.arc(s.arcs[set].value, noContents, noContents)
	for _, v := range slices.Backward(values) {
		contents = s.onto(v, contents)
	}
	return contents
}

// emptied returns none in the same memory.
func (s *languages) emptied() languages {
	clear(s.known)
	clear(s.heard)
	return languages{arcs: s.arcs[:0], byArc: s.byArc.Emptied(), known: s.known, heard: s.heard}
}

// bytes returns the memory of the sets.
func (s *languages) bytes() int64 {
	return int64(cap(s.arcs)+len(s.known)+len(s.heard))*12 + s.byArc.Bytes()
}

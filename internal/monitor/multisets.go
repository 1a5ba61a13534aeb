package monitor

import (
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/internal/inorder"
)

// multisetID numbers multisets; the empty one is 0.
type multisetID int32

// multisets numbers multisets of values; the empty one is 0.
type multisets struct {
	terms  [][]term // by number, by value
	number map[string]multisetID
	key    []byte
}

// term says how often a value is in a multiset.
type term struct{ value, count int32 }

func newMultisets() multisets {
	return multisets{terms: [][]term{nil}, number: map[string]multisetID{"": 0}}
}

// count returns how often a value is in multiset m.
func (s *multisets) count(m multisetID, value int32) int {
	if k, ok := slices.BinarySearchFunc(s.terms[m], term{value, 0}, byValue); ok {
		return int(s.terms[m][k].count)
	}
	return 0
}

// with returns the multiset m and one more of value.
func (s *multisets) with(m multisetID, value int32) multisetID {
	terms := slices.Clone(s.terms[m])
	if k, ok := slices.BinarySearchFunc(terms, term{value, 0}, byValue); ok {
		terms[k].count++
	} else {
		terms = inorder.Insert(terms, term{value, 1}, byValue)
	}
	s.key = s.key[:0]
	for _, t := range terms {
		s.key = binary.AppendUvarint(binary.AppendUvarint(s.key, uint64(t.value)), uint64(t.count))
	}
	n, ok := s.number[string(s.key)]
	if !ok {
		n = multisetID(len(s.terms))
		s.number[string(s.key)] = n
		s.terms = append(s.terms, terms)
	}
	return n
}

func byValue(a, b term) int { return int(a.value - b.value) }

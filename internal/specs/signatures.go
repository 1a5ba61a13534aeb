package specs

import "slices"

// signatures numbers operations so that equal ones get equal numbers. An operation is a form (its
// verb together with the outcome) and up to two numbers from 0 on.
type signatures struct {
	next  int32
	ones  [][]int32 // by form and number, signature plus one
	few   [16]int32 // by form, the same where there is one number only
	pairs slots
	known []signedPair // by number in pairs
}

type signedPair struct{ form, a, b, sig int32 }

// empty forgets all operations, and keeps the tables of those with one number. It returns how large
// the largest one is.
func (s *signatures) empty() (largest int) {
	for form := range s.ones {
		s.ones[form] = s.ones[form][:0]
		largest = max(largest, cap(s.ones[form]))
	}
	*s = signatures{ones: s.ones}
	return largest
}

// one returns the signature of an operation with one number below n (0 if it has none).
func (s *signatures) one(form, v int32, n int) int32 {
	if n == 1 && int(form) < len(s.few) {
		if s.few[form] == 0 {
			s.next++
			s.few[form] = s.next
		}
		return s.few[form] - 1
	}
	if s.ones == nil {
		s.ones = make([][]int32, 0, form+4)
	}
	for int(form) >= len(s.ones) {
		s.ones = append(s.ones, nil)
	}
	if len(s.ones[form]) == 0 {
		s.ones[form] = slices.Grow(s.ones[form], n)[:n]
		clear(s.ones[form])
	}
	if s.ones[form][v] == 0 {
		s.next++
		s.ones[form][v] = s.next
	}
	return s.ones[form][v] - 1
}

// pair returns the signature of an operation with two numbers.
func (s *signatures) pair(form, a, b int32) int32 {
	h := (weight(a)*windowBase+weight(b))*windowBase + weight(form)
	k, ok := s.pairs.find(h, func(k int32) bool { p := &s.known[k]; return p.a == a && p.b == b && p.form == form })
	if !ok {
		k = int32(len(s.known))
		s.known = append(s.known, signedPair{form, a, b, s.next})
		s.pairs.add(h, k)
		s.next++
	}
	return s.known[k].sig
}

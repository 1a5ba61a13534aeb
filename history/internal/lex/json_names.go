package lex

import (
	"encoding/binary"
	"fmt"
)

// names are the names that a JSON object had so far. RFC 8259 leaves open what a second value of
// one name means: readers take the first or the last, so a history with one is not the same to all.
//
// Names of up to seven bytes are compared as numbers, longer ones, and those of large objects, are
// looked up. That costs less than reading them.
type names struct {
	few  [fewNames]uint64
	n    int
	more map[string]struct{}
}

// again reports whether the object had the name, and notes it.
func (m *names) again(name []byte) bool {
	if len(name) <= 7 {
		var text [8]byte
		copy(text[:], name)
		text[7] = byte(len(name))
		x := binary.LittleEndian.Uint64(text[:])
		for _, y := range m.few[:m.n] {
			if x == y {
				return true
			}
		}
		if m.n < len(m.few) {
			m.few[m.n] = x
			m.n++
			return false
		}
	}
	if _, is := m.more[string(name)]; is {
		return true
	}
	if m.more == nil {
		m.more = map[string]struct{}{}
	}
	m.more[string(name)] = struct{}{}
	return false
}

// twice is the error of a name that an object has twice.
func (l *JsonText) twice(name []byte, inside string) error {
	return NewError(l.Line, fmt.Sprintf("%q stands twice in %s", Abbreviate(string(name)), inside),
		"say it once: readers of JSON differ in which of two values counts")
}

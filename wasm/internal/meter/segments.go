package meter

import (
	"errors"
	"fmt"
)

// What is not rewritten is read as well, since wazero makes room for as many entries as a section
// claims to have.

func (m *module) checkElements(in []byte) ([]byte, error) {
	r := &reader{in: in}
	for range r.count("segments") {
		flags := r.u32()
		if flags > 7 {
			r.fail(fmt.Errorf("a segment is of the unknown kind %d", flags))
		}
		active, explicit, expressions := flags&1 == 0, flags&2 != 0, flags&4 != 0
		if active && explicit {
			r.u32() // the table
		}
		if active {
			r.expression()
		}
		switch {
		case active && !explicit:
		case expressions:
			r.referenceType()
		case r.byte() != 0:
			r.fail(errors.New("a segment has elements of an unknown kind"))
		}
		for range r.count("elements") {
			if expressions {
				r.expression()
			} else {
				r.u32()
			}
		}
	}
	return in, wrong("elements", r)
}

func (m *module) checkData(in []byte) ([]byte, error) {
	r := &reader{in: in}
	for range r.count("segments") {
		flags := r.u32()
		if flags > 2 {
			r.fail(fmt.Errorf("a segment is of the unknown kind %d", flags))
		}
		if flags == 2 {
			r.u32() // the memory
		}
		if flags != 1 {
			r.expression()
		}
		r.bytes(r.u32())
	}
	return in, wrong("data", r)
}

// expression skips the constant expression that says where a segment is, or what a global is.
func (r *reader) expression() {
	for r.err == nil {
		i, err := r.next()
		if err != nil {
			r.fail(err)
		}
		if i.op == opEnd {
			return
		}
	}
}

// functionNames returns the section with the names of functions alone, nil if it is damaged: names
// are for messages.
func functionNames(in []byte) []byte {
	r := &reader{in: in}
	r.name()
	for r.left() > 0 {
		id := r.byte()
		body := r.bytes(r.u32())
		if id != 1 || r.err != nil {
			continue
		}
		names := &reader{in: body}
		for range names.count("names") {
			names.u32()
			names.name()
		}
		if wrong("names", names) != nil {
			return nil
		}
		out := appendName(nil, "name")
		return append(appendU32(append(out, id), uint32(len(body))), body...)
	}
	return nil
}

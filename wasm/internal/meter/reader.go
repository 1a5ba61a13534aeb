package meter

import (
	"errors"
	"fmt"
)

// reader reads the numbers and sequences of the binary format. After an error all it reads is zero.
type reader struct {
	in  []byte
	at  int
	err error
}

var errEnds = errors.New("it ends too early")

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
		r.at = len(r.in)
	}
}

func (r *reader) left() int { return len(r.in) - r.at }

func (r *reader) byte() byte {
	if r.left() < 1 {
		r.fail(errEnds)
		return 0
	}
	r.at++
	return r.in[r.at-1]
}

func (r *reader) bytes(n uint32) []byte {
	if uint64(r.left()) < uint64(n) {
		r.fail(errEnds)
		return nil
	}
	r.at += int(n)
	return r.in[r.at-int(n) : r.at]
}

// u32 reads a number of up to five bytes, the lowest seven bits first.
func (r *reader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > 0xffff_ffff {
				break
			}
			return uint32(v)
		}
	}
	r.fail(errors.New("a number is too large"))
	return 0
}

// valueType reads the type of a value. Types of more than one byte are refused: who reads them as
// one byte takes what follows for something else than the runtime does.
func (r *reader) valueType() byte {
	t := r.byte()
	switch t {
	case typeI32, typeI64, typeF32, typeF64, typeFuncref, typeExternref:
	case 0x7b:
		r.fail(unsupported(opVector))
	default:
		r.fail(fmt.Errorf("it uses the type 0x%02x, which linsat does not know", t))
	}
	return t
}

// valueTypes reads the types of parameters or results.
func (r *reader) valueTypes() []byte {
	n := r.count("types of values")
	from := r.at
	for range n {
		r.valueType()
	}
	if r.err != nil {
		return nil
	}
	return r.in[from:r.at]
}

// referenceType reads the type of what a table holds.
func (r *reader) referenceType() byte {
	t := r.valueType()
	if r.err == nil && t != typeFuncref && t != typeExternref {
		r.fail(fmt.Errorf("0x%02x is no type of references", t))
	}
	return t
}

// skipBlockType skips the type of a block: empty, that of one value, or the number of a type.
func (r *reader) skipBlockType() {
	switch b := r.in[r.at:]; {
	case len(b) > 0 && b[0] == typeEmpty:
		r.byte()
	case len(b) > 0 && b[0] > typeEmpty && b[0] < 0x80:
		r.valueType()
	default:
		r.skipSigned(33)
		if r.err == nil && r.in[r.at-1]&0x40 != 0 {
			r.fail(errors.New("a block has a type with a negative number"))
		}
	}
}

// skipSigned skips a signed number of so many bits.
func (r *reader) skipSigned(bits int) {
	for n := 0; n < bits; n += 7 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail(errors.New("a number is too large"))
}

func (r *reader) name() string { return string(r.bytes(r.u32())) }

// count reads how many entries follow, of which each takes a byte at least.
func (r *reader) count(what string) int {
	n := r.u32()
	if uint64(n) > uint64(r.left()) {
		r.fail(fmt.Errorf("it has %d %s in %d bytes", n, what, r.left()))
		return 0
	}
	return int(n)
}

func appendU32(out []byte, v uint32) []byte {
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

func appendSigned(out []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func appendName(out []byte, name string) []byte {
	return append(appendU32(out, uint32(len(name))), name...)
}

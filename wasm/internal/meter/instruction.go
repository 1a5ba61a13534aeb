package meter

import "fmt"

// The instructions that are written or looked at.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opReturn       = 0x0f
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eq        = 0x46
	opI32LtS       = 0x48
	opI64LtS       = 0x53
	opF32Eq        = 0x5b
	opF64Eq        = 0x61
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI64Sub       = 0x7d
	opI64ShrU      = 0x88
	opI64ExtendI32 = 0xad
	opPrefix       = 0xfc // of the instructions about ranges, and of conversions that saturate
	opVector       = 0xfd // of those about vectors

	typeI32       = 0x7f
	typeI64       = 0x7e
	typeF32       = 0x7d
	typeF64       = 0x7c
	typeFuncref   = 0x70
	typeExternref = 0x6f
	typeFunc      = 0x60
	typeEmpty     = 0x40
)

// instruction is one of a body.
type instruction struct {
	op       byte
	sub      uint32 // after opPrefix
	from, to int    // where it stands, with its immediates
}

// next reads an instruction and skips its immediates.
func (r *reader) next() (instruction, error) {
	i := instruction{from: r.at}
	i.op = r.byte()
	switch op := i.op; {
	case op == opBlock || op == opLoop || op == opIf:
		r.skipBlockType()
	case op == 0x0e: // br_table
		for range r.count("labels") {
			r.u32()
		}
		r.u32()
	case op == opBr, op == 0x0d, op == 0x10, op >= opLocalGet && op <= 0x26, op == 0xd2:
		r.u32() // a label, a function, a variable, a table
	case op == 0x11: // call_indirect
		r.u32()
		r.u32()
	case op == 0x1c: // select with a type
		for range r.count("types") {
			r.valueType()
		}
	case op >= 0x28 && op <= 0x3e: // loads and stores
		r.u32()
		r.u32()
	case op == 0x3f || op == opMemoryGrow:
		r.byte()
	case op == 0xd0: // ref.null
		r.referenceType()
	case op == opI32Const:
		r.skipSigned(32)
	case op == opI64Const:
		r.skipSigned(64)
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op <= 0x01, op == 0x05, op == opEnd, op == opReturn, op == 0x1a, op == opSelect, op >= 0x45 &&
		op <= 0xc4, op == 0xd1:
	case op == opPrefix:
		i.sub = r.u32()
		switch {
		case i.sub <= 7:
		case i.sub == 9, i.sub == 11, i.sub == 13, i.sub >= 15 && i.sub <= 17:
			r.u32()
		case i.sub <= 14:
			r.u32()
			r.u32()
		default:
			return i, fmt.Errorf("it uses the instruction 0xfc %d, which linsat does not know", i.sub)
		}
	default:
		return i, unsupported(op)
	}
	i.to = r.at
	return i, r.err
}

func unsupported(op byte) error {
	switch {
	case op == opVector:
		return fmt.Errorf("it uses SIMD, which linsat does not run: compile without it (-mno-simd128)")
	case op == 0xfe:
		return fmt.Errorf("it uses atomics, which linsat does not run: compile without threads (-mno-atomics)")
	case op == 0x12 || op == 0x13:
		return fmt.Errorf("it uses tail calls, which linsat does not run: compile without them (-mno-tail-call)")
	case op >= 0x06 && op <= 0x0a, op == 0x18, op == 0x19, op == 0x1f:
		return fmt.Errorf("it uses exceptions, which linsat does not run: compile without them (-fno-exceptions)")
	case op == 0xfb:
		return fmt.Errorf("it uses garbage-collected values, which linsat does not run")
	}
	return fmt.Errorf("it uses the instruction 0x%02x, which linsat does not know", op)
}

// notANumber returns the type of the result of an instruction that may return a number that is
// none, whose bits differ between machines; 0 of others.
func notANumber(op byte) byte {
	switch {
	case op >= 0x8d && op <= 0x97, op == 0xb6: // ceil to max, demote; abs and neg move bits
		return typeF32
	case op >= 0x9b && op <= 0xa5, op == 0xbb: // the same, promote
		return typeF64
	}
	return 0
}

// ranges reports whether the uppermost operand of an instruction says how many elements or bytes
// it touches.
func (i instruction) ranges() bool {
	if i.op != opPrefix {
		return false
	}
	switch i.sub {
	case 8, 10, 11, 12, 14, 15, 17: // memory.init, copy, fill; table.init, copy, grow, fill
		return true
	}
	return false
}

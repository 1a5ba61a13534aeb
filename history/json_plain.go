package history

import "bytes"

// The short way to read an operation.
// What: plainOperation reads an operation as linsat and most programs write it: on one line, with
// integers, null, booleans and strings of ASCII without escapes. It gives up on anything else and
// leaves nothing behind that reading it the long way would not.
//
// Invariants: what it accepts, operation accepts with the same result; TestBlocksReadWhatLinesRead
// compares them on random texts. The text ends with a line end, which no field may contain: nothing
// is read beyond it, and nothing is refilled.

// plainOperation reads and adds an operation if it is a plain one, and reports whether it did. If
// not, it consumes nothing.
func (r *jsonReader) plainOperation() bool {
	from, op := r.pos, &r.op
	op.reset(r.line)
	if !r.plainFields(op) || r.add(op) != nil {
		r.pos = from
		return false
	}
	return true
}

// plainFields reads the fields. The next byte is not white space.
func (r *jsonReader) plainFields(op *jsonOp) bool {
	if r.buf[r.pos] != '{' {
		return false
	}
	r.pos++
	for {
		key, ok := r.plainText()
		if !ok || r.buf[r.pos] != ':' {
			return false
		}
		r.pos++
		r.blank()
		if !r.plainField(op, key) {
			return false
		}
		r.blank()
		switch r.buf[r.pos] {
		case ',':
			r.pos++
			r.blank()
		case '}':
			r.pos++
			return true
		default:
			return false
		}
	}
}

// plainField reads the value of a field.
func (r *jsonReader) plainField(op *jsonOp, key []byte) (ok bool) {
	var n int64
	bit := 0
	switch string(key) {
	case "process":
		bit = seenProcess
		if n, ok = r.plainInteger(); ok {
			op.Process = r.b.ProcessInt(n)
		}
	case "f":
		bit = seenF
		var name []byte
		if name, ok = r.plainText(); ok {
			if r.lastF == Nil || !bytes.Equal(name, r.lastName) {
				r.lastName, r.lastF = name, r.values.StringBytes(name)
			}
			op.F = r.lastF
		}
	case "call":
		bit = seenCall
		op.Call, ok = r.plainInteger()
	case "return":
		bit = seenReturn
		op.Return, ok = r.plainInteger()
	case "arg":
		bit = seenArg
		op.Arg, ok = r.plainValue()
	case "result":
		bit = seenResult
		op.Result, ok = r.plainValue()
	case "chain", "revision":
		bit = seenRevision
		if n, ok = r.plainInteger(); ok {
			op.Revision = &Revision{Chain: Nil, Number: n}
		}
	case "key":
		bit = seenKey
		if op.Key, ok = r.plainValue(); op.Key == Nil {
			op.Key = NoKey
		}
	}
	again := op.seen&bit != 0 // the long way says what is wrong
	op.seen |= bit
	return ok && !again
}

// blank consumes spaces.
func (r *jsonReader) blank() {
	for r.buf[r.pos] == ' ' {
		r.pos++
	}
}

// plainText reads a string and returns its text, valid as long as that of the block.
func (r *jsonReader) plainText() ([]byte, bool) {
	p := r.pos
	if r.buf[p] != '"' {
		return nil, false
	}
	p++
	start := p
	for c := r.buf[p]; c != '"'; c = r.buf[p] {
		if c < ' ' || c == '\\' || c >= 0x80 {
			return nil, false
		}
		p++
	}
	r.pos = p + 1
	return r.buf[start:p], true
}

// plainInteger reads an integer of at most 18 digits.
func (r *jsonReader) plainInteger() (int64, bool) {
	p, negative := r.pos, r.buf[r.pos] == '-'
	if negative {
		p++
	}
	n, start := int64(0), p
	for d := r.buf[p] - '0'; d <= 9; d = r.buf[p] - '0' {
		n = n*10 + int64(d)
		p++
	}
	if p == start || p-start > 18 || r.buf[start] == '0' && p > start+1 {
		return 0, false
	}
	switch r.buf[p] {
	case ',', '}', ' ':
	default:
		return 0, false
	}
	r.pos = p
	if negative {
		n = -n
	}
	return n, true
}

// plainValue reads an integer, a string, null or a boolean.
func (r *jsonReader) plainValue() (v Value, ok bool) {
	word := ""
	switch r.buf[r.pos] {
	case 'n':
		word, v = "null", Nil
	case 't':
		word, v = "true", True
	case 'f':
		word, v = "false", False
	case '"':
		text, ok := r.plainText()
		if !ok {
			return Nil, false
		}
		return r.values.StringBytes(text), true
	default:
		n, ok := r.plainInteger()
		if !ok {
			return Nil, false
		}
		return r.values.Int(n), true
	}
	if !bytes.HasPrefix(r.buf[r.pos:], []byte(word)) {
		return Nil, false
	}
	r.pos += len(word) // what follows is looked at by the caller
	return v, true
}

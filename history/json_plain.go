package history

import "bytes"

// The short way to read an operation.
// What: plainOperation reads an operation as linsat and most programs write it: on one line, with
// integers, null, booleans, strings of ASCII without escapes, and lists of these. It gives up on
// anything else and leaves nothing behind that reading it the long way would not.
//
// Invariants: what it accepts, operation accepts with the same result; TestBlocksReadWhatLinesRead
// compares them on random texts. The text ends with a line end, which no field may contain: nothing
// is read beyond it, and nothing is refilled.

// plainOperation reads and adds an operation if it is a plain one, and reports whether it did. If
// not, it consumes nothing.
func (r *jsonReader) plainOperation() bool {
	from, op := r.Pos, &r.op
	op.reset(r.Line)
	if !r.plainFields(op) || r.add(op) != nil {
		r.Pos = from
		return false
	}
	return true
}

// plainFields reads the fields. The next byte is not white space.
func (r *jsonReader) plainFields(op *jsonOp) bool {
	if r.Buf[r.Pos] != '{' {
		return false
	}
	r.Pos++
	for {
		key, ok := r.plainText()
		if !ok || r.Buf[r.Pos] != ':' {
			return false
		}
		r.Pos++
		r.blank()
		if !r.plainField(op, key) {
			return false
		}
		r.blank()
		switch r.Buf[r.Pos] {
		case ',':
			r.Pos++
			r.blank()
		case '}':
			r.Pos++
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
				r.lastName, r.lastF = name, r.Values.StringBytes(name)
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
	for r.Buf[r.Pos] == ' ' {
		r.Pos++
	}
}

// plainText reads a string and returns its text, valid as long as that of the block.
func (r *jsonReader) plainText() ([]byte, bool) {
	p := r.Pos
	if r.Buf[p] != '"' {
		return nil, false
	}
	p++
	start := p
	for c := r.Buf[p]; c != '"'; c = r.Buf[p] {
		if c < ' ' || c == '\\' || c >= 0x80 {
			return nil, false
		}
		p++
	}
	r.Pos = p + 1
	return r.Buf[start:p], true
}

// plainInteger reads an integer of at most 18 digits.
func (r *jsonReader) plainInteger() (int64, bool) {
	p, negative := r.Pos, r.Buf[r.Pos] == '-'
	if negative {
		p++
	}
	n, start := int64(0), p
	for d := r.Buf[p] - '0'; d <= 9; d = r.Buf[p] - '0' {
		n = n*10 + int64(d)
		p++
	}
	if p == start || p-start > 18 || r.Buf[start] == '0' && p > start+1 {
		return 0, false
	}
	switch r.Buf[p] {
	case ',', '}', ']', ' ':
	default:
		return 0, false
	}
	r.Pos = p
	if negative {
		n = -n
	}
	return n, true
}

// plainList reads a list.
func (r *jsonReader) plainList() (v Value, ok bool) {
	base := len(r.elements)
	r.nested++
	defer func() {
		r.elements = r.elements[:base]
		r.nested--
	}()
	r.Pos++
	for r.blank(); r.Buf[r.Pos] != ']' || len(r.elements) > base; r.blank() {
		if v, ok = r.plainValue(); !ok {
			return Nil, false
		}
		r.elements = append(r.elements, v)
		r.blank()
		switch r.Buf[r.Pos] {
		case ',':
			r.Pos++
			continue
		case ']':
		default:
			return Nil, false
		}
		break
	}
	r.Pos++
	return r.Values.List(r.elements[base:]), true
}

// plainValue reads an integer, a string, null, a boolean, or a list of them.
func (r *jsonReader) plainValue() (v Value, ok bool) {
	word := ""
	switch r.Buf[r.Pos] {
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
		return r.Values.StringBytes(text), true
	case '[':
		if r.nested == plainDepth {
			return Nil, false
		}
		return r.plainList()
	default:
		n, ok := r.plainInteger()
		if !ok {
			return Nil, false
		}
		return r.Values.Int(n), true
	}
	if !bytes.HasPrefix(r.Buf[r.Pos:], []byte(word)) {
		return Nil, false
	}
	r.Pos += len(word) // what follows is looked at by the caller
	return v, true
}

package history

import (
	"bytes"
	"encoding/binary"
)

// How the binary formats begin.

// fressianBegins reports whether head is the beginning of one of the two files: its magic, or the
// code of a map (no byte of UTF-8) and of a list.
func fressianBegins(head []byte) bool {
	return bytes.HasPrefix(head, []byte("JEPSEN\x00")) ||
		len(head) > 1 && head[0] == 0xc0 && head[1] >= 0xe4 && head[1] <= 0xee
}

// dbcopBegins reports whether an input begins like a history of dbcop: five numbers below 2³², and
// two strings, of which the second is a date.
func dbcopBegins(head []byte) bool {
	for k := range 5 {
		if len(head) < 8*k+8 || binary.LittleEndian.Uint64(head[8*k:]) >= 1<<32 {
			return false
		}
	}
	head = head[40:]
	if len(head) < 8 {
		return false
	}
	if n := binary.LittleEndian.Uint64(head); n > uint64(len(head)) || len(head) < int(n)+18 {
		return false
	} else {
		head = head[8+n:]
	}
	return binary.LittleEndian.Uint64(head) < 64 && head[8] >= '0' && head[8] <= '9' && head[9] >= '0' && head[9] <= '9'
}

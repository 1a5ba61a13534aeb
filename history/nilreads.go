package history

import (
	"fmt"
	"strings"
)

// NilReads is the meaning of a completed read of nil. Knossos' registers accept such a read in
// every state ("we don't know what the read was", knossos.model), and clients of Jepsen tests rely
// on that: a client that lost the answer reports nil. In other formats null is the value of the
// register.
type NilReads string

// The meanings of a read of nil.
const (
	NilByFormat NilReads = ""        // unknown in the formats of Jepsen, null in all others
	NilUnknown  NilReads = "unknown" // it returned; its result is not known
	NilNull     NilReads = "null"    // it found null
)

// ParseNilReads reads "unknown", "null" or "" (by the format).
func ParseNilReads(s string) (NilReads, error) {
	switch n := NilReads(s); n {
	case NilByFormat, NilUnknown, NilNull:
		return n, nil
	}
	return NilByFormat, &Error{What: fmt.Sprintf("unknown meaning of nil reads %q", s),
		Hint: "unknown (what the read found is not known, as for Knossos) or null (it found null)"}
}

// jepsens are the formats whose events come from Jepsen.
var jepsens = map[string]bool{"edn": true, "jepsen": true, "jepsen-json": true, "fressian": true}

// IsNilRead reports whether operation i is a read that returned null, as an observation: what
// NilUnknown is about.
func (h *History) IsNilRead(i int32) bool {
	op := &h.Ops[i]
	if op.Result != Nil || op.Unknown || op.NoResult || op.Key != NoKey && h.Spec == "kv" {
		return false
	}
	f, _ := h.Values.AsString(op.F)
	return strings.EqualFold(f, "read")
}

// nilReads marks the results of reads of nil as unknown, if that is their meaning.
func (h *History) nilReads(mean NilReads) {
	if mean == NilNull || mean == NilByFormat && !jepsens[h.Format] {
		return
	}
	for i := range h.Ops {
		if h.IsNilRead(int32(i)) {
			h.Ops[i].Unknown = true
			h.NilReads++
		}
	}
}

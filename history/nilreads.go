package history

import "strings"

// The meanings of a completed read of nil, ReadOptions.NilReads. Knossos' registers accept such a
// read in every state ("we don't know what the read was", knossos.model), and clients of Jepsen
// tests rely on that: a client that lost the answer reports nil. In other formats null is the value
// of the register.
const (
	nilUnknown = "unknown"
	nilNull    = "null"
)

// jepsens are the formats whose events come from Jepsen.
var jepsens = map[string]bool{"edn": true, "jepsen": true, "jepsen-json": true, "fressian": true}

// IsNilRead reports whether operation i is a read that returned null, as an observation: what
// ReadOptions.NilReads is about.
func (h *History) IsNilRead(i OpID) bool {
	if i < 0 || int(i) >= len(h.Ops) || h.Values == nil {
		return false
	}
	op := &h.Ops[i]
	if op.Result != Nil || op.Unknown || op.NoResult || op.Key != NoKey && h.Spec == "kv" {
		return false
	}
	f, _ := h.Values.AsString(op.F)
	return strings.EqualFold(f, "read")
}

// nilReads marks the results of reads of nil as unknown, if that is their meaning.
func (h *History) nilReads(mean string) {
	if mean == nilNull || mean == "" && !jepsens[h.Format] {
		return
	}
	for i := range h.Ops {
		if h.IsNilRead(OpID(i)) {
			h.Ops[i].Unknown = true
			h.NilReads++
		}
	}
}

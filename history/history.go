package history

import (
	"math"
	"strconv"
	"strings"
)

// Rank is the position of a call or a return among all calls and returns of a history, in real
// time: a precedes b where a.Return < b.Call. All ranks of a history are distinct.
type Rank int32

// Never is the Return rank of a pending operation: it lies beyond every event.
const Never Rank = math.MaxInt32

// OpID identifies an operation: it is its position in History.Ops, or in the part of them at hand.
// Values below zero stand for none, or for what is there at the start.
type OpID int32

// NoKey is the Key of an operation that names no object.
const NoKey Value = -1

// Op is one operation of a history. Its position in History.Ops is its identity.
//
// Call and Return are ranks, not times: all events of a history are numbered so
// that operation a precedes operation b in the interval order exactly when
// a.Return < b.Call. No return shares its rank with a call.
type Op struct {
	Process int32 // index into History.Processes
	F       Value // interned string: the name as the history spells it
	Key     Value // the object, or NoKey
	Arg     Value // Nil where there is none
	Result  Value // Nil where there is none; meaningless while Unknown
	Call    Rank  // rank of the call
	Return  Rank  // rank of the return, Never while pending
	// Result is not known. This holds for every pending operation, and for completed ones whose
	// result was forgotten.
	Unknown bool
	// NoResult is set if the operation returned but the input states no result, not even null.
	// Result is then Nil. Check refuses such an operation if its specification needs the result.
	NoResult bool
}

// Pending reports whether the operation never returned: it may take effect at any
// time after its call, with any result, or never.
func (o Op) Pending() bool { return o.Return == Never }

// Origin is where an operation comes from, for messages and pictures.
type Origin struct {
	Position   int32 // 0-based position among the operations of the input, failed ones included
	Line       int32 // 1-based line of the input where it is called, 0 if unknown
	CallTime   int64 // as the input has it; event formats count events
	ReturnTime int64 // meaningless while pending
}

// Note is an annotation of the history that is not an operation ("node 3 killed"). Notes are shown
// beside the operations and have no influence on any verdict.
type Note struct {
	Time    int64
	End     int64  // of a span; a note that is not longer than a moment ends at Time, or before
	Process string // whose note it is, ":nemesis" in Jepsen's histories, or ""
	Text    string
	Details string // more about it, or ""
	// Color of the text and Background, as CSS writes colors, or "".
	Color, Background string
}

// History is a validated history, ready to be checked.
type History struct {
	Ops     []Op     // sorted by Call; failed operations are gone
	Origins []Origin // parallel to Ops
	IDs     []string // parallel to Ops, or nil where the input names none
	// Revisions are the places of operations in known orders: parallel to Ops, nil for an operation
	// without one, or nil where none has one. Ranks and Edges express them.
	Revisions []*Revision
	Values    *Values
	Processes []string
	Edges     []Edge // explicit order that the ranks do not express, sorted, by positions in Ops
	Spec      string // name of the specification, "" if the input names none
	// Guessed are the names of the operations that the specification was guessed from, and AlsoFits
	// the other specifications that have them. Both are nil if the input, or --spec, names one.
	Guessed, AlsoFits []string
	Initial           Value // initial state as the input has it; see HasInitial
	// HasInitial distinguishes an initial state of null from none at all.
	HasInitial bool
	Notes      []Note
	// FailedF are the names of the dropped operations, each once. They help to recognise the
	// specification: an input whose writes all failed still is one of a register.
	FailedF []Value
	Failed  int // operations that were dropped because they are known not to have taken effect
	// Aborted are those of them that are transactions: their argument is a list of accesses, or a
	// map of what is written. They are sorted by Call.
	Aborted        []Op
	AbortedOrigins []Origin // parallel to Aborted
	Source         string   // name of the file, "" if unknown
	Format         string   // name of the input format
	// NilReads are reads of nil whose result was taken as unknown; see ReadOptions.NilReads.
	NilReads int
	// Warnings describe what a reader ignored although it may have had a meaning. Each has a place
	// and a hint, like an error. ReadOptions.Strict makes the first of them an error.
	Warnings []*Error
	Test     string // name of the Jepsen test, "" if unknown

	named bool // every operation has an identifier, so that no number is a position
}

// Edge orders operation Before before operation After (positions in History.Ops), if both take
// effect.
type Edge struct{ Before, After OpID }

// inChain reports whether the revisions of its operations imply an edge.
func (h *History) inChain(e Edge) bool {
	if h.Revisions == nil {
		return false
	}
	a, b := h.Revisions[e.Before], h.Revisions[e.After]
	return a != nil && b != nil && a.Chain == b.Chain && a.Number < b.Number
}

// Pending counts the pending operations.
func (h *History) Pending() int {
	n := 0
	for i := range h.Ops {
		if h.Ops[i].Pending() {
			n++
		}
	}
	return n
}

// Completed counts the operations that returned.
func (h *History) Completed() int { return len(h.Ops) - h.Pending() }

// ID returns the name of operation i: its id in the input, or else its position there. No two
// operations have the same name. An id that reads like the position of another operation, or that
// has quotes itself, is quoted.
func (h *History) ID(i OpID) string {
	if i < 0 || int(i) >= len(h.Origins) {
		return itoa(int64(i))
	}
	position := itoa(int64(h.Origins[i].Position))
	if h.IDs == nil || h.IDs[i] == "" {
		return position
	}
	id := h.IDs[i]
	if h.named && strings.Trim(id, "0123456789") == "" {
		return id
	}
	if id != position && (strings.Trim(id, "0123456789") == "" || id[0] == '"') {
		return strconv.Quote(id)
	}
	return id
}

package model

import "github.com/linsat/linsat/history"

// LogTheory says what the operations of one append-only log do. Axioms are known of its views only.
type LogTheory struct {
	Initial []history.Value // oldest first
	Ops     []LogOp
}

// LogOp is an operation of a log. An append adds Value at length Offset; a read finds Values from
// Offset on, to the end, or Limited to so many: then there may be more behind. Known is false if
// the offset of an append, or the result of a read, was not recorded.
type LogOp struct {
	Reads, Known bool
	Limited      bool
	Value        history.Value
	Values       []history.Value
	Offset       int64
}

// Package history turns recorded histories of many formats into validated
// operations and their order, and back.
//
//	bytes ─► reader of the format ─► Builder ─► History
//
// Past this package an operation holds small integers only: values are interned, and
// times are replaced by ranks such that a precedes b exactly when a.Return < b.Call.
//
//	history.go  operations and histories
//	values.go   the table of interned values
//	builder.go  collects and validates what a reader finds
//	order.go    times and explicit edges → ranks and the edges that ranks cannot say
//	errors.go   bad input: place, what, hint
package history

// Package localize says where in the code of an object a linearizability fault comes from: it
// labels the tree of all interleavings of a test and reads off which races decide whether the
// outcome is linearizable.
//
//	Case ─► every interleaving ─► labels ─► critical data race sequences ─► one failing trace ─► text, HTML
//
// After Chen, Zhang, Wu, Zhang: Interleaving-tree Based Fine-grained Linearizability Fault
// Localization (FGVT); docs/localize.md has the definitions, also for more than two threads, where
// the paper has none.
//
//	find.go       Find: from a test to a Result
//	interleave.go every interleaving, with states merged that have the same future: the strategy
//	clocks.go     which prefixes of schedules lead to the same state and to the same order of operations
//	label.go      labels W, B, G, WG, BG, GG, and how many traces are behind them
//	race.go       whether two accesses race: by what they touch, or as the end of one operation and the start of another
//	pattern.go    the critical sequences of all failing traces, counted
//	choose.go     which failing trace is shown
//	trace.go      that trace, run again with values and source lines
//	view.go       what both of the following show
//	text.go       the result for a terminal
//	page.go       the result as one HTML page (page.html, page.css)
//	tree.go       its drawing of the path through the tree
//
// The package runs nothing but package explore, and judges nothing itself: linsat.Check does. It
// does not reduce: partial order reduction would remove subtrees and so change labels.
package localize

// Package window turns the history of a relaxed FIFO queue (distinct values, a bound on the
// removals) into windows: for the slot of every content and the place of every removal a range that
// holds it in every solution, or into a refutation. It decides nothing else and is no engine;
// engines start from its windows.
//
//	collect.go  part of a history → Queue: insertions, removals, who takes what
//	windows.go  the windows that counting gives, and the rounds to the fixpoint
//	order.go    operations before (after) another one fill the first (last) positions: packing
//	hall.go     positions that are all needed by others
//	empty.go    empty results
//	trace.go    what was narrowed and why; from the contradiction back to a short proof.Displacement
//	facts.go    the facts that each step of a refutation rests on
//
// It stops at the fixpoint of these rules: windows that are not refuted need not have a solution.
package window

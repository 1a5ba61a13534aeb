// Package window narrows the history of a relaxed FIFO queue (distinct values, a bound on the
// removals). For the slot of every content and the place of every removal it derives a window, a
// range that contains it in every solution, or else a refutation. It is not an engine: engines
// start from its windows.
//
// It stops at the fixpoint of its rules: windows that are not refuted need not have a solution.
package window

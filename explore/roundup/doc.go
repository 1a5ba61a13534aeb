// Package roundup tests relaxed objects as Round-Up does [Zhang, Chattopadhyay, Wang, "Round-Up:
// Runtime Checking Quasi Linearizability of Concurrent Data Structures", ASE'13].
//
//	operations, "4*4+0" ─► harnesses ─► phase 1: golden model, serial runs
//	                               └► phase 2: object, schedules ─► histories ─► verdicts
//
// Verdicts come from linsat.Check, with the specification that the object names; phase 1 checks
// that the golden model agrees with it. Meaning and factor are those of docs/quasi.md. Histories of
// a test are drained, unless in every serial run of the golden model all removals find something
// and nothing is left over, which the paper requires of a test.
//
// An execution that panics is a violation, whatever its history, and so is one that gets stuck,
// unless Options.Blocking allows operations to block. Both are counted separately from the paper's
// columns. The history of a stuck execution is checked with its operations pending.
// Not supported: specifications that consist of the runs of phase 1 only (see lineup), whether an
// operation should block, weak memory.
package roundup

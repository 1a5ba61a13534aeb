// Package roundup tests relaxed objects in the way of Round-Up [Zhang, Chattopadhyay, Wang,
// "Round-Up: Runtime Checking Quasi Linearizability of Concurrent Data Structures", ASE'13].
//
//	operations, "4*4+0" ─► harnesses ─► phase 1: golden model, all serial runs ─► what each order of the operations gives
//	                                  └► phase 2: the object, all schedules     ─► histories ─► linearizable? quasi-linearizable? ─► Report
//
//	harness.go        well-formed tests of a dimension m*n+k, generated
//	golden.go         phase 1: a strict object's serial runs; models of queue, stack and priority queue
//	names.go          which operations insert and which remove; which tests are judged as they lie
//	check.go          phase 2: explore.Run, linsat.Check of one execution of each class
//	weaken.go         verdicts that follow from those of histories with a stronger or a weaker order
//	linearizations.go linear extensions of a history, counted and listed
//	literal.go        the paper's Algorithms 1 and 2 as they are printed, over the runs of phase 1: the definition for tests
//	traces.go         how many executions differ by more than the order of independent accesses: what the paper counts
//	report.go         the columns of the paper's tables
//
// Verdicts are linsat.Check's, with the specification that the object names; phase 1 makes sure
// that the golden model agrees with it. Meaning and factor are those of docs/quasi.md. A test is
// judged as it lies if no serial run of the golden model leaves anything or finds nothing, which is
// what the paper asks of a test; otherwise what is left over is drained.
//
// An execution that panics is a violation, whatever its history, and so is one that gets stuck,
// unless Options.Blocking says that operations may block; both are counted apart from the paper's
// columns. The history of a stuck one is judged with its operations pending.
//
// Not here: specifications that are nothing but the runs of phase 1 (see lineup), whether an
// operation should block, weak memory.
package roundup

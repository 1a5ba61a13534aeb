// Package catalogue holds what is known about each test of the papers' objects.
package catalogue

import "github.com/linsat/linsat/explore"

// Entry is one test of an object that is shipped with linsat, with what is known about it.
type Entry struct {
	Case   *explore.Case
	Source string // paper and place that it is written from
	Faulty bool   // it has a bug, described in Note
	// whether all its schedules are linearizable with respect to Case.Object.Spec
	Linearizable bool
	// Quasi is the factor of the question of quasi-linearizability, as --quasi takes it, "" if it
	// is not asked; QuasiLinearizable is the expected answer.
	Quasi             string
	QuasiLinearizable bool
	Pattern           string // FGVT's critical data race sequence, "" if none is known
	// OpSteps bounds the accesses of an operation if the threads can go round for ever, as
	// explore.Options has it; 0: no bound
	OpSteps int
	Note    string
}

// Package explain says why a history is not linearizable: it finds arguments and puts them into
// sentences.
//
//	core.go      which facts refute a history already: a minimal core, by forgetting
//	quasicore.go the same under a relaxation: results and responses
//	within.go    cores among the few values that a monitor named
//	weaken.go    what is left after forgetting, as a part for engines
//	cellsearch.go  windows of cells without their past or order, tried out
//	prove.go      a claim → an argument that certify accepts; the order of attempts
//	trail.go      literals with reasons; unit propagation, transitivity
//	instances.go  which instances of axioms are made
//	families.go   INV, HALL and COUNT of cells
//	sums.go       SUM of counters
//	split.go      cases, with lookahead; from a contradiction back to the steps it needs
//	read.go       the facts that an argument uses
//	sentences.go  an argument → sentences; sentences_cells.go and so on: the words of each theory
//	sentences_quasi.go  a refutation of a relaxed queue → sentences
//
// It asks no engine: what is to be refuted is given to it.
package explain

// Package fgvt holds the six objects of Table 2 of the paper on FGVT (Chen, Zhang, Wu, Zhang:
// Interleaving-tree Based Fine-grained Linearizability Fault Localization), written from the paper
// and the algorithms that it names. Each is there faulty, as the paper has it, and corrected, with
// the paper's test.
//
//	lockfreelist.go     two removes mark the same node
//	optimisticqueue.go  a poll moves a head that it has not read from
//	pairsnapshot.go     equal values taken for unchanged ones
//	snark.go            a pop that reports empty while the deque never is; double-word compare-and-swap
//	simplelist.go       an add that overwrites another
//	linkedlist.go       a size that counts nodes of different moments
//	fgvt.go             the catalogue: tests, specifications, verdicts, patterns
//
// The paper prints the code of the pair only. Where the code of the others matters for the paper's
// patterns, docs/localize.md says how.
package fgvt

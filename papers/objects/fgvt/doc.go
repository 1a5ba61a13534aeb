// Package fgvt holds the six objects of Table 2 of the paper on FGVT (Chen, Zhang, Wu, Zhang:
// Interleaving-tree Based Fine-grained Linearizability Fault Localization), written from the paper
// and the algorithms that it names. Each is there faulty, as the paper has it, and corrected, with
// the paper's test.
//
// The paper prints the code of the pair only. Where the code of the others matters for the paper's
// patterns, papers/docs/localize.md says how.
package fgvt

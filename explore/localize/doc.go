// Package localize finds where in the code of an object a linearizability fault comes from. It
// labels the tree of all interleavings of a test and derives which races decide whether the outcome
// is linearizable.
//
//	Case ─► interleavings ─► labels ─► critical data race sequences ─► failing trace ─► text
//
// After Chen, Zhang, Wu, Zhang: Interleaving-tree Based Fine-grained Linearizability Fault
// Localization (FGVT); papers/docs/localize.md has the definitions, also for more than two threads,
// where the paper has none. Executions come from package explore, verdicts from linsat.Check. There
// is no partial order reduction: it would remove subtrees and so change labels.
package localize

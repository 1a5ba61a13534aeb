// Package sat decides quasi-linearizability of queues, stacks, priority queues, deques and counters
// by SAT.
//
// ρ′, the linearization, is a total order of the operations as in plain linearizability
// (internal/cnf). ρ″, its rearrangement, is an assignment: every removal gets a slot, one of the
// places of its class, at most the bound away from its own place. Places and slots are unary
// numbers, and the disciplines say in terms of slots what must leave before what. For queues the
// windows of package window come first; they often refute without a formula. A model gives ρ′ and
// ρ″, which the verifier replays.
//
// The files are named after their clauses: how the factor bounds places and slots, which removal
// takes which item, that used slots are full, what the disciplines, peeks and causality require,
// and the second order of insertions and peeks that may move.
//
// Deques and counters have ρ″ as a second order of literals (rearranged_literals.go), which says
// what is between an item and its end, or what a sum adds up (deques.go, counters.go).
//
// Peeks of the others that may move under the slots meaning are unsupported, and so are causality
// of deques and other specifications.
package sat

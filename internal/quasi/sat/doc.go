// Package sat decides quasi-linearizability of queues, stacks and priority queues by SAT.
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
// Peeks that may move under the slots meaning are unsupported, and so are specifications without a
// theory of collections.
package sat

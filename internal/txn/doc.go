// Package txn decides whether transactions on registers (model.Transactions) are linearizable, as
// strict serializability is called of one object: by dependencies between them, and by SAT where
// these leave a choice.
//
// The input is a partition of reads and writes of several registers, with pending operations,
// unknown results, values that repeat and explicit order. The way: what each one reads from others;
// dependencies over a timeline; what is not known of them as clauses; what follows by reachability;
// the rest by a solver, cycles being added as they are met; a proof of a violation, or an order.
//
// Other levels of isolation than this one need other edges on the same graph.
package txn

// Package model says what a specification is to the engines.
//
// Split divides a history into parts that can be decided separately. A Spec binds a part once:
// names and values are resolved, and the result holds what does not depend on the state (purity,
// interchangeable operations, classes, the theory) and makes Machines, which execute the
// specification. A theory describes the same operations in a vocabulary for which axioms are known:
// registers, collections, counters.
//
// Nothing here decides whether a history is linearizable.
package model

// Package model defines what engines use of a specification and of the history that they decide.
//
// Split divides a history into partitions that can be decided separately. A Spec binds each
// partition once: it resolves names and values. The resulting Instance holds what does not depend
// on the state (read-only and interchangeable operations, classes, the theory) and makes Machines,
// which execute the specification. A theory describes the same operations in a vocabulary for which
// axioms are known: registers, collections, counters.
//
// Nothing here decides whether a history is linearizable.
package model

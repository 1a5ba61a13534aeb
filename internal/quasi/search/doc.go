// Package search decides quasi-linearizability by backtracking, for any specification with classes
// and any factor. It is an engine of its own, called "search" as the plain one is (package wgl);
// the two share how operations are listed and what the machine does, nothing else.
//
// A history is quasi-linearizable if there are two sequences: ρ′, which respects the order of the
// history, and ρ″, which the specification accepts and in which operations of a class have left
// their places in ρ′ by at most the bound of the class. Under the meaning called slots, the places
// of a class in ρ″ are its places in ρ′; under classes, only the order within a class counts.
//
// The search builds both sequences at once. An operation that is linearized in ρ′ owes its content
// to ρ″, or its content was applied early; every debt has a deadline. What cannot be settled in
// time is cut, and so is what was visited before with deadlines at least as late. A found answer
// holds ρ′, ρ″ and the number of drains. A refutation has no proof of its own.
package search

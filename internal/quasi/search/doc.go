// Package search decides quasi-linearizability by backtracking, for any specification with classes
// and any factor. The engine is called "search", as the plain one is (package wgl). The two share
// how operations are listed and how the machine is run, nothing else.
//
// A history is quasi-linearizable if there are two sequences: ρ′, which respects the order of the
// history, and ρ″, which the specification accepts and in which operations of a class have left
// their places in ρ′ by at most the bound of the class. Under the meaning called slots, the places
// of a class in ρ″ are its places in ρ′; under classes, only the order within a class counts.
//
// The search builds both sequences at once. An operation that is linearized in ρ′ owes its content
// to ρ″, unless that content was applied early; every debt has a deadline. A configuration is cut
// if its debts cannot be settled in time, or if it was visited before with deadlines at least as
// late. An answer holds ρ′, ρ″ and the number of drains. A refutation has no proof of its own.
package search

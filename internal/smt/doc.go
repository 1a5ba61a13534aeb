// Package smt decides histories by a program that knows integers, asked in SMT-LIB 2.
//
// Positions of operations are integers, and time and the disciplines are differences of them; under
// a factor, places and slots are integers too, and |place - slot| ≤ K is what it says. What a
// removal takes, and what a read finds, is the number of an operation or value. Counters are sums.
// So formulas are small and say what the definition says. The clauses of the SAT engine are larger
// and faster (docs/limits.md).
//
// An answer is a model, from which the order is read, or none. The engine gives no proof; the
// refutation in clauses certifies its violations, too.
package smt

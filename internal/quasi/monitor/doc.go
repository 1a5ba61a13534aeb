// Package monitor decides quasi-linearizability of one FIFO queue with distinct values by windows,
// and finds the least bound of its removals.
//
// Package window either refutes the history, with a displacement that the verifier checks, or
// leaves windows for the slot of every value and the place of every removal. A schedule by earliest
// deadlines, or else a limited search, finds positions inside them, from which ρ′ and ρ″ are read.
// If neither settles the history, the answer is Undecided: whether the question is polynomial is
// open.
//
// A queue in which values repeat is decided under the slots meaning by a search that fills the
// places of the removals one after the other.
package monitor

// Package sets holds the concurrent sets on which P-compositionality was evaluated (Horn and
// Kroening, FORTE 2015, Table 2, after Lowe, Testing for linearizability, 2016), two of them also
// with a fault. They are written from Herlihy and Shavit, The Art of Multiprocessor Programming,
// chapters 9, 13 and 14. Package explore runs them under every schedule; Record runs them in
// ordinary goroutines and records what they answer.
package sets

// Package words says why a history is not at a level of isolation, in the terms of those who
// check databases: the anomaly by its name, its transactions, and why each comes before the next.
//
// It looks among the transactions that a refutation names for a cycle of dependencies that the
// level forbids, by itself: what it says does not rest on the engine. Where choices were needed
// there may be none; then it names these transactions.
package words

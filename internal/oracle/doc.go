// Package oracle is the meaning of the words by brute force: what every engine, judge and
// argument is compared with on small histories. It is written to be read, not to be fast; it
// imports no engine and nothing that an engine uses past the specifications.
//
//	order.go   which total orders extend the order of a part
//	objects.go, answers.go  objects that read results by themselves, to compare the specifications' reading with
//	linear.go  linearizable: some total order is accepted; Replay: is it this one
//	quasi.go   the two meanings of quasi-linearizability: total orders × rearrangements
//	drain.go   what is left over at the end is removed
//
// It decides histories of up to 64 operations in principle and of about ten in practice.
package oracle

// Package monitor decides in polynomial time, or says that it cannot: procedures for one specification and
// one kind of history each, with a witness of every yes and a certificate of every no.
//
//	engine.go    which procedure takes a problem
//	relaxed.go   quasi-linearizable FIFO queues with distinct values: windows, then a schedule, then layers
//	schedule.go  slots and places by earliest deadline, in turns
//	layers.go    slots and places by a complete search, one position after the other, under a limit
//	witness.go   slots and places → ρ′ and ρ″, and the check of both against the definition
//	least.go     the least bound of the removals
//
// The windows come from package quasi/window. A relaxed queue that none of this settles is Undecided: the
// question whether it is polynomial is open.
package monitor

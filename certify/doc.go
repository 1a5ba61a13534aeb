// Package certify is the independent judge: it replays witnesses on a fresh
// machine of the specification and checks refutations from the raw intervals. It imports no
// engine and no solver, and knows nothing of how an answer was found.
//
//	witness.go        a linearization is legal, complete and in order
//	rearrangement.go  a quasi-linearization: ρ′, ρ″ and the distance between them
//	causal.go         no removal before the insertion of its value, unknown results included
package certify

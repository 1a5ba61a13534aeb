// Package isolation is what the checks of transactions share: a history of transactions on several
// objects, the levels of isolation, and what an answer about one of them shows (Certificate).
//
// Engines and the verifier read the same History and make what they need of it, each by itself.
// It has no algorithm of its own but that of components of graphs.
package isolation

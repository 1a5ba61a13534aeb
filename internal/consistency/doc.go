// Package consistency is what the checks of one object share: the questions (Questions), a history
// with the order of its processes in the place of time (ByProcess), and certificates.
//
// Transactions are asked about by package isolation, and relaxed objects by package quasi.
package consistency

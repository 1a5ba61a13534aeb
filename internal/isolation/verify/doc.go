// Package verify judges certificates about the isolation of transactions: whether a commit order
// satisfies the axioms of a level, and whether the clauses of a refutation follow from them and
// from the history, and cannot all hold.
//
// It shares no code with the engine: what it needs of the history it makes itself. It searches
// nothing; each check is linear, or nearly so, in the history and the certificate.
package verify

package setsearch

// maxOperations is how many operations and drains a partition may have: more take memory with the
// square of it before any limit is looked at, and the recursion is as deep.
const maxOperations = 2000

// maxPending is how many pending operations there may be: each doubles the time.
const maxPending = 16

// entryBytes is what an entry of the table takes beside its key.
const entryBytes = 48

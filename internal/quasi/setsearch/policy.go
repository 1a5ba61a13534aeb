package setsearch

// maxOperations is how many operations and drains a partition may have: more have no chance, and
// places are kept in one byte.
const maxOperations = 200

// maxPending is how many pending operations there may be: each doubles the time.
const maxPending = 16

// entryBytes is what an entry of the table takes beside its key.
const entryBytes = 48

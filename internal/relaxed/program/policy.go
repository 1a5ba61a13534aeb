package program

// maxAborts is how many accesses of deferred functions are refused by a panic. A thread that still
// goes on recovers in a loop, and is ended by Goexit, which nothing recovers: more lets longer
// deferred functions run to their end.
const maxAborts = 16

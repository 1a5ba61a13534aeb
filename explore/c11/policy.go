//go:build !linsat_native

package c11

// defaultMaxEvents is how many accesses a thread makes before its execution counts as endless: more
// lets longer loops end, and finds later that one does not.
const defaultMaxEvents = 100

// callers is how many frames are looked at to find the line of an access. More than the calls
// inside this package, which are three, find nothing new.
const callers = 8

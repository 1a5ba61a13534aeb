package c11

// defaultMaxEvents is how many accesses a thread makes before its execution counts as endless: more
// lets longer loops end, and finds later that one does not.
const defaultMaxEvents = 100

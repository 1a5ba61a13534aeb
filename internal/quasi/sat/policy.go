package sat

// windowBytes is the memory accounted for the windows of one operation (package window). A larger
// number gives up sooner under a memory limit, a smaller one may exceed it.
const windowBytes = 160

// pieceSize is how many operations are decided at a time. Fewer are repaired more often, more take
// longer for each conflict. Of four stacks of 5,000 operations, 8 clients, 128 took 0.65 to 0.95 s,
// 256 0.75 to 1.3 s, 32 0.9 to 1.1 s, and all at once 4.8 to 5.7 s.
const pieceSize = 128

// mostRearranged is the number of operations up to which ρ″ is an order of literals for each pair.
// More decides longer histories of deques and counters, with clauses that grow with the square of
// the length, and with the third power under classes or where many items are drained.
const mostRearranged = 1000

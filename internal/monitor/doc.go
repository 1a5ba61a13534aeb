// Package monitor decides linearizability in polynomial time (with one exception), or answers that
// it cannot. It has one procedure for each kind of object and history. A procedure gives a witness
// of every linearizable history and, except for counters, a proof of every violation.
//
// Registers, and with them maps, sets and locks, are decided by chains: zones of operations that
// are tied together because each value has one writer. A register that goes back and forth between
// two values is decided lazily, by earliest deadline. Queues, stacks and priority queues with
// distinct values are decided by their values: moments at which a value may be inserted and leave,
// contradictions within a value, then those between values as the discipline has them. Peeks, empty
// results and pending operations are allowed. An unordered queue that was never found empty is
// accepted whatever values repeat. A queue in which values repeat is decided by pairing
// insertions with removals one after the other, in time exponential in the number of operations
// open at once. A deque is two stacks, and between them values that cross from one end to the
// other; it has peeks at values that do not cross.
//
// A counter is decided by sums that cannot be what was observed, else by a beam of configurations;
// where the beam loses all of them and has left some out, it is Undecided. A bank is decided in the
// same way, but for violations that no sum shows.
//
// A stack or priority queue with pending removals may be Undecided: the values that they took are
// guessed to accept and bounded to refute. So may a deque with many of them. Where values are
// inserted twice into another collection than a queue, it can only refute, by how often a value was
// taken out (overdrawn.go). Unknown results and explicit order are unsupported. Queues under a
// quasi factor are decided in internal/quasi/monitor.
package monitor

package search

// What: decides quasi-linearizability under slots, for any specification with classes and any
// factor, by depth-first search with an explicit stack.
//
// Source: Wing and Gong (JPDC'93) with Lowe's memo for ρ′; the debts between ρ′ and ρ″ are ours,
// from the definition of slots (Round-Up, Algorithms 1 and 2) and the exchange argument that
// contents of equal effect can be matched in sorted order.
//
// A move linearizes the next operation of ρ′; its class has one more place then, which some content
// of the class fills: applied to the machine, it is the next operation of ρ″. A content can be
// applied when its operation is linearized, after it (owed) or before it (early), by at most the
// bound of the class (slots_moves.go). Drains are removals that come after everything else; how
// many there are follows from the pending operations that were included, so the first drain ends
// the choice. With causality an unknown removal is told what it takes when it is linearized, since
// that must be in the object in ρ′ then, and it takes the same in ρ″.
//
// Accepted: all completed operations are linearized, nothing is owed or early, nothing is left to
// drain.
//
//	slots_layout.go    the partition, its classes of places, its contents
//	slots_moves.go     the configuration, made and undone
//	slots_children.go  the moves, in order
//	slots_prune.go     debts that cannot be settled in time
//	slots_shelf.go     what a collection holds, for that
//	slots_ranks.go     places that a value can leave at
//	slots_classes.go   the same under the classes meaning, for small partitions
//	slots_memo.go      configurations visited before, with dominance
//
// Invariants: in every group as many contents are owed as are early; r.trail makes the
// configuration from the first one; the moves of the frames lie on top of each other.
//
// Cost: exponential at worst; with n operations of which w are open and a bound K there are at most
// about n·2^w·(w+K)^2K keys per state. Priority queues, whose insertions commute, stay near n.

// slotsMeaning is the slots meaning of a factor.
type slotsMeaning struct{ *run }

// dead reports whether the debts cannot be settled, or the configuration was visited before.
func (r *slotsMeaning) dead() bool { return r.hopeless() || r.memo.visited(r.key()) }

// Package search decides partitions by backtracking: it is the native Wing-Gong-Lowe engine
// for every executable specification, deterministic or not, with pending operations,
// unknown results and explicit edges.
//
// A partition goes in (engine.Problem); a verdict comes out, with the linearization that was
// found, or with the shortest prefix that has none and the configurations in which it
// ends (engine.Answer).
//
//	engine.go       the engine: limits, verdict, effort
//	phases.go       the phases of an attack, and when to go on to the next
//	layout.go       a partition as layers, slots, classes of pending operations and edges
//	moves.go        the configuration: operations taken, returns passed, all of it undone again
//	dfs.go          the depth-first search over configurations
//	pending_closure.go      which states pending operations can bring about, and what stops them
//	pending_targets.go      the same where the states can be listed: only those that help
//	repeated.go     phases for queues, stacks and deques whose values repeat
//	lanes.go        operations in a row, and the sets that can be a beginning of it
//	fifo.go         one queue: insertions and removals side by side
//	lifo.go         one stack: what can be on top, whatever lies below
//	alone.go        one deque: values that contradict each other without the others
//	ends.go         one stack or deque: a linearization and its repairs
//	components.go       independent components of a partition that nobody has split
//	memo.go         learned nogoods by configuration
//	reason.go       usage vectors
//	transitions.go  state × operation, cached
//	budget.go       steps, memory, cancellation
//	space.go        all states, what leads where, and what pending operations can reach
//	relaxation.go   the graph of configurations with pending operations without limit
//	prices.go       prices on pending operations: refutations with evidence, and linearizations
//	bounds.go       the search cut by prices
//	failure.go      why not: the shortest violating prefix and what was possible before it
//
// Under a factor, with a story of its own in slots.go (ρ′, ρ″ and Drains come out of a yes, nothing
// of a no):
//
//	slots.go           the search; the classes meaning in slots_classes.go, for small partitions
//	slots_layout.go    the partition, its classes of places, its contents
//	slots_moves.go     the configuration, made and undone
//	slots_children.go  the moves, in order
//	slots_prune.go     debts that cannot be settled in time
//	slots_shelf.go     what a collection holds, for that
//	slots_ranks.go     places that a value can leave at
//	slots_memo.go      configurations visited before, with dominance
//
// It does not split histories (model.Split does). The problem is NP-hard: with very many pending
// operations that are just enough, or just not, and with specifications without bound, it can
// outlast any budget. docs/decisions/search.md says what was tried.
package wgl

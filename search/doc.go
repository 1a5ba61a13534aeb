// Package search decides parts by backtracking: it is the native Wing-Gong-Lowe engine
// for every executable specification, deterministic or not, with pending operations,
// unknown results and explicit edges.
//
// A part goes in (check.Problem); a verdict comes out, with the linearization that was
// found, or with the shortest prefix that has none and the configurations in which it
// ends (check.Answer).
//
//	engine.go       the engine: limits, verdict, effort
//	layout.go       a part as layers, slots, classes of pending operations and edges
//	moves.go        the configuration: operations taken, returns passed, all of it undone again
//	dfs.go          the depth-first search over configurations
//	pending.go      which states pending operations can bring about, and what stops them
//	memo.go         learned nogoods by configuration
//	reason.go       usage vectors
//	transitions.go  state × operation, cached
//	budget.go       steps, memory, cancellation
//	failure.go      why not: the shortest violating prefix and what was possible before it
//
// Under a factor, with a story of its own in slots.go (ρ′, ρ″ and Drains come out of a yes, nothing of a no):
//
//	slots.go           the search; the classes meaning in slots_classes.go, for small parts
//	slots_layout.go    the part, its classes of places, its contents
//	slots_moves.go     the configuration, made and undone
//	slots_children.go  the moves, in order
//	slots_prune.go     debts that cannot be settled in time
//	slots_shelf.go     what a collection holds, for that
//	slots_ranks.go     places that a value can leave at
//	slots_memo.go      configurations visited before, with dominance
//
// It does not split histories (spec.Split does). Histories with very many pending operations whose resources are tight
// can outlast any budget: the learned nogoods are exact but not generalised.
package search

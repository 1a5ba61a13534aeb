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
// It does not split histories (spec.Split does), and does not judge under a
// relaxation. Histories with very many pending operations whose resources are tight
// can outlast any budget: the learned nogoods are exact but not generalised.
package search

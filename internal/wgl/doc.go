// Package wgl decides linearizability by backtracking, following Wing, Gong and Lowe. It supports
// any executable specification, deterministic or not, with pending operations, unknown results and
// explicit edges.
//
// The input is a partition (engine.Problem). The answer is a verdict with the linearization found,
// or with the shortest prefix that has none and the configurations in which that prefix ends
// (engine.Answer). Histories are split elsewhere (model.Split), and questions with a quasi factor
// go to package quasi/search: a Problem for this engine has none.
//
// The core is a depth-first search over configurations, which learns a nogood from each failure:
// with at least this many pending operations used here, the rest fails. Pending operations make the
// problem hard, so most of the code is about them: the closure of a state under pending operations,
// the states in that closure that are worth reaching, and the bound of package dual, which refutes,
// finds a linearization, or cuts. Queues, stacks and deques are decided by package stackdeque, which
// does not store contents. After a refutation, the search runs again on prefixes to say where and why.
//
// The problem is NP-hard. With very many pending operations that just suffice, or just do not, and
// with specifications that have no bound on their states, the search can exceed any budget.
// docs/decisions/search.md says what was tried.
package wgl

// Package wgl decides linearizability by backtracking, in the line of Wing, Gong and Lowe. It takes
// any executable specification, deterministic or not, with pending operations, unknown results and
// explicit edges.
//
// A partition goes in (engine.Problem). A verdict comes out, with the linearization that was found,
// or with the shortest prefix that has none and the configurations in which that prefix ends
// (engine.Answer). Splitting histories is not done here (model.Split), nor are questions with a
// quasi factor: those go to package quasi/search, and a Problem for this engine has none.
//
// The core is a depth-first search over configurations, which learns from each failure a nogood: so
// many pending operations used here, and the rest fails. Pending operations are what makes the
// problem hard, so most of the rest is about them: the closure of a state under pending operations,
// the states in that closure that are worth reaching, and the bound of package dual, which refutes,
// finds a linearization, or cuts. Queues, stacks and deques have phases of their own, which keep no
// contents. After a refutation, the search is run again on prefixes to say where and why.
//
// The problem is NP-hard. With very many pending operations that are just enough, or just not, and
// with specifications that have no bound on their states, the search can outlast any budget.
// docs/decisions/search.md tells what was tried.
package wgl

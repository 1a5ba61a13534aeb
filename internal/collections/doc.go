// Package collections decides queues, stacks and deques whose values repeat, without storing their
// contents as states.
//
// Queues are decided exactly (fifo.go), and so are stacks, layer by layer (lifo_layers.go) or the
// deepest configuration first (lifo.go). Stacks and deques are tried by one linearization and its
// repairs (repair_search.go). Where these stop, a part of a stack is searched exactly
// (window_search.go), which decides unless it reaches a limit. A deque is searched exactly as a
// whole (deque_paths.go), and where too much is open for that, a part of it with its contents
// (deque_window_search.go), which finds a linearization or does not decide. Only the latter keeps
// contents as states, of a part, so the size of the collection does not matter.
//
// The steps of these searches are cheap, since they take no step of a machine.
package collections

// Package beam looks for a rearrangement of a long history of a stack or a priority queue whose
// removals may move, and in which operations may be pending. All that it ever answers is
// "linearizable".
package beam

// Package beam looks for a rearrangement of a long history of a stack, a priority queue or a
// counter whose removals or tickets may move, and in which operations may be pending. All that it
// ever answers is "linearizable".
package beam

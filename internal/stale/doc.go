// Package stale states questions about reads that return old values: of registers, of keys of a map
// and of elements of a set. Its packages solve, verify, check and words decide them, judge the
// answers, ask about whole histories and their least bounds, and say why an answer is no.
package stale

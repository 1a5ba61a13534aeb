// Package spectest tests specifications, linsat's own and those of others, against the laws that
// engines rely on.
//
// Check takes a specification and a Kit, a table of sample calls with the results that they may
// give, and returns every violation that it finds. Verdicts come from internal/oracle. Whether a
// specification describes the intended object is not checked here: its own tests show that a queue
// is a queue.
package spectest

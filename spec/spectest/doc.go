// Package spectest tests specifications, linsat's own and those of others, against the laws that
// engines rely on.
//
// Check takes a specification and a Kit, a table of sample calls with the results that they may
// give, and returns every violation that it finds; Test reports them to a test.
//
//	kit.go        samples, and the part that holds one operation for each of them
//	laws.go       Check: Info, and the laws of what Bind says, on all states within reach of the samples
//	theory.go     theories executed word for word, as machines of their own
//	histories.go  random histories made of the samples; laws of their verdicts
//
// Verdicts come from internal/oracle. What a specification ought to say is not judged here: that
// a queue is a queue is for its own tests.
package spectest

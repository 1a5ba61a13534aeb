package window

// What is tuned, and what each number trades. None of them can change what is narrowed in the end,
// only how soon, and which facts a proof rests on.

// Sweeps over what changed (windows.go). Changes are noted by chunks of chunk indices; a span has
// up to longest of them, so that a rule takes a few milliseconds before the time is looked at.
// reach is how many operations before a span are packed with it: more narrows more at once, less
// repeats more sweeps. Everything is gone over again while more than one bound of manyShare
// changes.
const (
	chunk     = 64
	longest   = 256
	reach     = 64
	manyShare = 16
)

// logChunk is how many narrowings a chunk of the log has: larger ones are fewer, and the last one
// stays emptier.
const logChunk = 1 << 14

// enoughSeen is how many variables are looked at for a cheaper edge once one is known: more makes
// proofs smaller, later.
const enoughSeen = 256

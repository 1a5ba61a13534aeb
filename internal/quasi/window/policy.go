package window

// What is tuned, and what each number trades. No number can change what is narrowed in the end,
// only how soon, and which facts a proof rests on.

// Sweeps over what changed (windows.go). Changes are recorded in chunks of chunk indices. A span
// has up to longest of them, so that one rule takes at most a few milliseconds between looks at the
// clock. reach is how many operations before a span are packed with it: more narrows more at once,
// less repeats more sweeps. All variables are swept again while more than one bound in manyShare
// changes.
const (
	chunk     = 64
	longest   = 256
	reach     = 64
	manyShare = 16
)

// logChunk is how many narrowings a chunk of the log holds: larger chunks are fewer, but more of
// the last one stays unused.
const logChunk = 1 << 14

// enoughSeen is how many variables are examined for a cheaper edge once one edge is known. More
// makes proofs smaller, later.
const enoughSeen = 256

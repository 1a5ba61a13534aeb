package cdcl

// What is tuned. None of these can change an answer, only how soon it comes.

// Restarts come first after restartEvery conflicts: more follows a wrong start for longer.
// Activities of variables are multiplied by decay: less forgets sooner. At rescaleAt they are
// scaled down. The context is looked at every pollEvery conflicts, and every readEvery clauses that
// are read: more answers later to it.
const (
	restartEvery = 64
	decay        = 0.95
	rescaleAt    = 1e100
	pollEvery    = 64
	readEvery    = 1 << 14
)

// Learned clauses are reduced when there are reduceFirst of them, then reduceMore more each time:
// more keeps more, and propagates slower. Those of keptGlue levels are never dropped.
const (
	reduceFirst = 4000
	reduceMore  = 1000
	keptGlue    = 2
)

// maxProof bounds the numbers that a proof holds, lemmas that turn out not to be needed included:
// more finds larger refutations, with 4 bytes for each number.
const maxProof = 64_000_000

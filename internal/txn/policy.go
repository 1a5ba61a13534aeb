package txn

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and how long its proof is.

// someEdges is through how many edges a shortest cycle is sought: more may find a shorter one.
const someEdges = 256

// mostClauses bounds the clauses of a partition, of about 80 bytes each: more decides more
// histories with many pending operations and values that repeat, and takes more memory.
const mostClauses = 4_000_000

// cyclesEach is how many cycles of one model are excluded: more takes fewer calls of the solver,
// and adds clauses that another choice makes superfluous.
const cyclesEach = 1000

// looksAhead is among how many operations that may come next the guess looks for one that fits:
// more guesses better, and takes longer where very many are concurrent.
const looksAhead = 64

// bytesPerOperation and bytesPerClause estimate what the limit on memory is asked for.
const (
	bytesPerOperation = 200
	bytesPerClause    = 80
)

// mostTriangles bounds the cycles of three operations that are excluded before they are met: more
// decides sooner where very many operations are concurrent, and takes 100 bytes each.
const mostTriangles = 2_000_000

// The beam (beam.go) begins with beamNarrow configurations of a length. Where it dies out, it goes
// back by beamBack operations and keeps four times as many, twice at most: more finds more, and
// takes as much longer. beamNodes bounds the configurations for each operation: less asks the
// solver sooner where there is no linearization. beamOpened is what an operation counts for that
// was called, and three times that a value that no open operation writes: more goes on further in
// time, and finds out later what is not to be had.
const (
	beamNarrow = 16
	beamBack   = 48
	beamNodes  = 200
	beamOpened = 8
)

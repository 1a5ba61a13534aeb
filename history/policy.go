package history

// What is tuned, and what each number trades. None of them can change what is read, but for
// the memory limit.

// What memory is counted while a history is read, beside that of operations and names: noteBytes
// for an annotation, valueBytes for a value with its entry in a map. More refuses inputs sooner
// under a memory limit, less may pass it.
const (
	noteBytes  = 128
	valueBytes = 160
)

// looked is how many lines behind the first may still tell which format it is: more finds more
// inputs of two formats, in more time.
const looked = 100

// maxWarnings bounds the warnings about one input: more repeats itself, mostly.
const maxWarnings = 20

// Tables. Processes with numbers below smallProcesses, and integers below smallInts, are found by
// their number instead of in a map: more of them are found at once, in more memory. The table of
// integers has room for leastSmallInts when the first one comes, and doubles: more fits small
// histories less well.
const (
	smallProcesses = 1 << 16
	smallInts      = 1 << 12
	leastSmallInts = 1 << 5
)

// firstRecords is how many operations a builder has room for when the first one comes: more copies
// less while it grows, and takes more memory for small histories.
const firstRecords = 32

// moreRecords is how many times the operations that the first lines promise a list has room for:
// more copies less if later lines are shorter, and takes more memory.
const moreRecords = 1.05

// recordedEach is how many operations of a process a recorder makes room for at once: more
// allocates less often, in more memory.
const recordedEach = 1 << 12

// mostRoom is the greatest size of a block of texts or lists, in bytes or values: larger ones give
// the garbage collector less to visit, and the last one stays emptier.
const mostRoom = 1 << 16

// eachAside is from how many operations for each thread on a history is put together side by side:
// fewer wake threads for less work.
const eachAside = 1 << 14

// sparseRanks is how many ranks there may be for each operation when they are looked up in a table
// of bits; more go through a map, in less memory and more time.
const sparseRanks = 64

// Known orders. mostCut is how many chains are cut (chain.go): more save edges, for one pass over
// the history each. mostPairs bounds the edges that chains leave: more takes wider histories, in 8
// bytes an edge and as much again in the engines.
const (
	mostCut   = 16
	mostPairs = 1 << 22
)

// mostAside is how many bytes the files of one history may have that are read side by side: more
// are read one after the other, in less memory.
const mostAside = 128 << 20

// mostFrames is how far a refused value is followed to the call that recorded it: callers of
// wrappers that are deeper are named by none.
const mostFrames = 16

// plainDepth is how deep lists are nested that are read the short way: deeper ones take longer.
const plainDepth = 8

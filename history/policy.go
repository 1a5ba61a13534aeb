package history

// What is tuned, and what each number trades. None of them can change what is read, but for
// maxDepth and the memory limit.

// What memory is counted while a history is read. More refuses inputs sooner under a memory limit,
// less may pass it. recordBytes is what an operation takes in the builder and the history together,
// with the room that growing slices need; nameBytes what a name takes beside its text, in a slice
// and in a map; valueBytes a value with its entry in a map. fastlinBytes is what a row of fastlin's
// format takes besides, and ednTreeBytes what the library's tree of a value takes for each byte of
// its text, at worst nearly; ednListBytes what a list of integers takes without it.
const (
	recordBytes  = 240
	nameBytes    = 100
	noteBytes    = 128
	valueBytes   = 160
	asideBytes   = 128
	fastlinBytes = 200
	ednTreeBytes = 32
	ednListBytes = 8
)

// Buffers. A source reads firstBytes at a time at first and sourceBytes once the input has proved
// large: more asks the system less often. Formats are recognised from recogniseBytes, and by looked
// lines behind the first: more recognises formats whose beginning says little, and keeps a pipe
// waiting for longer.
const (
	firstBytes     = 1 << 12
	sourceBytes    = 1 << 18
	recogniseBytes = 1 << 16
	looked         = 100
)

// enoughText is how much text of a Jepsen file is decoded at once: more takes more memory, less
// goes back and forth more often.
const enoughText = 1 << 16

// fastlinBlockBytes is how much text is read by one goroutine: larger blocks cost less
// coordination, smaller ones share the work better. docs/decisions/speed.md has what this and
// other steps saved. It is a variable for the tests.
var fastlinBlockBytes = 1 << 18

// fewNames is how many short names of a JSON object are compared one by one: fewer are looked up
// sooner, in memory of their own.
const fewNames = 16

// maxDepth bounds nested lists and maps in one value: more reads deeper ones, and takes more stack.
const maxDepth = 1000

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

// Times are numbered by a table where their span is less than timesEach for each operation: more
// need no sorting, in more memory.
const timesEach = 16

// eachAside is from how many operations for each thread on a history is put together side by side:
// fewer wake threads for less work.
const eachAside = 1 << 14

// Sorting times. Fewer than fewTimes are compared, more go by digits of digitBits bits: wider
// digits take fewer passes over larger tables of counts.
const (
	fewTimes  = 256
	digitBits = 11
)

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

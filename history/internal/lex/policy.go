package lex

// What is tuned, and what each number trades. None of them can change what is read, but for
// maxDepth and the memory limit.

// What memory is counted while a history is read. More refuses inputs sooner under a memory limit,
// less may pass it. recordBytes is what an operation takes in the builder and the history together,
// with the room that growing slices need; nameBytes what a name takes beside its text, in a slice
// and in a map.
const (
	RecordBytes = 240
	NameBytes   = 100
)

// Buffers. A source reads firstBytes at a time at first and sourceBytes once the input has proved
// large: more asks the system less often. Formats are recognised from recogniseBytes: more
// recognises formats whose beginning says little, and keeps a pipe waiting for longer.
const (
	firstBytes     = 1 << 12
	sourceBytes    = 1 << 18
	recogniseBytes = 1 << 16
)

// fewNames is how many short names of a JSON object are compared one by one: fewer are looked up
// sooner, in memory of their own.
const fewNames = 16

// MaxDepth bounds nested lists and maps in one value: more reads deeper ones, and takes more stack.
const MaxDepth = 1000

// Times are numbered by a table where their span is less than timesEach for each operation: more
// need no sorting, in more memory.
const TimesEach = 16

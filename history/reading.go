package history

import (
	"io"
	"slices"
	"sync"

	"github.com/linsat/linsat/history/internal/lex"
)

// Reading is an input while a Format reads it: its bytes, what the caller says about it, and the
// Builder that its operations go to, with what a Builder keeps to itself otherwise.
type Reading struct {
	*Builder
	In      io.Reader // decompressed, from the beginning
	Path    string    // of the file, "" unless ReadFile reads it
	Options ReadOptions
	Format  string // the name of the format, of which the reader may tell variants apart
}

// As reads an input of another format into the same history.
func (r *Reading) As(format string, in io.Reader) error {
	f, err := findFormat(format)
	if err != nil {
		return err
	}
	other := *r
	other.In = in
	return f.Read(&other)
}

// Records are the operations so far, by position. They may be amended.
func (r *Reading) Records() []Record { return r.Builder.records }

// Drop removes the first operation, to whose position nothing refers yet.
func (r *Reading) Drop() { r.Builder.records = slices.Delete(r.Builder.records, 0, 1) }

// Notes are the annotations so far. They may be amended.
func (r *Reading) Notes() []Note { return r.Builder.notes }

// Open returns the position of the operation that a process has open.
func (r *Reading) Open(process int32) (position int, open bool) {
	if !r.has(process) || r.open[process] == 0 {
		return 0, false
	}
	return int(r.open[process] - 1), true
}

// OpenRecord returns the open operation of a process, to look at or to amend (its key or argument,
// where the format states them only at the return), or nil.
func (r *Reading) OpenRecord(process int32) *Record { return r.openRecord(process) }

// Abandon ends the open operation of a process with an unknown outcome: it stays pending, and the
// process may be used again, as in Jepsen's logs.
func (r *Reading) Abandon(process int32, line int) error { return r.abandon(process, line) }

// Twin adds a process with the name of another.
func (r *Reading) Twin(process int32) int32 { return r.twin(process) }

// Name returns the name of a process.
func (r *Reading) Name(process int32) string { return r.processes[process] }

// Processes lists the names of the processes, by number.
func (r *Reading) Processes() []string { return slices.Clone(r.processes) }

// Clock counts the events that Invoke and Complete added.
func (r *Reading) Clock() int64 { return r.clock }

// SetClock makes later events come after that many.
func (r *Reading) SetClock(events int64) { r.clock = events }

// Spec returns the name of the specification, "" if none was set.
func (r *Reading) Spec() string { return r.spec }

// SetTest notes the name of the test that the history is of.
func (r *Reading) SetTest(name string) { r.test = name }

// SetUnit says how the input writes times: files that are merged write them alike.
func (r *Reading) SetUnit(unit string) { r.unit = unit }

// Untimed says that times tell only in which order the operations of a process come.
func (r *Reading) Untimed() { r.untimed = true }

// Counting says that times are numbers of events, in a format that may have others.
func (r *Reading) Counting() { r.counting = true }

// Fits refuses so many further operations, and bytes beside them, that would pass the memory limit.
func (r *Reading) Fits(operations int, bytes int64, line int) error {
	if r.limit > 0 && r.memory(len(r.Builder.records)+operations)+bytes > r.limit {
		return lex.TooLarge(line, r.limit)
	}
	return nil
}

// Restart forgets operations and processes, and keeps the rest.
func (r *Reading) Restart() {
	b := r.Builder
	b.records, b.processes, b.open, b.abandoned = nil, nil, nil, nil
	clear(b.index)
	clear(b.numbers)
	b.clock = 0
}

// Reorder puts the operations into another order, given by their positions now. No operation is
// open any more.
func (r *Reading) Reorder(order []int) {
	records := make([]Record, len(order))
	for k, i := range order {
		records[k] = r.Builder.records[i]
	}
	r.Builder.records = records
	clear(r.open)
	clear(r.abandoned)
}

// Numbered prepares for n operations, each of its own process, named by its number.
func (r *Reading) Numbered(n int) { r.numbered(n) }

// Ranked gives the history operations that are in order already, each of its own process, named by
// its position in the input; others must not be added. fill makes them while the names are made.
func (r *Reading) Ranked(n int, fill func(ops []Op, origins []Origin)) {
	r.ops, r.origins = make([]Op, n), make([]Origin, n)
	var aside sync.WaitGroup
	aside.Go(func() { r.nameProcesses(n) })
	fill(r.ops, r.origins)
	aside.Wait()
}

// UnknownField warns about a field that is ignored, and suggests the known one that it most
// resembles.
func (r *Reading) UnknownField(of, name string, known []string, line int) {
	r.unknownField(of, name, known, line)
}

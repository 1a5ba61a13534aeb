package history

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/escape"
)

// Record is one operation as the input has it.
type Record struct {
	Process     int32 // from Builder.Process
	F           Value // a string
	Key         Value // NoKey if the operation names no object
	Arg, Result Value // Nil where there is none
	// times; Return is ignored while pending, and math.MaxInt64 of a failed operation that does not
	// say when it failed
	Call, Return int64
	Pending      bool // it never returned: it may have taken effect or not
	Failed       bool // it is known not to have taken effect; Pending is then ignored
	Forgotten    bool // it returned, but its result is not known
	// it returned, but the input states no result at all; Result is then Nil
	NoResult bool
	// it is drawn, as an annotation, but not checked: whatever it did is allowed
	Unchecked bool
	Silent    bool      // it says nothing of the object, and is not counted among those that failed
	Revision  *Revision // its place in a known order, nil if it has none
	ID        string    // "" if the input gives none
	Line      int       // 1-based line, 0 if unknown
}

// returned reports whether the operation took effect and returned.
func (r *Record) returned() bool { return !r.Pending && !r.Failed }

// end sets what is known of the end of the operation.
func (r *Record) end(pending, failed bool) { r.Pending, r.Failed = pending && !failed, failed }

// noTime is the Return of a failed operation that does not say when it failed.
const noTime int64 = math.MaxInt64

// Builder collects the operations of an input and validates them.
// Either all operations come with times (Add), or all come as events in their
// order (Invoke, Complete), never both.
type Builder struct {
	Values *Values

	records   []Record
	ops       []Op // in place of records, where a reader has ordered them itself
	origins   []Origin
	processes []string
	index     map[string]int32
	numbers   []int32 // process named n → its number plus one, for small n
	limit     int64   // bytes that records and values may take, 0 for no limit
	named     int64   // bytes that names of processes, ids and notes take, estimated
	edges     []rawEdge
	expiries  map[int32]int64 // deadlines of pending records
	notes     []Note
	ids       map[string]int32
	hasIDs    bool
	initial   *Value
	spec      string
	options   ReadOptions // what the caller says about the input
	warnings  []*Error
	test      string          // name of the Jepsen test
	told      map[string]bool // unknown fields that already have a warning

	clock     int64   // events so far
	finished  bool    // by Finish
	unit      string  // how a table writes times
	untimed   bool    // times say only in which order the operations of a process come
	counting  bool    // times are numbers of events, in a format that may have others
	open      []int32 // process → its open record plus one
	abandoned []int32 // process → its last record plus one, if that stays pending
}

type rawEdge struct {
	before, after int32
	line          int
}

// NewBuilder returns an empty builder with a fresh table of values.
//
//go:noinline
func NewBuilder() *Builder { // not inlined: each reader of a format calls it
	return &Builder{Values: newValues(), index: map[string]int32{}, ids: map[string]int32{}, told: map[string]bool{}}
}

// reset empties a builder that only operations were added to. It keeps its memory.
func (b *Builder) reset() {
	b.Values.reset()
	b.records, b.processes, b.open, b.abandoned = b.records[:0], b.processes[:0], b.open[:0], b.abandoned[:0]
	clear(b.index)
	clear(b.numbers)
	clear(b.ids)
	b.hasIDs, b.named = false, 0
}

// Process returns the number of the process with that name.
func (b *Builder) Process(name string) int32 {
	if p, ok := b.index[name]; ok {
		return p
	}
	name = lex.ValidString(name)
	if p, ok := b.index[name]; ok {
		return p
	}
	if b.index == nil {
		b.index = map[string]int32{}
	}
	b.named += lex.NameBytes + int64(len(name))
	p := int32(len(b.processes))
	b.processes = append(b.processes, name)
	b.index[name] = p
	b.open = append(b.open, 0)
	b.abandoned = append(b.abandoned, 0)
	return p
}

// ProcessInt returns the number of the process named n.
func (b *Builder) ProcessInt(n int64) int32 {
	if n < 0 || n >= smallProcesses {
		return b.Process(itoa(n))
	}
	for int64(len(b.numbers)) <= n {
		b.numbers = append(b.numbers, 0)
	}
	if b.numbers[n] == 0 {
		b.numbers[n] = b.Process(itoa(n)) + 1
	}
	return b.numbers[n] - 1
}

// numbered prepares an empty builder for n operations, each of its own process, named by its
// number.
func (b *Builder) numbered(n int) {
	b.nameProcesses(n)
	b.records = make([]Record, 0, n)
}

// nameProcesses adds n processes to an empty builder, named by their numbers.
func (b *Builder) nameProcesses(n int) {
	size, digits := 0, 1 // of all names, and of the one at hand
	for from, to := 0, 10; from < n; from, to, digits = to, 10*to, digits+1 {
		size += digits * (min(n, to) - from)
	}
	var all strings.Builder // what is written to it does not move
	all.Grow(size)
	b.processes = make([]string, n)
	name := []byte{'0'}
	for i := range b.processes {
		from := all.Len()
		all.Write(name)
		b.processes[i] = all.String()[from:]
		name = successor(name)
	}
	b.named += lex.NameBytes*int64(n) + int64(size)
}

// successor adds one to a decimal number, in place if it keeps its length.
func successor(number []byte) []byte {
	for k := len(number) - 1; k >= 0; k-- {
		if number[k] < '9' {
			number[k]++
			return number
		}
		number[k] = '0'
	}
	return append([]byte{'1'}, number...)
}

// setMemoryLimit makes Add refuse operations once they and their values take more than the given
// number of bytes (estimated). 0 means no limit.
func (b *Builder) setMemoryLimit(bytes int64) { b.limit = bytes }

// SetSpec notes the specification that the input names.
func (b *Builder) SetSpec(name string) { b.spec = lex.ValidString(name) }

// SetInitial notes the initial state that the input states.
func (b *Builder) SetInitial(v Value) { b.initial = &v }

// Note adds an annotation of a moment.
func (b *Builder) Note(time int64, text string) { b.Annotate(Note{Time: time, Text: text}) }

// Annotate adds an annotation.
func (b *Builder) Annotate(n Note) {
	n.End = max(n.End, n.Time)
	for _, text := range []*string{&n.Process, &n.Text, &n.Details, &n.Color, &n.Background} {
		b.named += int64(len(*text))
		*text = lex.ValidString(*text)
	}
	b.named += noteBytes
	b.notes = append(b.notes, n)
}

// Len returns how many operations there are so far, failed ones included.
func (b *Builder) Len() int { return len(b.records) }

// ByID returns the position of the operation with that id.
func (b *Builder) ByID(id string) (position int, ok bool) {
	p, ok := b.ids[id]
	return int(p), ok
}

// Add adds an operation with times and returns its position.
// It refuses an unknown process, a return before the call and an id that is already used.
func (b *Builder) Add(r Record) (position int, err error) {
	if r.Process < 0 || int(r.Process) >= len(b.processes) {
		return 0, noProcess(r.Process, r.Line)
	}
	if err := b.admit(&r, len(b.records)); err != nil {
		return 0, err
	}
	if b.records == nil {
		b.records = make([]Record, 0, firstRecords)
	}
	b.records = append(b.records, r)
	return len(b.records) - 1, nil
}

// memory estimates what so many operations take, with the values and names so far.
func (b *Builder) memory(operations int) int64 {
	values := int64(0)
	if b.Values != nil {
		values = b.Values.bytes
	}
	return int64(operations)*lex.RecordBytes + b.named + values
}

// admit checks the operation that is to get a position, and notes its id.
func (b *Builder) admit(r *Record, position int) error {
	if b.finished {
		return errFinished
	}
	if position == math.MaxInt32/2 {
		return &Error{Line: r.Line, What: "more than a billion operations", Hint: "split the history"}
	}
	if b.limit > 0 && b.memory(position+1) > b.limit {
		return lex.TooLarge(r.Line, b.limit)
	}
	r.end(r.Pending, r.Failed)
	if !r.Pending && r.Return < r.Call {
		return &Error{Line: r.Line, What: fmt.Sprintf("operation %s returns at %d, before its call at %d",
			b.name(*r, int32(position)), r.Return, r.Call),
			Hint: "leave out \"return\" if it never returned"}
	}
	if r.ID != "" {
		if first, taken := b.ids[r.ID]; taken {
			return &Error{Line: r.Line, What: fmt.Sprintf("id %q is used twice, first by operation %d", r.ID, first),
				Hint: "ids must be unique within a history"}
		}
		b.named += lex.NameBytes + int64(len(r.ID))
		if b.ids == nil {
			b.ids = map[string]int32{}
		}
		b.ids[r.ID] = int32(position)
		b.hasIDs = true
	}
	return nil
}

func (b *Builder) name(r Record, position int32) string {
	if r.ID != "" {
		return r.ID
	}
	return itoa(int64(position))
}

// Invoke adds the call event of an operation. A process has one operation open at
// a time. If its last operation was abandoned, that operation moves to a process of its own.
func (b *Builder) Invoke(process int32, f, key, arg Value, line int) error {
	if !b.has(process) {
		return noProcess(process, line)
	}
	if o := b.open[process]; o != 0 {
		return &Error{Line: line, What: fmt.Sprintf("process %s calls again while its operation %s is open",
			b.processes[process], b.place(o-1)),
			Hint: "a process has one operation open at a time; give each thread a process of its own"}
	}
	if o := b.abandoned[process]; o != 0 {
		b.records[o-1].Process = b.twin(process)
		b.abandoned[process] = 0
	}
	_, err := b.Add(Record{Process: process, F: f, Key: key, Arg: arg, Call: b.clock, Pending: true, Line: line})
	if err != nil {
		return err
	}
	b.clock++
	b.open[process] = int32(len(b.records))
	return nil
}

// twin adds a process with the name of another.
func (b *Builder) twin(process int32) int32 {
	b.processes = append(b.processes, b.processes[process])
	b.open = append(b.open, 0)
	b.abandoned = append(b.abandoned, 0)
	return int32(len(b.processes) - 1)
}

// place describes where record i stands in the input.
func (b *Builder) place(i int32) string {
	if line := b.records[i].Line; line > 0 {
		return fmt.Sprintf("of line %d", line)
	}
	return b.name(b.records[i], i)
}

// openRecord returns the open operation of a process, to look at or to amend (its
// key or argument, where the format states them only at the return), or nil.
func (b *Builder) openRecord(process int32) *Record {
	if b.has(process) && b.open[process] != 0 {
		return &b.records[b.open[process]-1]
	}
	return nil
}

// has reports whether there is a process with that number.
func (b *Builder) has(process int32) bool { return process >= 0 && int(process) < len(b.open) }

// Complete adds the return event of the open operation of a process; failed says that the operation
// did not take effect.
func (b *Builder) Complete(process int32, result Value, failed bool, line int) error {
	r := b.openRecord(process)
	if r == nil {
		return b.nothingOpen(process, "returns", line)
	}
	r.Result, r.Return = result, b.clock
	r.end(false, failed)
	b.clock++
	b.open[process] = 0
	return nil
}

// abandon ends the open operation of a process with an unknown outcome: it stays
// pending, and the process may be used again (as Jepsen's logs do).
func (b *Builder) abandon(process int32, line int) error {
	if b.openRecord(process) == nil {
		return b.nothingOpen(process, "reports an unknown outcome", line)
	}
	b.open[process], b.abandoned[process] = 0, b.open[process]
	return nil
}

func noProcess(process int32, line int) error {
	return &Error{Line: line, What: fmt.Sprintf("process number %d was not returned by Process or ProcessInt", process)}
}

func (b *Builder) nothingOpen(process int32, does string, line int) error {
	if !b.has(process) {
		return noProcess(process, line)
	}
	e := &Error{Line: line, What: fmt.Sprintf("process %s %s, but has no operation open", b.processes[process], does),
		Hint: "its call is missing, or stands after the return"}
	if o := b.abandoned[process]; o != 0 {
		e.Hint = fmt.Sprintf("the outcome of its operation %s was already reported as unknown", b.place(o-1))
	}
	return e
}

// Edge records that the operation at position before precedes the one at position after. It refuses
// positions that do not exist and an operation before itself.
func (b *Builder) Edge(before, after, line int) error {
	for _, p := range [...]int{before, after} {
		if p < 0 || p >= len(b.records) {
			return &Error{Line: line, What: fmt.Sprintf("\"order\" names operation %d, but there are %d", p,
				len(b.records)),
				Hint: "positions count from 0, failed operations included"}
		}
	}
	if before == after {
		return &Error{Line: line, What: fmt.Sprintf("\"order\" puts operation %d before itself", before),
			Hint: "remove that edge"}
	}
	b.edges = append(b.edges, rawEdge{int32(before), int32(after), line})
	return nil
}

// errFinished is the error of a builder that is used after Finish.
var errFinished = &Error{What: "the builder was used after Finish", Hint: "use a new builder"}

// Finish validates the input and returns the history. The builder must not be used afterwards.
// Finish refuses an input without operations and notes, a process with two operations open at once,
// and a cyclic order. (Notes alone are a history: a test that only injected faults leaves them.)
func (b *Builder) Finish() (*History, error) {
	if b.finished {
		return nil, errFinished
	}
	if len(b.ops) > 0 {
		h := b.header()
		h.Ops, h.Origins = b.ops, b.origins
		b.finished = true
		return h, nil
	}
	if b.Values == nil {
		b.Values = newValues()
	}
	if len(b.records) == 0 && len(b.notes) == 0 {
		return nil, &Error{What: "the history has no operations",
			Hint: "a history has at least one operation; is this the right file and format?"}
	}
	b.drawUnchecked()
	o := newOrdering(b.records)
	if err := o.sequence(b.processes); err != nil {
		return nil, err
	}
	if b.untimed || b.options.Uncertainty != 0 {
		var err error
		if o, err = b.uncertain(o); err != nil {
			return nil, err
		}
	} else {
		o.rank()
	}
	for _, e := range b.edges {
		o.edges = append(o.edges, recordEdge{e.before, e.after})
	}
	if err := o.close(); err != nil {
		return nil, err
	}
	if err := o.chain(); err != nil {
		return nil, err
	}
	b.finished = true
	clear(b.open)
	clear(b.abandoned)
	return b.expire(b.assemble(o)), nil
}

// drawUnchecked makes annotations of the operations that are not checked, and drops them as failed
// ones are dropped.
func (b *Builder) drawUnchecked() {
	for i := range b.records {
		r := &b.records[i]
		if !r.Unchecked {
			continue
		}
		f, _ := b.Values.AsString(r.F)
		n := Note{Time: r.Call, End: r.Call, Process: b.processes[r.Process], Text: f + " (not checked)"}
		if r.Pending {
			r.Return = noTime
		} else if r.Return != noTime {
			n.End = r.Return
		}
		for _, v := range [...]struct {
			what string
			is   Value
		}{{"key ", r.Key}, {"argument ", r.Arg}, {"result ", r.Result}} {
			if v.is != Nil && v.is != NoKey {
				n.Details = strings.TrimPrefix(n.Details+", "+v.what+b.Values.Format(v.is), ", ")
			}
		}
		b.Annotate(n)
		r.end(false, true)
	}
}

// Warn adds a warning, once for each text, up to maxWarnings.
func (b *Builder) Warn(line int, what, hint string) {
	for _, w := range b.warnings {
		if w.What == what {
			return
		}
	}
	if len(b.warnings) < maxWarnings {
		b.warnings = append(b.warnings, &Error{Line: line, What: escape.Text(what), Hint: escape.Text(hint)})
	}
}

// header is the history without its operations.
func (b *Builder) header() *History {
	h := &History{Values: b.Values, Processes: b.processes, Spec: b.spec, Notes: b.notes, Warnings: b.warnings}
	if b.initial != nil {
		h.Initial, h.HasInitial = *b.initial, true
	}
	return h
}

func (b *Builder) assemble(o *ordering) *History {
	h := b.header()
	kept := make([]int32, 0, len(b.records))
	var aborted []int32
	failed := map[Value]bool{}
	for i := range b.records {
		switch r := &b.records[i]; {
		case !r.Failed:
			kept = append(kept, int32(i))
		case !r.Unchecked && !r.Silent:
			h.Failed++
			if !failed[r.F] {
				failed[r.F] = true
				h.FailedF = append(h.FailedF, r.F)
			}
			if isTransaction(b.Values, r) {
				aborted = append(aborted, int32(i))
			}
		}
	}
	byCall := func(x, y int32) int { return cmp.Compare(o.call[x], o.call[y]) }
	if !slices.IsSortedFunc(kept, byCall) {
		slices.SortFunc(kept, byCall)
	}
	slices.SortFunc(aborted, byCall)
	for _, k := range aborted {
		r := &b.records[k]
		h.Aborted = append(h.Aborted, Op{Process: r.Process, F: r.F, Key: r.Key, Arg: r.Arg, Call: o.call[k],
			Return: o.ret[k], Unknown: true})
		h.AbortedOrigins = append(h.AbortedOrigins, Origin{Position: k, Line: int32(r.Line), CallTime: r.Call,
			ReturnTime: r.Return})
	}
	h.Ops = make([]Op, len(kept))
	h.Origins = make([]Origin, len(kept))
	if b.hasIDs {
		h.IDs = make([]string, len(kept))
	}
	if slices.ContainsFunc(kept, func(i int32) bool { return b.records[i].Revision != nil }) {
		h.Revisions = make([]*Revision, len(kept))
	}
	var where []OpID
	if len(o.edges) > 0 {
		where = make([]OpID, len(b.records))
	}
	aside(len(kept), func(from, to int) {
		for i := from; i < to; i++ {
			k := kept[i]
			r := &b.records[k]
			h.Ops[i] = Op{Process: r.Process, F: r.F, Key: r.Key, Arg: r.Arg, Result: r.Result, Call: o.call[k],
				Return: o.ret[k], NoResult: r.NoResult}
			if r.Pending || r.Forgotten {
				h.Ops[i].Result, h.Ops[i].Unknown, h.Ops[i].NoResult = Nil, true, false
			}
			h.Origins[i] = Origin{Position: k, Line: int32(r.Line), CallTime: r.Call, ReturnTime: r.Return}
			if b.hasIDs {
				h.IDs[i] = r.ID
			}
			if h.Revisions != nil {
				h.Revisions[i] = r.Revision
			}
			if where != nil {
				where[k] = OpID(i)
			}
		}
	})
	h.named = b.hasIDs && !slices.Contains(h.IDs, "")
	for _, e := range o.edges {
		h.Edges = append(h.Edges, Edge{where[e.before], where[e.after]})
	}
	sort.Slice(h.Edges, func(i, j int) bool { return compareEdges(h.Edges[i], h.Edges[j]) < 0 })
	h.Edges = slices.Compact(h.Edges)
	b.records = nil
	return h
}

// aside calls do for the ranges that it cuts n things into, side by side where there are many.
func aside(n int, do func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n/eachAside)
	if workers < 2 {
		do(0, n)
		return
	}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(n*w/workers, n*(w+1)/workers) })
	}
	all.Wait()
}

func compareEdges(x, y Edge) int {
	return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before))
}

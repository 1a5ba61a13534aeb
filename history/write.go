package history

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/escape"
)

// Writers of linsat's own formats.
// What: reading the output gives the same operations in the same order.
// How: the times of the input are written if, together with the edges, they give the order. They do
// not if an edge was folded into the ranks, if the history was altered, or if it never had times;
// then the ranks are written as times. A process whose operations overlap in the written times, or
// follow a pending one, goes on under another name. Failed operations were dropped and are not
// written, but transactions, after the others, each under a name of its own; if there was nothing
// else, a note records it.

// WriteJSON writes h as one JSON object, an operation a line.
func WriteJSON(w io.Writer, h *History) error {
	if err := writable(w, h); err != nil {
		return err
	}
	out := newJSONWriter(w, h)
	out.raw("{")
	out.header(true)
	out.raw("\"operations\": [")
	for i := range h.Ops {
		if i > 0 {
			out.raw(",")
		}
		out.raw("\n  ")
		out.operation(i)
	}
	for k := range h.Aborted {
		if k+len(h.Ops) > 0 {
			out.raw(",")
		}
		out.raw("\n  ")
		out.aborted(k)
	}
	out.raw("\n]}\n")
	return out.w.Flush()
}

// WriteJSONL writes h as JSON Lines: a header, then one operation a line.
func WriteJSONL(w io.Writer, h *History) error {
	if err := writable(w, h); err != nil {
		return err
	}
	out := newJSONWriter(w, h)
	out.raw("{")
	out.header(false)
	out.raw("}\n")
	for i := range h.Ops {
		out.operation(i)
		out.raw("\n")
	}
	for k := range h.Aborted {
		out.aborted(k)
		out.raw("\n")
	}
	return out.w.Flush()
}

// writable returns an error for a nil history or writer.
func writable(w io.Writer, h *History) error {
	if w == nil || h == nil {
		return &Error{What: "the history or the writer is nil", Hint: "Read, a Builder or a Recorder makes histories"}
	}
	return h.Validate()
}

type jsonWriter struct {
	w      *bufio.Writer // remembers the first error
	h      *History
	line   []byte
	times  []span
	names  [][]byte // of the processes that the operations are written under, as JSON
	under  []int32  // operation → position in names
	notes  []Note
	byRank bool // times are ranks
}

// span is the call and return of an operation in the times that are written.
type span struct{ call, ret int64 }

func newJSONWriter(w io.Writer, h *History) *jsonWriter {
	out := &jsonWriter{w: bufio.NewWriterSize(w, 1<<14), h: h, notes: h.Notes}
	if !out.original() {
		out.byRank = true
		out.ranks()
	}
	// a history without anything would not be read again
	if len(h.Ops) == 0 && len(h.Notes) == 0 && len(h.Aborted) == 0 {
		out.notes = []Note{{Text: fmt.Sprintf("no operation took effect (%d failed)", h.Failed)}}
	}
	out.processes()
	return out
}

func (o *jsonWriter) raw(s string) { o.w.WriteString(s) }

// original uses the times of the input, if they give the order.
func (o *jsonWriter) original() bool {
	h := o.h
	if len(h.Origins) != len(h.Ops) {
		return false
	}
	records := make([]Record, len(h.Ops))
	o.times = make([]span, len(h.Ops))
	for i := range h.Ops {
		op, from := &h.Ops[i], &h.Origins[i]
		r := &records[i]
		r.Process, r.Call, r.Return = op.Process, from.CallTime, from.ReturnTime
		if h.Revisions != nil {
			r.Revision = h.Revisions[i]
		}
		if op.Pending() {
			r.Pending = true
		} else if r.Return < r.Call {
			return false
		}
		o.times[i] = span{r.Call, r.Return}
	}
	order := newOrdering(records)
	if order.sequence(h.Processes) != nil {
		return false
	}
	order.rank()
	if order.chain() != nil {
		return false
	}
	for _, e := range order.edges {
		if _, found := slices.BinarySearchFunc(h.Edges, Edge{OpID(e.before), OpID(e.after)}, compareEdges); !found {
			return false
		}
	}
	ranked := func(i int) (call, ret Rank) { return h.Ops[i].Call, h.Ops[i].Return }
	timed := func(i int) (call, ret Rank) { return order.call[i], order.ret[i] }
	return slices.Equal(alternation(len(h.Ops), ranked), alternation(len(h.Ops), timed))
}

// alternation gives each operation the numbers of the runs of calls and of returns
// that its call and return lie in: equal exactly if the interval orders are.
func alternation(n int, rank func(i int) (call, ret Rank)) []int32 {
	events := make([]int32, 0, 2*n) // 2i for the call of i, 2i+1 for its return
	at := make([]Rank, 2*n)
	for i := range n {
		at[2*i], at[2*i+1] = rank(i)
		events = append(events, int32(2*i))
		if at[2*i+1] != Never {
			events = append(events, int32(2*i+1))
		}
	}
	slices.SortFunc(events, func(x, y int32) int { return cmp.Compare(at[x], at[y]) })
	runs := make([]int32, 2*n)
	run, before := int32(0), int32(0)
	for _, e := range events {
		if e&1 != before {
			before = e & 1
			run++
		}
		runs[e] = run
	}
	return runs
}

// ranks uses the ranks as times, and moves the notes accordingly.
func (o *jsonWriter) ranks() {
	h := o.h
	o.times = o.times[:0]
	var known []span // time in the input and rank, of every event
	for i := range h.Ops {
		op := &h.Ops[i]
		o.times = append(o.times, span{int64(op.Call), int64(op.Return)})
		if len(h.Origins) == len(h.Ops) {
			known = append(known, span{h.Origins[i].CallTime, int64(op.Call)})
			if !op.Pending() {
				known = append(known, span{h.Origins[i].ReturnTime, int64(op.Return)})
			}
		}
	}
	sort.Slice(known, func(x, y int) bool { return known[x].call < known[y].call })
	at := func(time int64) int64 {
		n, _ := slices.BinarySearchFunc(known, time, func(s span, t int64) int { return cmp.Compare(s.call, t) })
		switch {
		case n < len(known):
			return known[n].ret
		case n > 0:
			return known[n-1].ret + 1
		}
		return 0
	}
	o.notes = slices.Clone(h.Notes)
	for i := range o.notes {
		n := &o.notes[i]
		n.Time, n.End = at(n.Time), at(max(n.Time, n.End))
	}
}

// processes finds a name for each operation, such that no two operations under
// one name overlap and nothing follows a pending one.
func (o *jsonWriter) processes() {
	h := o.h
	order := make([]OpID, len(h.Ops))
	for i := range order {
		order[i] = OpID(i)
	}
	slices.SortStableFunc(order, func(x, y OpID) int {
		a, b := o.times[x], o.times[y]
		if c := cmp.Compare(a.call, b.call); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(b2i(h.Ops[x].Pending()), b2i(h.Ops[y].Pending())), cmp.Compare(a.ret, b.ret))
	})
	o.under = make([]int32, len(h.Ops))
	current := make([]int32, len(h.Processes)) // process → the name it has now, plus one
	last := make([]OpID, len(h.Processes))     // process → its last operation
	taken := make(map[string]bool, len(h.Processes))
	for _, name := range h.Processes {
		taken[name] = true
	}
	used := make(map[string]int64, len(h.Processes)) // by name of a process: names tried for it
	for _, i := range order {
		p := h.Ops[i].Process
		if c := current[p]; c != 0 {
			if before := last[p]; !h.Ops[before].Pending() && o.times[before].ret <= o.times[i].call {
				o.under[i], last[p] = c-1, i
				continue
			}
		}
		name := h.Processes[p]
		n := used[name] + 1
		for ; n > 1; n++ {
			if next := name + "~" + itoa(n); !taken[next] {
				name = next
				break
			}
		}
		used[h.Processes[p]] = n
		o.names = append(o.names, lex.ProcessJSON(name))
		current[p] = int32(len(o.names))
		o.under[i], last[p] = current[p]-1, i
	}
}

// header writes the members of the header, with a comma after each if more follows.
func (o *jsonWriter) header(more bool) {
	h, b := o.h, o.line[:0]
	field := func(name string) {
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		b = append(lex.AppendJSONString(b, name), ": "...)
	}
	if h.Spec != "" {
		field("spec")
		b = lex.AppendJSONString(b, h.Spec)
	}
	if h.HasInitial {
		field("initial")
		b = h.Values.AppendJSON(b, h.Initial)
	}
	if edges := slices.DeleteFunc(slices.Clone(h.Edges), h.inChain); len(edges) > 0 {
		field("order")
		b = append(b, '[')
		for i, e := range edges {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(e.Before), 10)
			b = append(b, ", "...)
			b = strconv.AppendInt(b, int64(e.After), 10)
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	if len(o.notes) > 0 {
		field("events")
		b = append(b, '[')
		for i := range o.notes {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendNote(b, &o.notes[i])
		}
		b = append(b, ']')
	}
	if more && len(b) > 0 {
		b = append(b, ", "...)
	}
	o.w.Write(escape.JSON(b))
	o.line = b
}

// appendNote writes an entry of "events".
func appendNote(b []byte, n *Note) []byte {
	b = append(b, `{"time": `...)
	b = strconv.AppendInt(b, n.Time, 10)
	if n.End > n.Time {
		b = append(b, `, "end": `...)
		b = strconv.AppendInt(b, n.End, 10)
	}
	if n.Process != "" {
		b = lex.AppendJSONString(append(b, `, "process": `...), n.Process)
	}
	b = lex.AppendJSONString(append(b, `, "text": `...), n.Text)
	for _, f := range [...][2]string{{"details", n.Details}, {"color", n.Color}, {"background", n.Background}} {
		if f[1] != "" {
			b = append(append(append(b, `, "`...), f[0]...), `": `...)
			b = lex.AppendJSONString(b, f[1])
		}
	}
	return append(b, '}')
}

// aborted writes a transaction that failed.
func (o *jsonWriter) aborted(k int) {
	h, op, b := o.h, &o.h.Aborted[k], o.line[:0]
	at := span{int64(op.Call), int64(op.Return)}
	if !o.byRank {
		at = span{h.AbortedOrigins[k].CallTime, h.AbortedOrigins[k].ReturnTime}
	}
	b = lex.AppendJSONString(append(b, `{"process": `...), fmt.Sprintf("%s~failed%d", h.Processes[op.Process], k))
	b = h.Values.AppendJSON(append(b, `, "f": `...), op.F)
	if op.Key != NoKey {
		b = h.Values.AppendJSON(append(b, `, "key": `...), op.Key)
	}
	b = h.Values.AppendJSON(append(b, `, "arg": `...), op.Arg)
	b = strconv.AppendInt(append(b, `, "call": `...), at.call, 10)
	if op.Return != Never && at.ret >= at.call {
		b = strconv.AppendInt(append(b, `, "return": `...), at.ret, 10)
	}
	b = append(b, `, "status": "fail"}`...)
	o.w.Write(escape.JSON(b))
	o.line = b
}

func (o *jsonWriter) operation(i int) {
	h, op, b := o.h, &o.h.Ops[i], o.line[:0]
	b = append(b, '{')
	if h.IDs != nil && h.IDs[i] != "" {
		b = append(b, `"id": `...)
		b = append(lex.AppendJSONString(b, h.IDs[i]), ", "...)
	}
	b = append(b, `"process": `...)
	b = append(b, o.names[o.under[i]]...)
	b = append(b, `, "f": `...)
	b = h.Values.AppendJSON(b, op.F)
	if op.Key != NoKey {
		b = append(b, `, "key": `...)
		b = h.Values.AppendJSON(b, op.Key)
	}
	if op.Arg != Nil {
		b = append(b, `, "arg": `...)
		b = h.Values.AppendJSON(b, op.Arg)
	}
	if h.Revisions != nil && h.Revisions[i] != nil {
		r := h.Revisions[i]
		b = append(b, `, "chain": `...)
		if r.Chain != Nil {
			b = append(h.Values.AppendJSON(append(b, '['), r.Chain), ", "...)
		}
		b = strconv.AppendInt(b, r.Number, 10)
		if r.Chain != Nil {
			b = append(b, ']')
		}
	}
	b = append(b, `, "call": `...)
	b = strconv.AppendInt(b, o.times[i].call, 10)
	if !op.Pending() {
		b = append(b, `, "return": `...)
		b = strconv.AppendInt(b, o.times[i].ret, 10)
		switch {
		case op.Unknown:
			b = append(b, `, "forgotten": true`...)
		case !op.NoResult:
			b = append(b, `, "result": `...)
			b = h.Values.AppendJSON(b, op.Result)
		}
	}
	b = append(b, '}')
	o.w.Write(escape.JSON(b))
	o.line = b
}

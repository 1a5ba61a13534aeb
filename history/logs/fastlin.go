package logs

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/inorder"
)

// fastlin's lines: "# queue", then "method value call return" for each operation,
// all of them completed. There is no process; each operation gets its own.
// PolyLin writes the same, and sets with a fifth column: "method value result call return", the
// result 0 or 1.
//
//   - -1 as the value of a removal or a peek means that it found nothing.
//   - Equal times: the return comes first (docs/decisions/fastlin-ties.md), so that
//     an operation that ends at a time precedes those that begin at it. An operation
//     that begins and ends at one time lies in between.
//   - Sets state results by the method: contains_true, contains_false; insertions and
//     removals change the set.
//   - The priority queues of both tools hand out the largest value. Ours hands out the least
//     priority, so value v becomes [-v, v], priority and value. fastlin calls them priorityqueue,
//     PolyLin pqueue; without a header the method poll tells, which no other object has.
//
// Times become numbers in the order of the times: for the i-th different one, 4i for returns, 4i+1
// and 4i+2 for operations within it, 4i+3 for calls. Blocks of lines are parsed in parallel; values
// are interned block after block, in the order of the lines.

// fastlinRow is a line: its times, and its value, first as a number.
type fastlinRow struct {
	call, ret uint64
	value     int64
	line      int32
	method    int32 // in fastlinBlock.methods, then in fastlinReader.methods
}

// fastlinBlock holds some parsed lines, up to the first one that is wrong.
type fastlinBlock struct {
	rows    []fastlinRow
	methods []string
	header  []byte // what follows the first #, if that is before all rows
	four    int32  // a line with four columns, 0 for none
	five    int32  // a line with five
	err     error
}

func readFastlin(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	f := fastlinReader{builder: b, limit: s.Limit}
	type parsing struct {
		text []byte
		done chan *fastlinBlock
	}
	var under []parsing // in order
	var room []byte     // of a text that has been parsed
	settle := func(left int) error {
		for len(under) > left {
			if err := f.add(<-under[0].done); err != nil {
				return err
			}
			room, under = under[0].text, under[1:]
		}
		return nil
	}
	for {
		text, line, err := s.Lines(fastlinBlockBytes, room)
		room = nil
		if err != nil {
			if earlier := settle(0); earlier != nil {
				return earlier
			}
			return err
		}
		if len(text) == 0 {
			break
		}
		p := parsing{text, make(chan *fastlinBlock, 1)}
		go func() { p.done <- newFastlinBlock(text, line) }()
		under = append(under, p)
		if err := settle(2 * runtime.GOMAXPROCS(0)); err != nil {
			return err
		}
	}
	if err := settle(0); err != nil {
		return err
	}
	return f.finish()
}

// newFastlinBlock parses the lines of a text, which it does not keep; line is the number of the
// first.
func newFastlinBlock(text []byte, line int) *fastlinBlock {
	b := &fastlinBlock{rows: make([]fastlinRow, 0, bytes.Count(text, []byte{'\n'})+1)}
	for ; len(text) > 0; line++ {
		end := bytes.IndexByte(text, '\n')
		var rest []byte
		if end >= 0 {
			text, rest = text[:end], text[end+1:]
		}
		if !b.plain(text, line) {
			if b.err = b.any(text, line); b.err != nil {
				return b
			}
		}
		text = rest
	}
	return b
}

// plain reads a line as fastlin writes it: four words with one space between them, integers of at
// most 18 digits. It returns false for any other line, which needs the general parser.
func (b *fastlinBlock) plain(text []byte, line int) bool {
	n := bytes.IndexByte(text, ' ')
	if n <= 0 || text[0] == '#' {
		return false
	}
	for _, c := range text[:n] {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	at, negative := n+1, false
	if at < len(text) && text[at] == '-' {
		at++
		negative = true
	}
	value, at := digits(text, at)
	call, at := digits(text, after(text, at))
	ret, at := digits(text, after(text, at))
	if at != len(text) || ret < call {
		return false
	}
	if negative {
		value = -value
	}
	method := b.method(text[:n])
	if value == -1 && !fastlinTakes(b.methods[method]) {
		return false
	}
	b.rows = append(b.rows, fastlinRow{call: uint64(call), ret: uint64(ret), value: value, line: int32(line),
		method: method})
	b.four = int32(line)
	return true
}

// digits reads up to 18 digits from a position on, and returns where they end: beyond the text if
// there are none, or too many.
func digits(text []byte, at int) (n int64, end int) {
	from := at
	for at < len(text) && text[at]-'0' <= 9 {
		n = 10*n + int64(text[at]-'0')
		at++
	}
	if at == from || at-from > 18 {
		return 0, len(text) + 1
	}
	return n, at
}

// after returns the position after the space at a position; beyond the text if there is no space.
func after(text []byte, at int) int {
	if at < len(text) && text[at] == ' ' {
		return at + 1
	}
	return len(text) + 1
}

func (b *fastlinBlock) method(name []byte) int32 {
	for k, m := range b.methods {
		if m == string(name) {
			return int32(k)
		}
	}
	b.methods = append(b.methods, string(name))
	return int32(len(b.methods) - 1)
}

// any parses a line of any form.
func (b *fastlinBlock) any(line []byte, number int) error {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	if line[0] == '#' {
		if len(b.header) == 0 && len(b.rows) == 0 {
			b.header = bytes.Clone(bytes.TrimSpace(line[1:]))
		}
		return nil
	}
	text := string(line)
	fields := strings.Fields(text)
	method := fields[0]
	switch {
	case len(fields) == 4:
		b.four = int32(number)
	case len(fields) == 5 && fastlinTakes(method):
		return &history.Error{Line: number, What: fmt.Sprintf("%s has a result column, but its value already is its result",
			lex.Abbreviate(method)), Hint: fastlinHint}
	case len(fields) == 5 && (fields[2] == "0" || fields[2] == "1"):
		b.five = int32(number)
		method += fastlinResults[fields[2][0]-'0']
		fields = slices.Delete(fields, 2, 3)
	case len(fields) == 5:
		return &history.Error{Line: number, What: fmt.Sprintf("the result %q is neither 0 nor 1",
			lex.Abbreviate(fields[2])),
			Hint: fastlinHint}
	default:
		return &history.Error{Line: number, What: fmt.Sprintf("%q has %d fields, not 4", lex.Abbreviate(text),
			len(fields)),
			Hint: fastlinHint}
	}
	row := fastlinRow{line: int32(number), method: b.method([]byte(method))}
	var err error
	if row.value, err = strconv.ParseInt(fields[1], 10, 64); err != nil {
		return lex.NotInteger(fields[1], number)
	}
	for i, at := range [...]*uint64{&row.call, &row.ret} {
		if *at, err = strconv.ParseUint(fields[2+i], 10, 64); err != nil {
			return &history.Error{Line: number, What: fmt.Sprintf("%q is not a time", lex.Abbreviate(fields[2+i])),
				Hint: "times are integers from 0 on. " + fastlinHint}
		}
	}
	if row.ret < row.call {
		return &history.Error{Line: number, What: fmt.Sprintf("%s returns at %d, before its call at %d", fields[0],
			row.ret,
			row.call), Hint: fastlinHint}
	}
	if row.value == -1 && !fastlinTakes(fields[0]) {
		return &history.Error{Line: number, What: fmt.Sprintf("%s of -1, which stands for nothing", fields[0]),
			Hint: fastlinHint}
	}
	b.rows = append(b.rows, row)
	return nil
}

const fastlinHint = "a line reads: method value call return, in PolyLin's sets method value result call return; the " +
	"value of a removal is what it returned, -1 for nothing"

// fastlinResults stand behind the name of a method whose line states its result, 0 or 1.
var fastlinResults = [2]string{"\x00false", "\x00true"}

// fastlinTakes reports whether the value of a method is its result.
func fastlinTakes(method string) bool {
	for _, prefix := range [...]string{"pop", "peek", "deq", "poll"} {
		if strings.HasPrefix(method, prefix) {
			return true
		}
	}
	return false
}

// fastlinReader puts blocks together.
type fastlinReader struct {
	builder *history.Reading
	limit   int64
	spec    string
	blocks  []*fastlinBlock
	rows    int
	turned  bool  // a priority queue: [-v, v] for v
	four    int32 // the last line with four columns, 0 for none
	five    int32 // the last with five
	methods []fastlinMethod
}

// fastlinMethod is what a method means.
type fastlinMethod struct {
	name   string
	f      history.Value
	takes  bool          // its value is its result
	result history.Value // else
}

// method returns the number of a method.
func (f *fastlinReader) method(name string) int32 {
	for k := range f.methods {
		if f.methods[k].name == name {
			return int32(k)
		}
	}
	m := fastlinMethod{name: name, takes: fastlinTakes(name)}
	f.methods = append(f.methods, m)
	if plain, found := strings.CutSuffix(name, fastlinResults[1]); found {
		m.name, m.result = plain, history.True
	} else if plain, found := strings.CutSuffix(name, fastlinResults[0]); found {
		m.name, m.result = plain, history.False
	} else if f.spec == "set" {
		switch name {
		case "insert", "remove":
			m.result = history.True
		case "contains_true":
			m.name, m.result = "contains", history.True
		case "contains_false":
			m.name, m.result = "contains", history.False
		}
	}
	last := &f.methods[len(f.methods)-1]
	last.f, last.result = f.builder.Values.String(m.name), m.result
	return int32(len(f.methods) - 1)
}

// add interns the values of a block.
func (f *fastlinReader) add(b *fastlinBlock) error {
	if f.spec == "" && f.rows == 0 && len(b.header) > 0 {
		f.spec = canonical(string(b.header))
		f.builder.SetSpec(f.spec)
	}
	if f.four, f.five = max(f.four, b.four), max(f.five, b.five); f.four > 0 && f.five > 0 {
		return &history.Error{Line: int(max(f.four, f.five)), What: "lines with four columns and lines with five",
			Hint: fastlinHint}
	}
	if err := f.recognisePriorityQueue(b); err != nil {
		return err
	}
	t := f.builder.Values
	methods := make([]int32, len(b.methods))
	for k, m := range b.methods {
		methods[k] = f.method(m)
	}
	for i := range b.rows {
		r := &b.rows[i]
		if f.turned && r.value < -1<<62 {
			return lex.NotInteger(strconv.FormatInt(r.value, 10), int(r.line))
		}
		v := t.Int(r.value)
		switch {
		case r.value == -1: // nothing
			v = history.Nil
		case f.turned:
			v = t.List([]history.Value{t.Int(-r.value), v})
		}
		r.value, r.method = int64(v), methods[r.method]
	}
	f.rows += len(b.rows)
	if f.limit > 0 && int64(f.rows)*(lex.RecordBytes+fastlinBytes) > f.limit {
		return lex.TooLarge(int(b.rows[len(b.rows)-1].line), f.limit)
	}
	f.blocks = append(f.blocks, b)
	return b.err
}

// recognisePriorityQueue recognises a priority queue before its first value is read, since its
// values are negated. It goes by the name of the object. If there is no name, or one that fastlin
// does not have, it looks for the method poll in the first lines.
func (f *fastlinReader) recognisePriorityQueue(b *fastlinBlock) error {
	poll := slices.Index(b.methods, "poll")
	if f.turned || poll < 0 && f.spec != "priority-queue" {
		return nil
	}
	if f.spec != "priority-queue" && (slices.Contains([]string{"stack", "queue", "set", "deque"}, f.spec) ||
		strings.HasPrefix(f.spec, "min")) {
		return nil
	}
	if f.rows > 0 {
		at := slices.IndexFunc(b.rows, func(r fastlinRow) bool { return int(r.method) == poll })
		return &history.Error{Line: int(b.rows[at].line),
			What: "poll, a method of priority queues, in a file whose first lines have none and whose header names none",
			Hint: `put "# priorityqueue" before the first line`}
	}
	if f.turned = true; f.spec == "" {
		f.spec = "priority-queue"
		f.builder.SetSpec(f.spec)
	}
	return nil
}

// finish numbers the times and adds the operations.
func (f *fastlinReader) finish() error {
	if f.builder.Options.Uncertainty == 0 && f.finishRanked() {
		return nil
	}
	return f.addAll(f.times())
}

// addAll adds the operations to the builder; number numbers the times.
func (f *fastlinReader) addAll(number func(t uint64) int64) error {
	f.builder.Numbered(f.rows)
	process := int32(0)
	for k, b := range f.blocks {
		for i := range b.rows {
			row := &b.rows[i]
			call, ret := number(row.call), number(row.ret)
			m := &f.methods[row.method]
			r := history.Record{Process: process, F: m.f, Result: m.result, Key: history.NoKey, Line: int(row.line)}
			r.Call, r.Return = returnsFirst(call, ret)
			if m.takes {
				r.Result = history.Value(row.value)
			} else {
				r.Arg, r.NoResult = history.Value(row.value), m.result == history.Nil
			}
			if _, err := f.builder.Add(r); err != nil {
				return err
			}
			process++
		}
		f.blocks[k] = nil
	}
	return nil
}

// returnsFirst numbers the call and the return of an operation between the call-th and the ret-th
// of all times. At equal times returns come before calls, and an operation that begins and ends at
// that time lies in between.
func returnsFirst(call, ret int64) (c, r int64) {
	if call == ret {
		return 4*call + 1, 4*call + 2
	}
	return 4*call + 3, 4 * ret
}

// times returns the function that numbers the distinct times from 0: by a table if they lie close
// together, otherwise by binary search.
func (f *fastlinReader) times() (number func(t uint64) int64) {
	first, last := f.span()
	if f.rows > 0 && last-first < lex.TimesEach*uint64(f.rows) {
		// first whether the time before occurs, then how many do
		table := make([]int32, last-first+2)
		for _, b := range f.blocks {
			for i := range b.rows {
				table[b.rows[i].call-first+1], table[b.rows[i].ret-first+1] = 1, 1
			}
		}
		for t := 1; t < len(table); t++ {
			table[t] += table[t-1]
		}
		return func(t uint64) int64 { return int64(table[t-first]) }
	}
	times := make([]uint64, 0, 2*f.rows)
	for _, b := range f.blocks {
		for i := range b.rows {
			times = append(times, b.rows[i].call, b.rows[i].ret)
		}
	}
	times = inorder.Distinct(times)
	return func(t uint64) int64 {
		n, _ := slices.BinarySearch(times, t)
		return int64(n)
	}
}

package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/eventlog"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/similar"
)

// CSV and TSV with a header line. A row is an operation, with columns for its call and its return,
// or an event, with a column that says which of the two it is:
//
//	client,op,key,value,call_ns,return_ns      time,client,event,op,key,value
//	0,put,x,1,10,20                            10,0,call,put,x,1
//
// Cells are separated as the header is: by tabs, semicolons or commas. A cell in quotes may hold
// separators, line ends and doubled quotes (RFC 4180).
//
// Rows become the objects of JSON that say the same, each on the lines of its row, and the readers
// of these read them (json.go, json_events.go).

// csvTable turns a table into JSON. It is an io.Reader.
type csvTable struct {
	in     *lex.Source
	comma  byte
	flat   []byte // the cells of a row, one after the other
	ends   []int  // where they end
	line   int    // where the row begins
	next   int    // line of what comes next in out
	names  []string
	fields []string // column → field of an object, or ""
	// columns of fields; status is -1 where there is none
	process, f, kind, status int
	events                   bool // a row is an event
	lone                     bool // no column is for arguments or results alone
	clock                    csvClock
	open                     map[string]string // process → the f that it called, of events
	rows                     int

	out []byte // JSON of rows, from at on not yet read
	at  int
	err error // why there are no more
}

func readCSV(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	t := &csvTable{in: s, open: map[string]string{}}
	if err := checkColumns(b.Options.Columns); err != nil {
		return err
	}
	if err := t.header(b.Options.Columns); err != nil {
		return err
	}
	for i, name := range t.names {
		if t.fields[i] == "" {
			known := csvOperation
			if t.events {
				known = csvEvent
			}
			b.UnknownField("a row", name, known, 1)
		}
	}
	lines := lex.NewSource(t, s.Limit)
	lines.Line, t.next = s.Line, s.Line
	if t.events {
		b.Counting()
		b.In = lines
		return eventlog.ReadEventRows(b, !t.lone)
	}
	t.out = append(t.out, "{}"...) // the header
	err := b.As("jsonl", lines)
	if t.rows == 0 && t.err == io.EOF {
		return nil
	}
	if t.clock.layout != clockIntegers { // which other formats have, too
		b.SetUnit(fmt.Sprint(t.clock))
	}
	return err
}

// csvBegins reports whether a text begins with a header that says all, and goes on with a row.
func csvBegins(head []byte) bool {
	t := &csvTable{in: lex.NewSource(bytes.NewReader(head), 0)}
	if t.header("") != nil {
		return false
	}
	more, err := t.row()
	if err != nil || !more {
		return err == nil
	}
	return len(t.ends) == len(t.names) && (!t.events || eventWord(t.cell(t.kind)) != "")
}

// separator is the byte between cells: that of the header, which is the first line.
func (t *csvTable) separator(header []byte) byte {
	if t.comma == 0 {
		t.comma = ','
		for _, c := range [...]byte{';', '\t'} {
			if bytes.IndexByte(header, c) >= 0 {
				t.comma = c
			}
		}
	}
	return t.comma
}

// row reads the cells of the next row that has any, or returns false at the end.
func (t *csvTable) row() (bool, error) {
	t.flat, t.ends, t.line = t.flat[:0], t.ends[:0], t.in.Line
	line, ok, err := t.in.Text()
	for ok && len(bytes.TrimSpace(line)) == 0 {
		t.line = t.in.Line
		line, ok, err = t.in.Text()
	}
	comma := t.separator(line)
	blanks := func(at int) int {
		for at < len(line) && line[at] == ' ' {
			at++
		}
		return at
	}
	for at := 0; ok && err == nil; at++ {
		if at = blanks(at); at < len(line) && line[at] == '"' {
			for quoted := true; quoted; {
				at++
				n := bytes.IndexByte(line[at:], '"')
				if n < 0 { // the cell goes on in the next line
					t.flat = append(append(t.flat, line[at:]...), '\n')
					if line, ok, err = t.in.Text(); err != nil {
						return false, err
					}
					if !ok {
						return false, t.in.Truncated("a cell in quotes")
					}
					if t.in.Limit > 0 && int64(len(t.flat)) > t.in.Limit {
						return false, lex.TooLarge(t.in.Line, t.in.Limit)
					}
					at = -1
					continue
				}
				t.flat = append(t.flat, line[at:at+n]...)
				at += n + 1
				if quoted = at < len(line) && line[at] == '"'; quoted {
					t.flat = append(t.flat, '"')
				}
			}
			if at = blanks(at); at < len(line) && line[at] != comma {
				return false, &history.Error{Line: t.line, What: "text after the quote that ends a cell",
					Hint: "double the quotes within a cell that is in quotes"}
			}
		} else {
			n := bytes.IndexByte(line[at:], comma)
			if n < 0 {
				n = len(line) - at
			}
			t.flat = append(t.flat, bytes.TrimSpace(line[at:at+n])...)
			at += n
		}
		t.ends = append(t.ends, len(t.flat))
		if at == len(line) {
			return true, nil
		}
	}
	return false, err
}

// cell returns a cell of the row.
func (t *csvTable) cell(i int) string {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return string(t.flat[from:t.ends[i]])
}

// Read reads the JSON of the rows.
func (t *csvTable) Read(p []byte) (int, error) {
	for t.at == len(t.out) {
		if t.err != nil {
			return 0, t.err
		}
		t.out, t.at = t.out[:0], 0
		for len(t.out) < len(p) && t.err == nil {
			more, err := t.row()
			if t.err = err; err == nil && !more {
				t.err = io.EOF
			} else if err == nil {
				t.rows++
				t.err = t.object()
			}
		}
	}
	n := copy(p, t.out[t.at:])
	t.at += n
	return n, nil
}

// object appends the JSON of a row, on the lines of the row. An error leaves nothing of it.
func (t *csvTable) object() error {
	wrong := func(hint, what string, args ...any) error {
		return &history.Error{Line: t.line, What: fmt.Sprintf(what, args...), Hint: hint}
	}
	if len(t.ends) != len(t.names) {
		return wrong("put cells that contain the separator in quotes", "the row has %d cells, and the header %d",
			len(t.ends), len(t.names))
	}
	process, f, kind := t.cell(t.process), t.cell(t.f), ""
	if t.events {
		kind = eventWord(t.cell(t.kind))
		if t.status >= 0 && kind == "ok" && t.cell(t.status) != "" {
			kind = eventWord(t.cell(t.status))
		}
		if kind == "" {
			return wrong(
				`an event is a "call" or "invoke", or else "return", "ok", "fail" (did not take effect) or "info" (not known)`, "%q is no event", lex.Abbreviate(t.cell(t.kind)))
		}
		if kind == "invoke" {
			t.open[process] = f
		} else if f == "" {
			f = t.open[process]
		}
	}
	if process == "" || f == "" {
		return wrong("every row says which process did what", "the cell %q is empty",
			t.names[map[bool]int{true: t.process, false: t.f}[process == ""]])
	}
	b := t.out
	for ; t.next < t.line; t.next++ {
		b = append(b, '\n')
	}
	b = append(b, '{')
	for i, field := range t.fields {
		cell := t.cell(i)
		if i == t.f {
			cell = f
		}
		if field == "" || cell == "" || t.events && field == "status" {
			continue
		}
		if t.events && (field == "arg" || field == "result") {
			if (field == "arg") != (kind == "invoke") {
				continue
			}
			field = "value"
		} else if !t.events && field == "value" {
			field = "arg"
			if f == "read" || f == "get" || fastlinTakes(f) {
				field = "result"
			}
		}
		before := len(b)
		b = append(lex.AppendJSONString(b, field), ':')
		switch field {
		case "f", "id":
			b = lex.AppendJSONString(b, cell)
		case "process":
			b = append(b, lex.ProcessJSON(cell)...)
		case "type":
			b = lex.AppendJSONString(b, kind)
		case "status":
			word := eventWord(cell)
			if word == "" || word == "invoke" {
				return wrong(`a status is "ok", "fail" (did not take effect) or "info" (not known)`, "status %q",
					lex.Abbreviate(cell))
			}
			b = lex.AppendJSONString(b, word)
		case "call", "return", "time":
			n, known, err := t.clock.read(cell)
			if err != nil {
				err.Line = t.line
				return err
			}
			if known {
				b = strconv.AppendInt(b, n, 10)
			} else {
				b = append(b, "null"...)
			}
			if !known && field != "time" {
				b = b[:before]
				continue
			}
		default:
			b = appendCell(b, cell)
		}
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	for ; t.next < max(t.in.Line, t.line+1); t.next++ {
		b = append(b, '\n')
	}
	t.out = b
	return nil
}

// appendCell appends the value of a cell: JSON, true and false as other languages write them, or
// else a string.
func appendCell(b []byte, cell string) []byte {
	switch lower := strings.ToLower(cell); {
	case lower == "true" || lower == "false" || cell == "null" || lex.ValidNumber([]byte(cell)):
		return append(b, lower...)
	case strings.IndexByte(`[{"`, cell[0]) >= 0 && json.Valid([]byte(cell)):
		return append(b, strings.ReplaceAll(cell, "\n", " ")...)
	}
	return lex.AppendJSONString(b, cell)
}

// eventWord returns what a word says of an operation: invoke, ok, fail, info, or "".
func eventWord(word string) string {
	switch similar.Plain(word) {
	case "invoke", "invoked", "invocation", "inv", "call", "start", "begin", "request", "req":
		return "invoke"
	case "ok", "return", "returned", "ret", "end", "finish", "complete", "completed", "done", "success",
		"response", "resp", "res":
		return "ok"
	case "fail", "failed", "failure":
		return "fail"
	case "info", "unknown", "timeout", "pending":
		return "info"
	}
	return ""
}

// csvClock is how a table writes times, which its first one shows: as integers, as decimal
// fractions, or as dates.
type csvClock struct {
	layout string // "" until the first time, and for integers and fractions a word
	digits int    // of fractions that are read
}

const (
	clockIntegers  = "integers"
	clockFractions = "fractions"
	dateTime       = "2006-01-02T15:04:05"
)

// read reads a time as an integer. It is not known where the cell says so.
func (c *csvClock) read(cell string) (n int64, known bool, wrong *history.Error) {
	switch strings.ToLower(cell) {
	case "null", "none", "nan", "nat":
		return 0, false, nil
	}
	if text, exponent, _ := strings.Cut(cell, "e-"); exponent != "" && text != "" { // 5e-05
		if f, err := strconv.ParseFloat(cell, 64); err == nil {
			cell = strconv.FormatFloat(f, 'f', 9, 64)
		}
	}
	whole, fraction, isFraction := strings.Cut(cell, ".")
	if c.layout == "" {
		switch digits := len(strings.TrimLeft(whole, "-")); {
		case len(cell) > len(dateTime) && (cell[len(cell)-1] == 'Z' ||
			strings.LastIndexAny(cell, "+-") >= len(dateTime)):
			c.layout = dateTime + "Z07:00"
		case strings.Contains(cell, ":"):
			c.layout = dateTime
		case isFraction:
			if c.layout, c.digits = clockFractions, 18-digits; whole < "5" {
				c.digits++
			}
			c.digits = min(9, c.digits)
		default:
			c.layout = clockIntegers
		}
	}
	var err error
	switch c.layout {
	case clockIntegers:
		n, err = strconv.ParseInt(cell, 10, 64)
	case clockFractions:
		if c.digits <= 0 || strings.Trim(fraction, "0123456789") != "" { // rounded, or no number
			whole = "?"
		}
		n, err = strconv.ParseInt(whole+(fraction + "000000000")[:max(c.digits, 0)], 10, 64)
	default:
		var at time.Time
		if at, err = time.Parse(c.layout, strings.Replace(cell, " ", "T", 1)); err == nil {
			n = at.UnixNano()
		}
	}
	if err != nil {
		return 0, false, &history.Error{What: fmt.Sprintf("%q is not read as a time", lex.Abbreviate(cell)),
			Hint: "times are integers of 64 bits, decimal fractions, or dates like 2026-01-31T12:00:00.5Z, all " +
				"written as the first one is"}
	}
	return n, true, nil
}

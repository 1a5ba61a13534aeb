package logs

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/inorder"
)

// FPTLin's lines: "# stack", then "process start end METHOD value" for each operation, all of them
// completed, some with a second value.
//
//   - -1 as the value of a removal or a peek means that it found nothing.
//   - Equal times: the return comes first, as in fastlin's files (docs/decisions/fastlin-ties.md);
//     its checker sorts events that way.
//   - Its priority queue hands out the largest value, so value v becomes [-v, v], as for fastlin.
//   - The second value of a set's operation is its result, 0 or 1.
//   - READ_MODIFY_WRITE a b finds a and writes b: a cas [a, b] that succeeds, on a register that
//     starts with 0.
//   - A semaphore starts without permits. INCR 1 releases one; DECR 1 and DECR 0 try to acquire
//     one, and do or do not.

type fptlinRow struct {
	process   int32
	f         history.Value
	arg       history.Value
	result    history.Value
	stated    bool // whether there is a result
	call, ret uint64
	line      int
}

// fptlinMethods maps each method of an object to its name here and the meaning of its values.
var fptlinMethods = map[string]map[string]struct {
	f     string
	means fptlinValues
}{
	"stack":          {"PUSH": {"push", fptlinPuts}, "POP": {"pop", fptlinTakes}, "PEEK": {"peek", fptlinTakes}},
	"queue":          {"ENQ": {"enq", fptlinPuts}, "DEQ": {"deq", fptlinTakes}, "PEEK": {"peek", fptlinTakes}},
	"priority-queue": {"INSERT": {"insert", fptlinPuts}, "POLL": {"poll", fptlinTakes}, "PEEK": {"peek", fptlinTakes}},
	"set": {"INSERT": {"add", fptlinAsks}, "REMOVE": {"remove", fptlinAsks},
		"CONTAINS": {"contains", fptlinAsks}},
	"cas-register": {"READ_MODIFY_WRITE": {"cas", fptlinModifies}},
	"semaphore":    {"INCR": {"release", fptlinReleases}, "DECR": {"tryacquire", fptlinAcquires}},
}

// fptlinValues is what the values of a method are.
type fptlinValues uint8

const (
	fptlinPuts     fptlinValues = iota // the argument
	fptlinTakes                        // the result
	fptlinAsks                         // argument and truth
	fptlinModifies                     // what it found, and what it wrote
	fptlinReleases                     // 1
	fptlinAcquires                     // whether it acquired
)

const fptlinHint = "a line reads: process start end METHOD value, after a header like # stack; sets and rmw have two " +
	"values"

func readFptlin(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	object := ""
	var rows []fptlinRow
	err := s.EachLine(func(text []byte, line int) error {
		switch {
		case text[0] == '#':
			if object == "" && len(rows) == 0 {
				name := string(bytes.TrimSpace(text[1:]))
				if object = canonical(name); object == "rmw" {
					object = "cas-register"
				}
				if fptlinMethods[object] == nil {
					return &history.Error{Line: line, What: fmt.Sprintf("unknown FPTLin object %q",
						lex.Abbreviate(name)),
						Hint: "its objects are stack, queue, priorityqueue, set, rmw and semaphore"}
				}
				b.SetSpec(object)
			}
			return nil
		case object == "":
			return &history.Error{Line: line, What: "an operation before the header that names the object",
				Hint: fptlinHint}
		}
		row, err := fptlinOperation(b, object, string(text), line)
		if err != nil {
			return err
		}
		if s.Limit > 0 && int64(len(rows))*(lex.RecordBytes+fastlinBytes) > s.Limit {
			return lex.TooLarge(line, s.Limit)
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return err
	}
	return fptlinFinish(b, rows)
}

// fptlinOperation reads an operation.
func fptlinOperation(b *history.Reading, object, text string, line int) (fptlinRow, error) {
	row := fptlinRow{line: line}
	wrong := func(what string) (fptlinRow, error) {
		return row, &history.Error{Line: line, What: what, Hint: fptlinHint}
	}
	fields := strings.Fields(text)
	if len(fields) < 5 {
		return wrong(fmt.Sprintf("%q has %d fields, not 5 or 6", lex.Abbreviate(text), len(fields)))
	}
	process, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || process < 0 {
		return wrong(fmt.Sprintf("%q is not a process", lex.Abbreviate(fields[0])))
	}
	row.process = b.ProcessInt(process)
	for i, at := range [...]*uint64{&row.call, &row.ret} {
		if *at, err = strconv.ParseUint(fields[1+i], 10, 64); err != nil {
			return wrong(fmt.Sprintf("%q is not a time", lex.Abbreviate(fields[1+i])))
		}
	}
	if row.ret < row.call {
		return wrong(fmt.Sprintf("%s returns at %d, before its call at %d", fields[3], row.ret, row.call))
	}
	method, known := fptlinMethods[object][fields[3]]
	if !known {
		return wrong(fmt.Sprintf("%s is not a method of a %s", lex.Abbreviate(fields[3]), object))
	}
	row.f = b.Values.String(method.f)
	values := make([]int64, len(fields)-4)
	for i, f := range fields[4:] {
		if values[i], err = strconv.ParseInt(f, 10, 64); err != nil {
			return row, lex.NotInteger(f, line)
		}
	}
	want := 1
	if method.means == fptlinAsks || method.means == fptlinModifies {
		want = 2
	}
	if len(values) != want {
		return wrong(fmt.Sprintf("%s has %d values, not %d", fields[3], len(values), want))
	}
	t, last := b.Values, values[want-1]
	if method.means >= fptlinAsks && method.means != fptlinModifies && last != 0 && last != 1 {
		return wrong(fmt.Sprintf("%s says %d, where 0 (it failed) or 1 belongs", fields[3], last))
	}
	switch method.means {
	case fptlinPuts:
		if last == -1 {
			return wrong(fmt.Sprintf("%s of -1, which stands for nothing", fields[3]))
		}
		row.arg, err = fptlinItem(t, object, last, line)
	case fptlinTakes:
		row.stated = true
		row.result, err = fptlinItem(t, object, last, line)
	case fptlinAsks:
		row.arg, row.result, row.stated = t.Int(values[0]), t.Bool(last == 1), true
	case fptlinModifies:
		row.arg, row.result, row.stated = t.List([]history.Value{t.Int(values[0]), t.Int(last)}), history.True, true
		b.SetInitial(t.Int(0))
	case fptlinReleases:
		if last == 0 {
			return wrong("INCR 0, but a release cannot fail")
		}
		b.SetInitial(t.Int(0))
	case fptlinAcquires:
		row.result, row.stated = t.Bool(last == 1), true
		b.SetInitial(t.Int(0))
	}
	return row, err
}

// fptlinItem is an item of a collection, -1 for none.
func fptlinItem(t *history.Values, object string, v int64, line int) (history.Value, error) {
	switch {
	case v == -1:
		return history.Nil, nil
	case object != "priority-queue":
		return t.Int(v), nil
	case v < -1<<62:
		return history.Nil, lex.NotInteger(strconv.FormatInt(v, 10), line)
	}
	return t.List([]history.Value{t.Int(-v), t.Int(v)}), nil
}

// fptlinFinish numbers the times, returns before calls, and adds the operations.
func fptlinFinish(b *history.Reading, rows []fptlinRow) error {
	times := make([]uint64, 0, 2*len(rows))
	for i := range rows {
		times = append(times, rows[i].call, rows[i].ret)
	}
	times = inorder.Distinct(times)
	for i := range rows {
		row := &rows[i]
		call, _ := slices.BinarySearch(times, row.call)
		ret, _ := slices.BinarySearch(times, row.ret)
		r := history.Record{Process: row.process, F: row.f, Arg: row.arg, Result: row.result, NoResult: !row.stated,
			Key:  history.NoKey,
			Line: row.line}
		r.Call, r.Return = returnsFirst(int64(call), int64(ret))
		if _, err := b.Add(r); err != nil {
			return err
		}
	}
	return nil
}

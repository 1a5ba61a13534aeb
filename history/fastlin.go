package history

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fastlin's lines: "# queue", then "method value call return" for each operation,
// all of them completed. There is no process; each operation gets its own.
//
//   - -1 as the value of a removal or a peek means that it found nothing.
//   - Equal times: the return comes first (docs/decisions/fastlin-ties.md), so that
//     an operation that ends at a time precedes those that begin at it. An operation
//     that begins and ends at one time lies in between.
//   - Its priority queue hands out the largest value. Ours hands out the least
//     priority, so value v becomes [-v, v], priority and value.
//
// Times become numbers in the order of the times: for the i-th different one, 4i for
// returns, 4i+1 and 4i+2 for operations within it, 4i+3 for calls.

type fastlinRow struct {
	record    Record
	call, ret uint64
}

func readFastlin(s *source, b *Builder) error {
	var rows []fastlinRow
	var spec string
	for {
		line := s.line
		text, ok, err := s.text()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		if text[0] == '#' {
			if spec == "" && len(rows) == 0 {
				spec = canonical(string(bytes.TrimSpace(text[1:])))
				b.SetSpec(spec)
			}
			continue
		}
		row, err := fastlinOperation(b, string(text), spec, line)
		if err != nil {
			return err
		}
		if s.limit > 0 && int64(len(rows))*(recordBytes+fastlinBytes) > s.limit {
			return tooLarge(line, s.limit)
		}
		rows = append(rows, row)
	}
	return fastlinAdd(b, rows)
}

const fastlinBytes = 200 // a row and its two times, with the room that growing needs

func fastlinOperation(b *Builder, text, spec string, line int) (row fastlinRow, err error) {
	fields := strings.Fields(text)
	if len(fields) != 4 {
		return row, &Error{Line: line, What: fmt.Sprintf("%q has %d fields, not 4", abbreviate(text), len(fields)), Hint: fastlinHint}
	}
	method := fields[0]
	n, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return row, notInteger(fields[1], line)
	}
	for i, at := range [...]*uint64{&row.call, &row.ret} {
		if *at, err = strconv.ParseUint(fields[2+i], 10, 64); err != nil {
			return row, &Error{Line: line, What: fmt.Sprintf("%q is no time", abbreviate(fields[2+i])), Hint: "times are integers from 0 on. " + fastlinHint}
		}
	}
	if row.ret < row.call {
		return row, &Error{Line: line, What: fmt.Sprintf("%s returns at %d, before its call at %d", method, row.ret, row.call), Hint: fastlinHint}
	}
	v := b.Values.Int(n)
	if spec == "priority-queue" {
		if n < -1<<62 {
			return row, notInteger(fields[1], line)
		}
		v = b.Values.List([]Value{b.Values.Int(-n), v})
	}
	r := Record{F: b.Values.String(method), Key: NoKey, Line: line}
	switch takes := fastlinTakes(method); {
	case takes && n != -1:
		r.Result = v
	case !takes && n == -1:
		return row, &Error{Line: line, What: fmt.Sprintf("%s of -1, which stands for nothing", method), Hint: fastlinHint}
	case !takes:
		r.Arg = v
	}
	row.record = r
	return row, nil
}

const fastlinHint = "a line reads: method value call return; the value of a removal is what it returned, -1 for nothing"

// fastlinTakes says whether the value of a method is its result.
func fastlinTakes(method string) bool {
	for _, prefix := range [...]string{"pop", "peek", "deq", "poll"} {
		if strings.HasPrefix(method, prefix) {
			return true
		}
	}
	return false
}

// fastlinAdd numbers the times and adds the operations.
func fastlinAdd(b *Builder, rows []fastlinRow) error {
	times := make([]uint64, 0, 2*len(rows))
	for i := range rows {
		times = append(times, rows[i].call, rows[i].ret)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i := range rows {
		r := &rows[i].record
		call, _ := slices.BinarySearch(times, rows[i].call)
		ret, _ := slices.BinarySearch(times, rows[i].ret)
		r.Process = b.ProcessInt(int64(i))
		r.Call, r.Return = 4*int64(call)+3, 4*int64(ret)
		if call == ret {
			r.Call, r.Return = 4*int64(call)+1, 4*int64(call)+2
		}
		if _, err := b.Add(*r); err != nil {
			return err
		}
	}
	return nil
}

package logs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/historytest"
)

// inCell writes a cell: in quotes where it must be, and now and then where it need not.
func inCell(r *rand.Rand, comma byte, text string) string {
	if strings.ContainsAny(text, string(comma)+"\"\n") || strings.TrimSpace(text) != text || r.IntN(4) == 0 {
		return strings.Repeat(" ", r.IntN(2)) + `"` + strings.ReplaceAll(text, `"`, `""`) + `"` +
			strings.Repeat(" ", r.IntN(2))
	}
	return strings.Repeat(" ", r.IntN(2)) + text
}

// table writes rows with their columns in random order.
func table(r *rand.Rand, rows [][]string) string {
	comma := [...]byte{',', ';', '\t'}[r.IntN(3)]
	order := r.Perm(len(rows[0]))
	end := [...]string{"\n", "\r\n"}[r.IntN(2)]
	var b strings.Builder
	for i, row := range rows {
		for k, c := range order {
			if k > 0 {
				b.WriteByte(comma)
			}
			b.WriteString(inCell(r, comma, row[c]))
		}
		if i < len(rows)-1 || r.IntN(2) == 0 {
			b.WriteString(end)
		}
		if r.IntN(10) == 0 {
			b.WriteString(end)
		}
	}
	return b.String()
}

// TestTablesSayWhatObjectsSay: random operations and events mean the same as rows of a table and as
// objects of JSON, whatever values there are, and errors about them have the same lines.
func TestTablesSayWhatObjectsSay(t *testing.T) {
	values := []struct{ cell, json string }{
		{"1", "1"}, {"-17", "-17"}, {"x", `"x"`}, {"a, b", `"a, b"`}, {`say "hi"`, `"say \"hi\""`},
		{"two\nlines", `"two\nlines"`}, {"007", `"007"`}, {"True", "true"}, {"false", "false"},
		{"null", "null"}, {"[1, [2]]", "[1, [2]]"}, {`{"k": "v;"}`, `{"k": "v;"}`}, {`"12"`, `"12"`}, {`""`, `""`},
		{"[1", `"[1"`}, {"Ünï", `"Ünï"`}, {"None", `"None"`}, {`a\tb`, `"a\\tb"`}, {"+5", `"+5"`},
	}
	read := map[bool]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 33))
		events := seed%2 == 1
		var rows [][]string
		var objects []string
		member := func(o []string, name, value string) []string {
			if value == "" {
				return o
			}
			return append(o, fmt.Sprintf("%q: %s", name, value))
		}
		open := map[int]int{} // process → its call
		some := func() (cell, json string) {
			if r.IntN(4) == 0 {
				return "", ""
			}
			v := values[r.IntN(len(values))]
			return v.cell, v.json
		}
		if events {
			rows = append(rows, []string{"thread", "event", "op", "k", "value", "latency"})
		} else {
			rows = append(rows, []string{"pid", "f", "key", "arg", "res", "start_ns", "end_ns", "status",
				"id", "latency"})
		}
		for k := range 1 + r.IntN(12) {
			p, f := r.IntN(3), [...]string{"put", "get", "cas", "write", "add"}[r.IntN(5)]
			key, keyJSON := some()
			arg, argJSON := some()
			if events {
				kind := "invoke"
				if _, is := open[p]; is {
					kind = [...]string{"ok", "ok", "ok", "fail", "info"}[r.IntN(5)]
					f = rows[open[p]][2]
					key, keyJSON = "", ""
					delete(open, p)
				} else {
					open[p] = len(rows)
				}
				word := map[string][]string{"invoke": {"invoke", "Call", "START"}, "ok": {"ok", "return", "end"},
					"fail": {"fail", "failed"}, "info": {"info", "timeout"}}[kind]
				rows = append(rows, []string{fmt.Sprint(p), word[r.IntN(len(word))], f, key, arg, "3.5"})
				o := member(nil, "process", fmt.Sprint(p))
				o = member(o, "type", fmt.Sprintf("%q", kind))
				o = member(o, "f", fmt.Sprintf("%q", f))
				objects = append(objects, "{"+strings.Join(member(member(o, "key", keyJSON), "value", argJSON), ", ")+
					"}")
				continue
			}
			result, resultJSON := some()
			call, ret, status := fmt.Sprint(10*k), fmt.Sprint(10*k+r.IntN(30)), ""
			switch r.IntN(6) {
			case 0:
				p, ret, result, resultJSON = 100+k, "", "", ""
			case 1:
				status = "fail"
			}
			rows = append(rows, []string{fmt.Sprint("p", p), f, key, arg, result, call, ret, status, "", "3.5"})
			o := member(nil, "process", fmt.Sprintf("%q", fmt.Sprint("p", p)))
			o = member(o, "f", fmt.Sprintf("%q", f))
			o = member(member(member(o, "key", keyJSON), "arg", argJSON), "result", resultJSON)
			o = member(member(o, "call", call), "return", ret)
			if status != "" {
				o = member(o, "status", `"fail"`)
			}
			objects = append(objects, "{"+strings.Join(o, ", ")+"}")
		}
		text := table(r, rows)
		got, err := history.Read(strings.NewReader(text), history.ReadOptions{NilReads: "null"})
		want, wantErr := history.Read(strings.NewReader(strings.Join(objects, "\n")),
			history.ReadOptions{Format: map[bool]string{true: "jepsen-json", false: "jsonl"}[events], NilReads: "null"})
		if wantErr != nil {
			require.Error(t, err, "seed %d: %v\n%s", seed, wantErr, text)
			continue
		}
		require.NoError(t, err, "seed %d\n%s", seed, text)
		assert.Equal(t, "csv", got.Format)
		require.Equal(t, historytest.OperationTexts(want), historytest.OperationTexts(got), "seed %d\n%s", seed, text)
		require.Equal(t, want.Failed, got.Failed)
		require.Contains(t, got.Warnings[0].What, `unknown field "latency"`)
		read[events]++
	}
	assert.Greater(t, read[false], 600)
	assert.Greater(t, read[true], 600)
}

// TestColumnsForArgumentsAndResults: where a table of events has both, each value is what its
// column says; a cas that returned false did not succeed.
func TestColumnsForArgumentsAndResults(t *testing.T) {
	h, err := history.Read(
		strings.NewReader(
			"process,type,f,arg,result\n0,call,cas,\"[1, "+
				"2]\",\n0,return,,,false\n0,call,swap,7,8\n0,return,swap,9,7\n0,call,read,,\n0,timeout,read,,4\n"),
		history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"0 cas [1, 2] → false [0 1]", "0 swap 7 → 7 [2 3]", "0 read pending [4]"},
		historytest.List(h))
	// The type of a return may stand in a column of its own.
	h, err = history.Read(
		strings.NewReader(
			"process,phase,status,f,arg,result\n0,start,,write,1,\n0,end,failed,write,,\n1,start,,write,2,\n1,end,unknown,write,,\n"), history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 write 2 pending [2]"}, historytest.List(h))
	assert.Equal(t, 1, h.Failed)
}

// TestTimesOfTables: integers, decimal fractions and dates keep their order, to the nanosecond.
func TestTimesOfTables(t *testing.T) {
	for _, times := range [][4]string{
		{"1", "2", "3", "4"},
		{"-3", "-2", "9223372036854775806", "9223372036854775807"},
		{"0.5", "1", "1.000000001", "1.25"},
		{"5e-05", "6.5e-05", "0.0001", "3.0"},
		{"1764296791.123456788", "1764296791.123456789", "1764296791.2", "1764296792"},
		{"1764296791123.25", "1764296791123.5", "1764296791124", "1764296791124.125"},
		{"-0.5", "-0.25", "0", "0.25"},
		{"2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000001Z", "2026-01-31T13:00:01+01:00", "2026-01-31 12:00:02Z"},
		{"2026-01-31 12:00:00", "2026-01-31 12:00:00.000001", "2026-01-31T12:00:01", "2027-01-01 00:00:00"},
	} {
		h, err := history.Read(strings.NewReader(fmt.Sprintf("process,f,arg,call,return\n0,write,1,%s,%s\n1,write,2,%s,%s\n",
			times[0], times[1], times[2], times[3])), history.ReadOptions{})
		require.NoError(t, err, "%v", times)
		assert.Equal(t, []string{"0 write 1 → null [0 1]", "1 write 2 → null [2 3]"}, historytest.List(h), "%v", times)
	}
	for _, never := range []string{"", "null", "NaN", "None", "NaT"} {
		h, err := history.Read(strings.NewReader("process,f,arg,call,return\n0,write,1,1.5,2.5\n1,write,2,1.5,"+never),
			history.ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, 1, h.Pending())
	}
}

// TestBadTables checks what is said of tables that are wrong, or could mean two things.
func TestBadTables(t *testing.T) {
	const fine = "process,f,arg,call,return\n"
	for _, row := range []struct{ name, columns, in, what, hint string }{
		{"no process", "", "f,call,return\nread,1,2", `f:1: the table has no column for "process"`, "--columns"},
		{"no return", "", "process,f,call\n0,read,1", `f:1: the table has no column for "return"`, "--columns"},
		{"two calls", "", "process,f,start,begin,return\n0,read,1,2,3",
			`f:1: the columns "start" and "begin" could both be call`, "--columns call=NAME"},
		{"two names", "call=start", "process,f,start,begin,end,stop\n0,read,1,2,3,4",
			`f:1: the columns "end" and "stop" could both be return`, "--columns return=NAME"},
		{"two units", "", "process,f,call_ns,return_ms\n0,read,1,2",
			`f:1: the columns "call_ns" and "return_ms" have different units`, "one unit"},
		{"no such column", "call=begun", "process,f,start,end\n0,read,1,2", `f:1: the table has no column "begun"`,
			"its columns are process, f, start, end"},
		{"too few cells", "", fine + "0,write,1,2", "f:2: the row has 4 cells, and the header 5", "quotes"},
		{"too many cells", "", fine + "\n0,write,1,2,3,4", "f:3: the row has 6 cells, and the header 5", "quotes"},
		{"no function", "", fine + "0,,1,2,3", `f:2: the cell "f" is empty`, "which process did what"},
		{"no process in a row", "", fine + ",write,1,2,3", `f:2: the cell "process" is empty`,
			"which process did what"},
		{"no call", "", fine + "0,write,1,,3", `f:2: operation 0: missing "call"`, ""},
		{"no time", "", fine + "0,write,1,soon,3", `f:2: "soon" is not read as a time`, "integers"},
		{"another kind of time", "", fine + "0,write,1,1,2\n0,write,1,3.5,4", `f:3: "3.5" is not read as a time`,
			"as the first one"},
		{"a rounded time", "", fine + "0,write,1,1764296791123456789.0,1764296791123456790.0",
			`f:2: "1764296791123456789.0" is not read as a time`, "integers"},
		{"a large exponent", "", fine + "0,write,1,1.76e+18,1.77e+18", `f:2: "1.76e+18" is not read as a time`,
			"integers"},
		{"an unknown event", "", "process,type,f\n0,call,read\n0,finito,read", `f:3: "finito" is no event`, `"return"`},
		{"an unknown status", "", "process,f,arg,call,return,status\n0,write,1,1,2,error",
			`f:2: status "error"`, `"fail"`},
		{"a fraction", "", fine + "0,write,1.5,2,3", "f:2: 1.5 is not written as an integer", ""},
		{"an open quote", "", fine + "0,write,\"1,2,3\n", "f:3: the input ends inside a cell in quotes", "cut off"},
		{"text after a quote", "", fine + "0,write,\"1\"2,2,3\n", "f:2: text after the quote", "double"},
		{"on the right line", "", fine + "\n0,write,\"[1,\n2]\",2,3\n0,write,1,1,0\n",
			"f:5: operation 1 returns at 0, before its call at 1", ""},
		{"no rows", "", fine, "f: the history has no operations", ""},
		{"no pair", "call", fine, `f: "call" does not say what a column is`, "call=start_ns"},
		{"no field", "begin=x", fine, `f: "begin=x" does not say what a column is`, "process, f"},
		{"said twice", "call=x,call=y", fine, `f: "call=y" does not say what a column is`, "once"},
		{"a value of a removal without result", "", "process,f,value,call,return\n0,contains,1,2,3", "", ""},
	} {
		h, err := history.Read(strings.NewReader(row.in), history.ReadOptions{Name: "f", Columns: row.columns, Format: "csv"})
		if row.what == "" {
			require.NoError(t, err)
			assert.True(t, h.Ops[0].NoResult)
			continue
		}
		require.ErrorContains(t, err, row.what, row.name)
		assert.True(t, strings.HasPrefix(err.Error(), row.what), "%s: %v", row.name, err)
		var e *history.Error
		require.ErrorAs(t, err, &e)
		assert.Contains(t, e.Hint, row.hint, row.name)
	}
	_, err := history.Read(strings.NewReader(fine), history.ReadOptions{Columns: "call=call", Format: "edn"})
	assert.ErrorContains(t, err, "the format is edn")
}

// TestNamesOfColumns: names that other tools use are recognised, those of other times are not.
func TestNamesOfColumns(t *testing.T) {
	for name, want := range map[string]string{
		"process": "process", "Client_ID": "process", "thread": "process", "op": "f", "Method": "f", "call": "call",
		"call_ns": "call", "start_time_ms": "call", "invoke_ts": "call", "StartTimestamp": "call",
		"end": "return", "finish_us": "return", "return time": "return", "ts": "time", "timestamp_ns": "time",
		"time": "time", "event": "type", "type": "type", "status": "status", "outcome": "status",
		"value": "value", "val": "value", "input": "arg", "output": "result", "returned": "result", "key": "key",
		"rev": "chain", "id": "id",
		"response_time_ms": "", "response_ms": "", "latency": "", "node": "", "duration_ns": "", "us": "",
		"status_time": "", "value_ns": "",
	} {
		field, _ := csvField(name)
		assert.Equal(t, want, field, name)
	}
	// --columns comes first, then the very name of a field, then other names.
	h, err := history.Read(strings.NewReader("call,start,f,op,client,return,end\n1,2,read,write,7,3,4\n"),
		history.ReadOptions{Columns: "return=end,f=op"})
	require.NoError(t, err)
	assert.Equal(t, []string{"7 write → null [0 1]"}, historytest.List(h))
	assert.EqualValues(t, 1, h.Origins[0].CallTime)
	assert.EqualValues(t, 4, h.Origins[0].ReturnTime)
	assert.Len(t, h.Warnings, 3)
}

// TestTablesOfOneHistory: files are merged only if they write times the same way.
func TestTablesOfOneHistory(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	integers := write("a.csv", "process,f,arg,call,return\n0,write,1,10,20\n")
	seconds := write("b.csv", "process,f,arg,call,return\n1,write,2,0.5,1.5\n")
	lines := write("c.jsonl", `{"process": 2, "f": "read", "call": 30, "return": 40, "result": 1}`)
	_, err := history.ReadMerged([]string{integers, seconds}, history.ReadOptions{})
	assert.ErrorContains(t, err, "b.csv: its times are not written as those of another file")
	_, err = history.ReadMerged([]string{seconds, lines}, history.ReadOptions{})
	assert.ErrorContains(t, err, "c.jsonl: its times are not written as those of another file")
	h, err := history.ReadMerged([]string{integers, lines}, history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"0 write 1 → null [0 1]", "2 read → 1 [2 3]"}, historytest.List(h))
}

package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// withBlocks runs with blocks of the given size.
func withBlocks(bytes int, run func()) {
	defer func(before int) { jsonBlockBytes = before }(jsonBlockBytes)
	jsonBlockBytes = bytes
	run()
}

// randomOperations is JSON Lines, or a list in one object, with anything in it: mostly operations
// as they are usually written, and all that may be unusual or wrong about them.
func randomOperations(r *rand.Rand, list bool) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	rare := r.IntN(3) > 0 // some inputs have nothing wrong
	wrong := func(one int) bool { return rare && r.IntN(one) == 0 }
	value := func() string {
		switch r.IntN(9) {
		case 0:
			return pick("null", "true", "false")
		case 1:
			return pick(`"a"`, `"b"`, `"é"`, `"a\\n"`, `"\\ud800"`, "\"\xff\"", `""`)
		case 2:
			return pick("[1, 2]", "[]", strings.Repeat("[", 997+r.IntN(4))+strings.Repeat("]", 998), `["a", [null, 7]]`,
				"[7, 7,7]", "[[1]]", "[ 1 ]")
		case 3:
			if wrong(100) {
				return `{"x": 3, "x": 1, "y": 2}`
			}
			return pick(`{"x": 1, "y": 2}`, `{"y": 2, "x": 1}`, "{}", `{"x": [8]}`)
		case 4:
			return pick("-1", "123456789012", "999999999999999999", "9223372036854775807", "-9223372036854775808", "0",
				"-0")
		case 5:
			if wrong(40) {
				return pick("01", "1.5", "1e3", "9223372036854775808", "nul", "nulls", "tru", "-", "--1", "+1", "[1,]",
					"[", `{"x" 1}`, `"a`, "\"\t\"", "")
			}
		}
		return fmt.Sprint(r.IntN(2000))
	}
	var text strings.Builder
	operations := 1 + r.IntN(60)
	if list {
		text.WriteString(pick("{\"operations\": [\n", "{\"spec\": \"queue\", \"operations\":[",
			"{\"order\": [[0, 1]],\n\n\"operations\" :\n["))
	} else if r.IntN(4) > 0 {
		text.WriteString(pick(`{"spec": "queue"}`, `{"spec":"register","initial":0}`, `{"order": [[0, 1]]}`,
			`{"order": [["i1", "i2"]]}`, `{"events": [{"time": 1, "text": "x"}]}`))
		text.WriteString(pick("\n", "\n", "\r\n", " ", "\n\n"))
	}
	for i := range operations {
		fields := []string{
			fmt.Sprintf(`"process": %d`, r.IntN(3)+3*i),
			fmt.Sprintf(`"f": %s`, pick(`"enq"`, `"deq"`, `"read"`, `"\\u0065nq"`)),
			fmt.Sprintf(`"call": %d`, 10*i+r.IntN(10)), fmt.Sprintf(`"return": %d`, 10*i+10+r.IntN(30)),
		}
		if r.IntN(3) == 0 {
			fields[0] = fmt.Sprintf(`"process": "p%d"`, i)
		}
		if r.IntN(2) == 0 {
			fields = append(fields, `"arg": `+value())
		}
		if r.IntN(2) == 0 {
			fields = append(fields, `"result": `+value())
		}
		for _, extra := range []string{
			`"key": ` + value(), fmt.Sprintf(`"id": "i%d"`, r.IntN(1000)), `"status": "ok"`, `"return": null`,
			`"forgotten": true`,
			fmt.Sprintf(`"process": %d`, 1000+i), `"arg": 77777`, fmt.Sprintf(`"chain": %d`, i),
			fmt.Sprintf(`"revision": [%s, %d]`, value(), i), `"status": "fail"`,
		} {
			name := extra[:strings.Index(extra, ":")+1]
			again := slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, name) })
			if r.IntN(12) == 0 && (!again || wrong(100)) {
				fields = append(fields, extra)
			}
		}
		if wrong(60) {
			fields = append(fields, pick(`"return": 0`, `"call": "x"`, `"f": 1`, `"status": "odd"`, `"process": null`,
				`"process": 1.5`, `"forgotten": 1`, `"chain": "a"`, `"chain": ["a"]`, `"chain": [1, 2, 3]`, `"id": 3`,
				`"call"`, `"call": `, "7"))
		}
		if wrong(30) {
			fields = append(fields, fmt.Sprintf("%q: %s", pick("value", "time", "proc", "é", "Call"), value()))
		}
		if wrong(80) {
			fields = fields[1:]
		}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		comma, colon := ", ", ": "
		switch r.IntN(12) {
		case 0:
			comma, colon = ",", ":"
		case 1:
			comma = pick(",\n ", ",\t", " ,  ", ",\r\n")
		}
		line := "{" + strings.ReplaceAll(strings.Join(fields, comma), ": ", colon) + "}"
		if wrong(100) {
			line = line[:r.IntN(len(line))]
		}
		if list && i < operations-1 && !wrong(200) {
			line += pick(",", ",", ",", ",", ",", "\n,", " ,", ", ")
		}
		text.WriteString(line + pick("\n", "\n", "\n", "\n", "\n", " \n", "\r\n", "\n\n", " ", ""))
		if wrong(200) {
			text.WriteString(pick("]", ",", "null", "[1]", "\x00"))
		}
	}
	if list && !wrong(20) {
		text.WriteString(pick("]}", "]\n}\n", "],\n\"initial\": [1, 2]}", "], \"operations\": []}", "]}]",
			"], \"f\": 1}"))
	}
	all := text.String()
	if wrong(6) {
		all = all[:r.IntN(len(all))]
	}
	return all
}

// requireSameReading compares two readings in everything that is known of them.
func requireSameReading(t *testing.T, want, got *History, wantErr, gotErr error, input string) {
	t.Helper()
	var e, g *Error
	if errors.As(wantErr, &e) {
		require.ErrorAs(t, gotErr, &g, input)
		require.Equal(t, *e, *g, input)
		return
	}
	require.NoError(t, wantErr)
	require.NoError(t, gotErr, input)
	a, b := *want.Values, *got.Values
	require.Equal(t, a.data, b.data, input)
	require.Equal(t, a.texts, b.texts, input)
	require.Equal(t, a.lists, b.lists, input)
	require.Equal(t, a.bytes, b.bytes, input)
	x, y := *want, *got
	x.Values, y.Values = nil, nil
	require.True(t, reflect.DeepEqual(x, y), "%s\n%+v\n%+v", input, x, y)
}

// TestBlocksReadWhatLinesRead compares reading in blocks with reading without, on random inputs
// with anything wrong anywhere.
func TestBlocksReadWhatLinesRead(t *testing.T) {
	rounds := testenv.Scale(3000, 400_000)
	read, refused, warned := 0, 0, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 5))
		opts := ReadOptions{Format: "jsonl"}
		if r.IntN(2) == 0 {
			opts.Format = "json"
		}
		text := randomOperations(r, opts.Format == "json")
		if r.IntN(4) == 0 {
			opts.MemoryLimit = 1 + r.Int64N(20_000)
		}
		in := func() io.Reader { return strings.NewReader(text) }
		switch r.IntN(6) {
		case 0:
			in = func() io.Reader { return iotest.HalfReader(strings.NewReader(text)) }
		case 1:
			in = func() io.Reader { return iotest.DataErrReader(strings.NewReader(text)) }
		case 2:
			in = func() io.Reader {
				return io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("the disk is gone")))
			}
		}
		var want, got *History
		var wantErr, gotErr error
		withBlocks(1<<20, func() { want, wantErr = Read(in(), opts) })
		opts.size = []int64{0, int64(len(text)), r.Int64N(2000)}[r.IntN(3)]
		withBlocks(1+r.IntN(400), func() { got, gotErr = Read(in(), opts) })
		requireSameReading(t, want, got, wantErr, gotErr, fmt.Sprintf("seed %d, limit %d\n%s", seed,
			opts.MemoryLimit, text))
		switch {
		case wantErr != nil:
			refused++
		case len(want.Warnings) > 0:
			warned++
		default:
			read++
		}
	}
	require.Greater(t, read, rounds/10)
	require.Greater(t, refused, rounds/10)
	require.Greater(t, warned, rounds/100)
}

// TestBlocksGoOnAfterEachOther reads an input of many blocks, where the last line is wrong or not.
func TestBlocksGoOnAfterEachOther(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("{\"spec\": \"queue\"}\n")
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&text, "{\"process\": %d, \"f\": \"enq\", \"arg\": %d, \"call\": %d, \"return\": %d}\n", i%7,
			i*i, 2*i, 2*i+1)
	}
	for _, tail := range []string{"", "{", "{\"process\": 1, \"f\": \"deq\", \"call\": 7, \"return\": 3}\n"} {
		input := text.String() + tail
		var want, got *History
		var wantErr, gotErr error
		withBlocks(1<<24, func() { want, wantErr = Read(strings.NewReader(input), ReadOptions{}) })
		withBlocks(1<<12, func() { got, gotErr = Read(strings.NewReader(input), ReadOptions{}) })
		requireSameReading(t, want, got, wantErr, gotErr, tail)
		if tail == "" {
			require.Len(t, got.Ops, n)
			require.Equal(t, int32(n+1), got.Origins[n-1].Line)
		} else {
			require.ErrorContains(t, gotErr, fmt.Sprint(n+2))
		}
	}
}

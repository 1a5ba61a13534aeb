package isolation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/isolation"
)

// read makes transactions of text in any format.
func read(t *testing.T, text string) (*isolation.History, error) {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return isolation.Of(h)
}

// list writes transactions one a line: session, status, accesses.
func list(h *isolation.History) string {
	var b strings.Builder
	for _, x := range h.Txns {
		fmt.Fprintf(&b, "%d%s", x.Session, [...]string{"", "?", "!"}[x.Status])
		for _, a := range x.Accesses {
			fmt.Fprintf(&b, " %s%s", [...]string{"r", "w", "a"}[a.Kind], h.Objects[a.Object].Name)
			if a.Kind == isolation.Read && h.Objects[a.Object].List {
				b.WriteString("[")
				for _, e := range a.List {
					b.WriteString(" " + h.Values[e])
				}
				b.WriteString(" ]")
				continue
			}
			b.WriteString("=" + h.Values[a.Value])
		}
		b.WriteString("\n")
	}
	for _, o := range h.Objects {
		if o.List {
			fmt.Fprintf(&b, "%s: []\n", o.Name)
		} else {
			fmt.Fprintf(&b, "%s: %s\n", o.Name, h.Values[o.Initial])
		}
	}
	return b.String()
}

func TestOf(t *testing.T) {
	for name, row := range map[string][2]string{
		"list-append of Elle": {`
{:type :invoke, :f :txn, :process 0, :value [[:append 1 2] [:r 1 nil] [:r 2 nil]], :index 0, :time 1}
{:type :invoke, :f :txn, :process 1, :value [[:append 2 3]], :index 1, :time 2}
{:type :invoke, :f :txn, :process 2, :value [[:append 2 4] [:r 1 nil]], :index 2, :time 3}
{:type :ok, :f :txn, :process 0, :value [[:append 1 2] [:r 1 [2]] [:r 2 nil]], :index 3, :time 4}
{:type :fail, :f :txn, :process 1, :value [[:append 2 3]], :index 4, :time 5}
{:type :info, :f :txn, :process 2, :value [[:append 2 4] [:r 1 nil]], :index 5, :time 6}
{:type :invoke, :f :txn, :process 1, :value [[:r 3 nil] [:append 1 5]], :index 6, :time 7}
{:type :ok, :f :txn, :process 1, :value [[:r 3 []] [:append 1 5]], :index 7, :time 8}`,
			"0 a1=2 r1[ 2 ] r2[ ]\n1! a2=3\n2? a2=4\n1 r3[ ] a1=5\n1: []\n2: []\n3: []\n"},
		"without :f": {`
{:type :invoke, :process 0, :value [[:w x 2] [:r y nil]]}
{:type :ok, :process 0, :value [[:w x 2] [:r y nil]]}`,
			"0 wx=2 ry=null\nx: null\ny: null\n"},
		"a failed write of one": {`
{:type :invoke, :process 0, :f :w, :value [:w x 2]}
{:type :fail, :process 0, :f :w, :value [:w x 2]}
{:type :invoke, :process 0, :f :r, :value [:r x nil]}
{:type :ok, :process 0, :f :r, :value [:r x 3]}`,
			"0! wx=2\n0 rx=3\nx: null\n"},
		"multi-register": {`{"spec": "multi-register", "initial": {"x": 0, "1": 7}, "operations": [
{"process": 0, "f": "write", "arg": {"x": 1, "y": "a"}, "call": 0, "return": 4},
{"process": 1, "f": "read", "arg": ["x", "1"], "call": 1, "return": 3, "result": {"x": 1, "1": 7}},
{"process": 1, "f": "txn", "arg": [["READ", 1], [":w", "x", 2]], "call": 5, "return": 8, "result": [["r", 1, 7], ["w", "x", 2]]},
{"process": 2, "f": "txn", "arg": [["r", "x"], ["w", "x", 3]], "call": 5, "return": 8, "result": null},
{"process": 3, "f": "txn", "arg": [["r", "x"], ["w", "x", 4]], "call": 6, "return": 8, "status": "fail"},
{"process": 4, "f": "read", "call": 7}]}`,
			"0 wx=1 wy=\"a\"\n1 rx=1 r1=7\n1 r1=7 wx=2\n2 wx=3\n3! wx=4\n4?\nx: 0\ny: null\n1: 7\n"},
		"lists that are only read": {`{"operations": [
{"process": 0, "f": "txn", "arg": [["r", "x", null]], "call": 0, "return": 4, "result": [["r", "x", []]]},
{"process": 0, "f": "txn", "arg": [["r", "y", null]], "call": 5, "return": 6, "result": [["r", "y", [3]]]}]}`,
			"0 rx[ ]\n0 ry=[3]\nx: []\ny: null\n"},
		"keys": {`{"operations": [
{"process": 0, "f": "txn", "key": "a", "arg": [["w", "x", 1]], "call": 0, "return": 4},
{"process": 1, "f": "txn", "key": "b", "arg": [["w", "x", 1]], "call": 1, "return": 3}]}`,
			"0 wa/x=1\n1 wb/x=1\na/x: null\nb/x: null\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := read(t, row[0])
			require.NoError(t, err)
			assert.Equal(t, row[1], list(h))
		})
	}
}

func TestOfRefuses(t *testing.T) {
	const txn = `{"operations": [{"process": 0, "f": "txn", "arg": %s, "result": %s, "call": 0, "return": 1}%s]}`
	const after = `, {"process": 0, "f": "txn", "arg": %s, "result": %[1]s, "call": 2, "return": 3}`
	for want, text := range map[string]string{
		`the argument is 3, not a list of micro-operations`: fmt.Sprintf(txn, "3", "3", ""),
		`["q", "x", 1] is not a micro-operation`:            fmt.Sprintf(txn, `[["q", "x", 1]]`, "null", ""),
		`["w", "x"] is not a micro-operation`:               fmt.Sprintf(txn, `[["w", "x"]]`, "null", ""),
		`the result has ["w", "x", 2] where the argument has ["w", "x", 1]`: fmt.Sprintf(txn,
			`[["w", "x", 1]]`, `[["w", "x", 2]]`, ""),
		`the result is [], not its argument with the values that were read`: fmt.Sprintf(txn,
			`[["w", "x", 1]]`, `[]`, ""),
		`operation 1: reads 3 of x, which is a list`: fmt.Sprintf(txn, `[["append", "x", 1]]`, "null",
			fmt.Sprintf(after, `[["r", "x", 3]]`)),
		`operation 1: writes x, which is appended to elsewhere`: fmt.Sprintf(txn, `[["append", "x", 1]]`, "null",
			fmt.Sprintf(after, `[["w", "x", 3]]`)),
		`the initial value of the list x is [1]`: `{"initial": {"x": [1]}, ` + fmt.Sprintf(txn, `[["append", "x", 1]]`,
			"null", "")[1:],
		`the initial state is 3, not a map from names to values`: `{"initial": 3, ` +
			fmt.Sprintf(txn, `[]`, "null", "")[1:],
		`"enqueue" is not an operation of transactions`: strings.ReplaceAll(fmt.Sprintf(txn, "3", "3", ""),
			"txn", "enqueue"),
		`the result {"y": 1} has other names than the argument ["x"]`: strings.ReplaceAll(
			fmt.Sprintf(txn, `["x"]`, `{"y": 1}`, ""), "txn", "read"),
	} {
		_, err := read(t, text)
		require.IsType(t, &history.Error{}, err, want)
		assert.Equal(t, want, strings.TrimPrefix(err.Error(), "line 1: "))
		assert.NotEmpty(t, err.(*history.Error).Hint)
	}
	// b is of the same process as c, and nothing orders a and c
	_, err := read(t, `{"operations": [{"id": "a", "process": 0, "f": "txn", "arg": [["w", "x", 1]], "call": 0, "return": 9},
{"id": "b", "process": 1, "f": "txn", "arg": [["w", "x", 1]], "call": 1, "return": 9},
{"id": "c", "process": 2, "f": "txn", "arg": [["w", "x", 1]], "call": 2, "return": 5},
{"id": "d", "process": 2, "f": "txn", "arg": [["w", "x", 1]], "call": 6, "return": 7}],
"order": [["a", "b"], ["b", "d"]]}`)
	assert.ErrorContains(t, err, `an "order" between some transactions of two processes`)
}

// TestSessionsWithoutTimes: a history of sessions without times keeps them when it is written.
func TestSessionsWithoutTimes(t *testing.T) {
	h, err := history.Read(strings.NewReader("w(0,1,0,0)\nw(0,2,1,1)\nr(0,1,0,2)\nw(1,4,0,3)\nr(1,4,1,4)\nw(0,3,2,5)\n"),
		history.ReadOptions{})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, history.WriteJSON(&b, h))
	x, err := isolation.Of(h)
	require.NoError(t, err)
	y, err := read(t, b.String())
	require.NoError(t, err)
	names := map[int32]int32{}
	for i := range y.Txns { // sessions by what they do first
		s := y.Txns[i].Session
		if _, known := names[s]; !known {
			names[s] = int32(len(names))
		}
		y.Txns[i].Session = names[s]
	}
	assert.Equal(t, list(x), list(y))
}

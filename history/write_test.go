package history

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// writers are the two formats that can be written.
var writers = []struct {
	name  string
	write func(io.Writer, *History) error
}{{"json", WriteJSON}, {"jsonl", WriteJSONL}}

// requireRoundTrip writes h in both formats, reads it back and compares.
func requireRoundTrip(t *testing.T, h *History, context any) {
	if h.Revisions != nil && len(h.Ops) > 12 {
		return // all choices of pending operations are compared
	}
	if len(h.Ops) == 0 && len(h.Notes) == 0 {
		return // nothing was left to write
	}
	for _, w := range writers {
		var out bytes.Buffer
		require.NoError(t, w.write(&out, h), "%v", context)
		back, err := Read(bytes.NewReader(out.Bytes()), ReadOptions{})
		require.NoError(t, err, "%v\n%s", context, &out)
		if len(h.Ops) > 0 {
			require.Equal(t, w.name, back.Format)
		}
		if diff := difference(h, back); diff != "" {
			require.Fail(t, "another history comes back", "%s\n%v\n%s", diff, context, &out)
		}
	}
}

// difference compares two histories but for the numbers of values and ranks, and
// the names of processes. It returns "" if they are the same.
func difference(h, back *History) string {
	switch {
	case h.Spec != back.Spec:
		return "specification"
	case h.HasInitial != back.HasInitial, h.Values.Format(h.Initial) != back.Values.Format(back.Initial):
		return "initial state"
	case len(h.Ops) != len(back.Ops):
		return "number of operations"
	case !slices.EqualFunc(h.Notes, back.Notes, func(a, b Note) bool { return a.Text == b.Text }):
		return "notes"
	}
	at := make([]OpID, len(h.Ops)) // operation of h → operation of back
	for i := range back.Ops {
		at[back.Origins[i].Position] = OpID(i)
	}
	for i := range at {
		if a, b := content(h, OpID(i)), content(back, at[i]); a != b {
			return a + " is now " + b
		}
	}
	if h.Revisions != nil { // their order may be ranks in one and edges in the other
		same := make([]OpID, len(h.Ops))
		for i := range same {
			same[i] = OpID(i)
		}
		open := pendingMask(h)
		for sub := open; ; sub = (sub - 1) & open {
			if a, b := allowed(h, same, sub), allowed(back, at, sub); cyclic(a) != cyclic(b) || !cyclic(a) &&
				!reflect.DeepEqual(a, b) {
				return fmt.Sprintf("order if %b take effect", sub)
			}
			if sub == 0 {
				return ""
			}
		}
	}
	inOrder := func(h *History, at func(i int) OpID) []int32 {
		return alternation(len(h.Ops), func(i int) (call, ret Rank) { return h.Ops[at(i)].Call, h.Ops[at(i)].Return })
	}
	if !slices.Equal(inOrder(h, func(i int) OpID {
		return OpID(i)
	}), inOrder(back, func(i int) OpID { return at[i] })) {
		return "interval order"
	}
	var edges []Edge
	for _, e := range h.Edges {
		edges = append(edges, Edge{at[e.Before], at[e.After]})
	}
	slices.SortFunc(edges, compareEdges)
	if !slices.Equal(edges, back.Edges) {
		return fmt.Sprintf("edges %v are now %v", edges, back.Edges)
	}
	return ""
}

// content is all that an operation says but its place and process.
func content(h *History, i OpID) string {
	o := h.Ops[i]
	s := h.Values.Format(o.F) + " " + h.Values.Format(o.Arg)
	if o.Key != NoKey {
		s += " key " + h.Values.Format(o.Key)
	}
	if !o.Unknown {
		s += " result " + h.Values.Format(o.Result)
	}
	if o.Pending() {
		s += " pending"
	}
	if h.IDs != nil && h.IDs[i] != "" {
		s += " id " + h.IDs[i]
	}
	if h.Revisions != nil && h.Revisions[i] != nil {
		s += fmt.Sprintf(" revision %d of %s", h.Revisions[i].Number, h.Values.Format(h.Revisions[i].Chain))
	}
	return s
}

// randomHistory is randomRecords with values, names, notes and an initial state.
func randomHistory(seed uint64) (*History, input, error) {
	rng := rand.New(rand.NewPCG(seed, 11))
	records, processes, edges := randomRecords(rng)
	b := NewBuilder()
	for p := range processes {
		switch rng.IntN(3) {
		case 0:
			b.Process(fmt.Sprintf("client %d", p))
		default:
			b.ProcessInt(int64(p) * 1000)
		}
	}
	if rng.IntN(3) == 0 {
		number(rng, b.Values, records)
	}
	ids := rng.IntN(2) == 0
	for i := range records {
		r := &records[i]
		r.F = b.Values.String([]string{"read", "write", "a\"\\\u2028\x01<é"}[rng.IntN(3)])
		if rng.IntN(3) == 0 {
			r.Key = randomValue(rng, b.Values, 1)
			if r.Key == Nil {
				r.Key = NoKey
			}
		}
		r.Arg = randomValue(rng, b.Values, 2)
		if r.returned() {
			r.Result = randomValue(rng, b.Values, 2)
			r.Forgotten = rng.IntN(6) == 0
		}
		if ids && rng.IntN(4) > 0 {
			r.ID = fmt.Sprintf("op-%d", i)
		}
		if _, err := b.Add(*r); err != nil {
			return nil, input{}, err
		}
	}
	for _, e := range edges {
		if err := b.Edge(e[0], e[1], 0); err != nil {
			return nil, input{}, err
		}
	}
	if rng.IntN(2) == 0 {
		b.SetSpec("kv")
	}
	if rng.IntN(3) == 0 {
		b.SetInitial(randomValue(rng, b.Values, 2))
	}
	for range rng.IntN(3) {
		b.Note(rng.Int64N(10), fmt.Sprintf("node %d killed", rng.IntN(5)))
	}
	h, err := b.Finish()
	return h, input{seed, records, edges}, err
}

func randomValue(rng *rand.Rand, t *Values, depth int) Value {
	switch n := rng.IntN(8); {
	case n == 0:
		return Nil
	case n == 1:
		return t.Bool(rng.IntN(2) == 0)
	case n == 2:
		return t.String(strings.Repeat("x", rng.IntN(3)))
	case n == 3 && depth > 0:
		list := make([]Value, rng.IntN(3))
		for i := range list {
			list[i] = randomValue(rng, t, depth-1)
		}
		return t.List(list)
	case n == 4 && depth > 0:
		return t.Map([]Value{t.String("k"), randomValue(rng, t, depth-1), t.String("\t"), randomValue(rng, t, depth-1)})
	case n == 5:
		return t.Int(int64(rng.Uint64()))
	}
	return t.Int(rng.Int64N(10))
}

// TestWriteReadsBack writes and reads random histories with ties, edges and failed operations.
func TestWriteReadsBack(t *testing.T) {
	rounds := testenv.Scale(4_000, 100_000)
	original := 0
	for seed := range uint64(rounds) {
		h, what, err := randomHistory(seed)
		if err != nil {
			continue // cyclic
		}
		if newJSONWriter(io.Discard, h).original() {
			original++
		}
		requireRoundTrip(t, h, what)
	}
	require.Greater(t, original, rounds/4)
	require.Less(t, original, rounds*9/10)
	t.Logf("%d histories, %d of them with the times that they came with", rounds, original)
}

// TestWriteKeepsTimes checks that a plain history comes back as it was.
func TestWriteKeepsTimes(t *testing.T) {
	const in = `{"spec": "queue", "initial": [7], "events": [{"time": 3, "text": "node 3 killed"}], "operations": [
  {"id": "a", "process": 0, "f": "enq", "arg": 1, "call": -5, "return": 5},
  {"process": "w", "f": "deq", "key": "k", "call": 5, "return": 9, "result": [1, {"x": null}]},
  {"process": 0, "f": "enq", "arg": true, "call": 5}
]}
`
	h, err := Read(strings.NewReader(in), ReadOptions{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, h))
	require.Equal(t, in, out.String())
	out.Reset()
	require.NoError(t, WriteJSONL(&out, h))
	require.Equal(t, `{"spec": "queue", "initial": [7], "events": [{"time": 3, "text": "node 3 killed"}]}
{"id": "a", "process": 0, "f": "enq", "arg": 1, "call": -5, "return": 5}
{"process": "w", "f": "deq", "key": "k", "call": 5, "return": 9, "result": [1, {"x": null}]}
{"process": 0, "f": "enq", "arg": true, "call": 5}
`, out.String())
}

// TestWriteRenamesProcesses checks that a process which goes on after an unknown
// outcome is written under two names.
func TestWriteRenamesProcesses(t *testing.T) {
	h, err := Read(
		strings.NewReader("{:process 3 :type :invoke :f :write :value 1}\n{:process 3 :type :info :f :write}\n"+
			"{:process 3 :type :invoke :f :read}\n{:process 3 :type :info :f :read}\n{:process 3 :type :invoke :f "+
			":read}\n{:process 3 :type :ok :f :read :value 1}"), ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 2, h.Pending())
	var out bytes.Buffer
	require.NoError(t, WriteJSONL(&out, h))
	require.Equal(t, `{}
{"process": 3, "f": "write", "arg": 1, "call": 0}
{"process": "3~2", "f": "read", "call": 1}
{"process": "3~3", "f": "read", "call": 2, "return": 3, "result": 1}
`, out.String())
	requireRoundTrip(t, h, "")
}

// TestAbortedTransactionsAreWritten: levels of isolation rest on them.
func TestAbortedTransactionsAreWritten(t *testing.T) {
	const text = `{"spec": "multi-register", "operations": [
  {"process": 0, "f": "txn", "arg": [["w", "x", 1]], "call": 0, "return": 3, "status": "fail"},
  {"process": 1, "f": "txn", "arg": [["r", "x", null]], "result": [["r", "x", 1]], "call": 1, "return": 2}]}`
	h, err := Read(strings.NewReader(text), ReadOptions{})
	require.NoError(t, err)
	for _, write := range []func(io.Writer, *History) error{WriteJSON, WriteJSONL} {
		var out bytes.Buffer
		require.NoError(t, write(&out, h))
		again, err := Read(&out, ReadOptions{})
		require.NoError(t, err)
		require.Len(t, again.Aborted, 1)
		require.Equal(t, h.Values.Format(h.Aborted[0].Arg), again.Values.Format(again.Aborted[0].Arg))
		require.Equal(t, h.Aborted[0].Call, again.Aborted[0].Call)
		require.Len(t, again.Ops, 1)
	}
}

package history

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writers are the two formats that can be written.
var writers = map[string]func(*bytes.Buffer, *History) error{
	"json":  func(w *bytes.Buffer, h *History) error { return WriteJSON(w, h) },
	"jsonl": func(w *bytes.Buffer, h *History) error { return WriteJSONL(w, h) },
}

// requireRoundTrip writes h in both formats, reads it back and compares.
func requireRoundTrip(t *testing.T, h *History, context string) {
	if len(h.Ops) == 0 && len(h.Notes) == 0 {
		return // nothing was left to write
	}
	for name, write := range writers {
		var out bytes.Buffer
		require.NoError(t, write(&out, h), context)
		back, err := Read(bytes.NewReader(out.Bytes()), ReadOptions{})
		require.NoError(t, err, "%s\n%s", context, out.String())
		if len(h.Ops) > 0 {
			require.Equal(t, name, back.Format)
		}
		requireSame(t, h, back, context+"\n"+out.String())
	}
}

// requireSame compares two histories but for the numbers of values and ranks, and
// the names of processes.
func requireSame(t *testing.T, h, back *History, context string) {
	require.Equal(t, h.Spec, back.Spec, context)
	require.Equal(t, h.HasInitial, back.HasInitial, context)
	require.Equal(t, h.Values.Format(h.Initial), back.Values.Format(back.Initial), context)
	require.Len(t, back.Ops, len(h.Ops), context)
	require.Len(t, back.Notes, len(h.Notes), context)
	for i := range h.Notes {
		require.Equal(t, h.Notes[i].Text, back.Notes[i].Text, context)
	}
	at := make([]int32, len(h.Ops)) // operation of h → operation of back
	for i := range back.Ops {
		at[back.Origins[i].Position] = int32(i)
	}
	show := func(h *History, i int32) string {
		o := h.Ops[i]
		key, result := "", "unknown"
		if o.Key != NoKey {
			key = h.Values.Format(o.Key)
		}
		if !o.Unknown {
			result = h.Values.Format(o.Result)
		}
		id := ""
		if h.IDs != nil {
			id = h.IDs[i]
		}
		return fmt.Sprintf("%q %s %s %s %s %v", id, h.Values.Format(o.F), key, h.Values.Format(o.Arg), result, o.Pending())
	}
	for i := range at {
		require.Equal(t, show(h, int32(i)), show(back, at[i]), context)
	}
	inOrder := func(h *History, at func(i int) int32) []int32 {
		return alternation(len(h.Ops), func(i int) (call, ret int32) { return h.Ops[at(i)].Call, h.Ops[at(i)].Return })
	}
	require.Equal(t, inOrder(h, func(i int) int32 { return int32(i) }), inOrder(back, func(i int) int32 { return at[i] }), context)
	var edges []Edge
	for _, e := range h.Edges {
		edges = append(edges, Edge{at[e.Before], at[e.After]})
	}
	slices.SortFunc(edges, compareEdges)
	require.Equal(t, edges, back.Edges, context)
}

// randomHistory is randomRecords with values, names, notes and an initial state.
func randomHistory(rng *rand.Rand) (*History, string, error) {
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
		if r.Status == Returned {
			r.Result = randomValue(rng, b.Values, 2)
			r.Forgotten = rng.IntN(6) == 0
		}
		if ids && rng.IntN(4) > 0 {
			r.ID = fmt.Sprintf("op-%d", i)
		}
		if _, err := b.Add(*r); err != nil {
			return nil, "", err
		}
	}
	for _, e := range edges {
		if err := b.Edge(e[0], e[1], 0); err != nil {
			return nil, "", err
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
	return h, describe(records, edges), err
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
	rounds := 20_000
	if full() {
		rounds = 400_000
	}
	original := 0
	for seed := range uint64(rounds) {
		h, what, err := randomHistory(rand.New(rand.NewPCG(seed, 11)))
		if err != nil {
			continue // cyclic
		}
		if newJSONWriter(io.Discard, h).original() {
			original++
		}
		requireRoundTrip(t, h, fmt.Sprintf("seed %d\n%s", seed, what))
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
	h, err := Read(strings.NewReader("{:process 3 :type :invoke :f :write :value 1}\n{:process 3 :type :info :f :write}\n"+
		"{:process 3 :type :invoke :f :read}\n{:process 3 :type :info :f :read}\n{:process 3 :type :invoke :f :read}\n{:process 3 :type :ok :f :read :value 1}"), ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 2, h.Pending())
	var out bytes.Buffer
	require.NoError(t, WriteJSONL(&out, h))
	require.Equal(t, `{"spec": "register"}
{"process": 3, "f": "write", "arg": 1, "call": 0}
{"process": "3~2", "f": "read", "call": 1}
{"process": "3~3", "f": "read", "call": 2, "return": 3, "result": 1}
`, out.String())
	requireRoundTrip(t, h, "")
}

package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opsOf lists what the operations are: function, key, argument and result.
func opsOf(h *History) (all []string) {
	for i := range h.Ops {
		o := &h.Ops[i]
		f, _ := h.Values.AsString(o.F)
		key := "-"
		if o.Key != NoKey {
			key = h.Values.Format(o.Key)
		}
		all = append(all, strings.Join([]string{f, key, h.Values.Format(o.Arg), h.Values.Format(o.Result)}, " "))
	}
	return all
}

// asJSON asserts that a history means the same as JSON.
func asJSON(t *testing.T, h *History) {
	t.Helper()
	var b strings.Builder
	require.NoError(t, WriteJSON(&b, h))
	again, err := Read(strings.NewReader(b.String()), ReadOptions{})
	require.NoError(t, err, b.String())
	assert.Equal(t, opsOf(h), opsOf(again))
	assert.Equal(t, h.Spec, again.Spec)
	assert.Equal(t, h.HasInitial, again.HasInitial)
	for i := range h.Ops {
		for j := range h.Ops {
			assert.Equal(t, h.Ops[i].Return < h.Ops[j].Call, again.Ops[i].Return < again.Ops[j].Call, "%d %d", i, j)
		}
	}
	assert.Equal(t, len(h.Edges), len(again.Edges))
}

const assigned = "{:process 2 :type :invoke :f :assign :value [\"a\" \"b\"] :seek-to-beginning? true}\n{:process 2 " +
	":type :ok :f :assign :value [\"a\" \"b\"] :seek-to-beginning? true}\n"

// TestStreams: sends are appends, and polls limited reads that go on where the last one ended.
func TestStreams(t *testing.T) {
	sends := [][]string{{"0", "send", `[[:send "a" 1]]`, `[[:send "a" [0 1]]]`}, {"0", "send", `[[:send "a" 2]]`,
		`[[:send "a" [1 2]]]`}}
	appends := []string{`send "a" 1 0`, `send "a" 2 1`}
	poll := func(found string) []string { return []string{"2", "poll", "[[:poll]]", "[[:poll " + found + "]]"} }
	for _, row := range []struct {
		calls [][]string
		then  string // events
		last  [][]string
		want  []string
	}{
		{sends, "", [][]string{poll(`{"a" [[0 1]]}`), poll(`{}`), poll(`{"a" [[1 2]]}`)},
			append(appends[:2:2], `poll "a" [0, 1] [1]`, `poll "a" [1, 1] [2]`)},
		// skipped, and went back: it goes on where it was
		{sends, "", [][]string{poll(`{"a" [[1 2]]}`), poll(`{"a" [[0 1]]}`)},
			append(appends[:2:2], `poll "a" [1, 1] [2]`, `poll "a" [2, 1] [1]`)},
		// from the beginning
		{sends, assigned, [][]string{poll(`{"a" [[1 2]]}`)}, append(appends[:2:2], `poll "a" [0, 1] [2]`)},
		// an assignment, and a poll of unknown outcome, leave it open
		{sends, "", [][]string{poll(`{"a" [[0 1]]}`), {"2", "assign", `["a"]`, `["a"]`}, poll(`{"a" [[0 1] [1 2]]}`)},
			append(appends[:2:2], `poll "a" [0, 1] [1]`, `poll "a" [0, 2] [1, 2]`)},
		{sends, "", [][]string{{"1", "subscribe", `["a"]`, `["a"]`}, poll(`{"a" [[1 2]]}`), poll(`{"a" [[0 1]]}`)},
			append(appends[:2:2], `poll "a" [1, 1] [2]`, `poll "a" [0, 1] [1]`)},
		// several keys, keys that are numbers, and transactions; the offsets of b have a gap
		{[][]string{{"0", "txn", `[[:send 1 7] [:poll] [:send 1 8]]`,
			`[[:send 1 [5 7]] [:poll {1 [[5 7]], 2 [[3 "x"]]}] [:send 1 [9 8]]]`}}, "", nil,
			[]string{`send "1" 7 0`, `poll "1" [0, 1] [7]`, `poll "2" [0, 1] ["x"]`, `send "1" 8 1`}},
		// offsets that are not known: of what a poll found, of what nobody found, and of what
		// never returned
		{[][]string{{"0", "send", `[[:send "a" 1]]`, `[[:send "a" [nil 1]]]`}, {"0", "send", `[[:send "a" 2]]`,
			`[[:send "a" 2]]`}, {"1", "send", `[[:send "a" 3]]`}}, "", [][]string{poll(`{"a" [[4 1]]}`)},
			[]string{`send "a" 1 null`, `send "a" 3 null`, `poll "a" [0, 1] [1]`}},
	} {
		text := jepsen(row.calls...) + row.then + jepsen(row.last...)
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err, text)
		assert.Equal(t, row.want, opsOf(h), text)
		assert.Equal(t, "log", h.Spec)
		assert.Zero(t, h.Failed)
		asJSON(t, h)
	}
}

// TestStreamsByTime: a process's polls go on in the order of their times.
func TestStreamsByTime(t *testing.T) {
	h, err := Read(strings.NewReader(`{"type":"invoke","f":"poll","value":[["poll"]],"process":1,"time":5}
{"type":"ok","f":"poll","value":[["poll",{"a":[[1,8]]}]],"process":1,"time":6}
{"type":"invoke","f":"poll","value":[["poll"]],"process":1,"time":1}
{"type":"ok","f":"poll","value":[["poll",{"a":[[0,7]]}]],"process":1,"time":2}
{"type":"invoke","f":"assign","value":["a"],"process":2,"time":7,"seek-to-beginning?":true}
{"type":"ok","f":"assign","value":["a"],"process":2,"time":8,"seek-to-beginning?":true}
{"type":"invoke","f":"poll","value":[["poll"]],"process":2,"time":9}
{"type":"ok","f":"poll","value":[["poll",{"a":[[1,8]]}]],"process":2,"time":10}
`), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{`poll "a" [0, 1] [7]`, `poll "a" [1, 1] [8]`, `poll "a" [0, 1] [8]`}, opsOf(h))
}

// TestGapsInOffsets: where places are not the offsets, a warning says so.
func TestGapsInOffsets(t *testing.T) {
	h, err := Read(strings.NewReader(jepsen([]string{"0", "send", `[[:send "a" 1]]`, `[[:send "a" [4 1]]]`})),
		ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Warnings, 1)
	assert.Contains(t, h.Warnings[0].Error(), "offsets have gaps")
}

func TestStreamsAreRefused(t *testing.T) {
	for result, want := range map[string]string{
		`[[:poll [1 2]]]`:          "line 1: a poll returns [1, 2], not what it found by key",
		`[[:poll {"a" 3}]]`:        `line 1: a poll returns {"a": 3}, not what it found by key`,
		`[[:poll {"a" [[:x 3]]}]]`: "not what it found by key",
		`[[:poll {}] [:poll {}]]`:  `line 1: it returns [["poll", {}], ["poll", {}]], which are not its sends and polls`,
		`nil`:                      "line 1: it returns null, which are not its sends and polls",
	} {
		_, err := Read(strings.NewReader(jepsen([]string{"0", "poll", "[[:poll]]", result})), ReadOptions{})
		assert.ErrorContains(t, err, want)
	}
	// sends and polls of a queue are no streams
	h, err := Read(strings.NewReader(jepsen([]string{"0", "send", "3", "3"}, []string{"0", "poll", "nil", "3"})),
		ReadOptions{})
	require.NoError(t, err)
	assert.Empty(t, h.Spec)
}

// TestWatches: writes are appends, and a watch goes on where the process stopped.
func TestWatches(t *testing.T) {
	h, err := Read(strings.NewReader(jepsen([]string{"0", "write", "1", "1"},
		[]string{"1", "watch", "nil", "{:revision 2, :events [{:type :put}], :log [1]}"}, []string{"0", "write", "2"},
		[]string{"1", "final-watch", "nil", "{:revision 3, :log (2)}"}, []string{"2", "watch", "nil", "[]"},
		[]string{"2", "watch", "nil"})), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{`append - 1 null`, `read - [0, 1] [1]`, `append - 2 null`, `read - [1, 1] [2]`,
		`read - [0, 0] []`, `read - null null`}, opsOf(h))
	assert.Equal(t, "log", h.Spec)
	asJSON(t, h)
	for _, result := range []string{"nil", "{:revision 3}", "7"} {
		_, err = Read(strings.NewReader(jepsen([]string{"1", "watch", "nil", result})), ReadOptions{})
		assert.ErrorContains(t, err, "line 1: a watch returns ", result)
		assert.ErrorContains(t, err, "which has no list of the values that it saw", result)
	}
}

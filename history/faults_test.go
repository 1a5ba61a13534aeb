package history

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reports is a history with events of the nemesis before the read of every operation: one event for
// each function, at times 0, 2, 4 and so on.
func reports(t *testing.T, functions ...string) []Note {
	t.Helper()
	var text strings.Builder
	for _, f := range functions {
		text.WriteString("{:process :nemesis, :type :info, :f " + f +
			", :value nil}\n{:process 0, :type :invoke, :f :read, :value nil}\n{:process 0, :type :ok, :f :read, " +
			":value 1}\n")
	}
	h, err := Read(strings.NewReader(text.String()), ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Notes, len(functions))
	for i, n := range h.Notes {
		assert.Equal(t, ":nemesis", n.Process)
		assert.Equal(t, functions[i], n.Text)
		assert.EqualValues(t, 2*i, n.Time)
	}
	return h.Notes
}

func TestFaultsOfTheNemesisAreSpans(t *testing.T) {
	for _, row := range []struct {
		functions []string
		spans     map[int]int // the note at which a fault begins, and the one at which it ends
	}{
		{[]string{":start", ":stop"}, map[int]int{0: 1}},
		// invocations and completions
		{[]string{":start", ":start", ":stop", ":stop"}, map[int]int{0: 3}},
		{[]string{":start-partition", ":kill", ":stop-partition", ":start"}, map[int]int{0: 2, 1: 3}},
		{[]string{":kill", ":kill", ":start", ":start", ":start", ":stop"}, map[int]int{0: 4}},
		{[]string{":kill", ":start", ":start-partition", ":start", ":stop"}, map[int]int{0: 1, 3: 4}},
		{[]string{":pause-db", ":resume-db", ":pause-db", ":resume-db"}, map[int]int{0: 1, 2: 3}},
		{[]string{":stop", ":resume", ":kill", ":bump-clock"}, nil},
	} {
		notes := reports(t, row.functions...)
		for i, n := range notes {
			want := n.Time
			if end, ok := row.spans[i]; ok {
				want = notes[end].Time
			}
			assert.Equal(t, want, n.End, "%v, note %d", row.functions, i)
		}
	}
}

const annotated = `{"spec": "register", "operations": [
 {"process": 0, "f": "write", "arg": 1, "call": 0, "return": 10},
 {"process": 1, "f": "read", "call": 20, "return": 30, "result": 1}],
 "events": [{"time": 5, "end": 25, "process": "nemesis", "text": "partition", "details": "n1 | n2", "color": "#fff", "background": "#a00"},
  {"time": 7, "text": "compaction"}]}`

// TestNotesAreWritten: all of a note, in both formats, and after a merge.
func TestNotesAreWritten(t *testing.T) {
	h, err := Read(strings.NewReader(annotated), ReadOptions{})
	require.NoError(t, err)
	want := []Note{{Time: 5, End: 25, Process: "nemesis", Text: "partition", Details: "n1 | n2", Color: "#fff",
		Background: "#a00"}, {Time: 7, End: 7, Text: "compaction"}}
	assert.Equal(t, want, h.Notes)
	var lines bytes.Buffer
	require.NoError(t, WriteJSONL(&lines, h))
	again, err := Read(&lines, ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, again.Notes)
}

func TestNotesAreRefused(t *testing.T) {
	for event, what := range map[string]string{
		`{"time": 5, "end": 4, "text": "x"}`:    "ends at 4, before its time 5",
		`{"time": 5, "details": 4, "text": ""}`: "details",
		`{"time": 5, "end": "6", "text": ""}`:   "end",
	} {
		_, err := Read(strings.NewReader(`{"operations": [], "events": [`+event+`]}`), ReadOptions{})
		assert.ErrorContains(t, err, what, event)
	}
}

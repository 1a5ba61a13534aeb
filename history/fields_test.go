package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history/internal/lex"
)

// TestUnknownFields checks which fields are warned of, where, and which name is suggested.
func TestUnknownFields(t *testing.T) {
	const op = `"process": 0, "f": "deq", "call": 0, "return": 1, "result": 3`
	for _, row := range []struct{ name, in, what, hint string }{
		{"header", `{"spec": "queue", "inital": [3]}` + "\n{" + op + "}",
			`f:1: the header has an unknown field "inital", which is ignored`, `did you mean "initial"?`},
		{"header with a field of operations", `{"spec": "queue", "arg": 3}` + "\n{" + op + "}",
			`f:1: the header has an unknown field "arg"`, "its fields are spec, initial, order, events"},
		{"whole", `{"spec": "queue", "edges": [], "operations": [{` + op + `}]}`,
			`f:1: the header has an unknown field "edges"`, `did you mean "order"?`},
		{"operation", `{"spec": "queue"}` + "\n{" + op + `, "Result": 4}`,
			`f:2: an operation has an unknown field "Result"`, `did you mean "result"?`},
		{"first operation", "{" + op + `, "retval": 4}`, `f:1: an operation has an unknown field "retval"`,
			`did you mean "result"?`},
		{"unlike anything", "{" + op + `, "zone": 4}`, `f:1: an operation has an unknown field "zone"`,
			"its fields are process, f"},
		{"arg", "{" + op + `, "input": 4}`, `f:1: an operation has an unknown field "input"`, `did you mean "arg"?`},
		{"typo", "{" + op + `, "retrun": 4}`, `f:1: an operation has an unknown field "retrun"`,
			`did you mean "return"?`},
		{"event", `{"events": [{"time": 1, "message": "x"}], "operations": [{` + op + `}]}`,
			`f:1: an event has an unknown field "message"`, `did you mean "text"?`},
	} {
		t.Run(row.name, func(t *testing.T) {
			h, err := Read(strings.NewReader(row.in), ReadOptions{Name: "f"})
			require.NoError(t, err)
			require.Len(t, h.Warnings, 1)
			assert.True(t, strings.HasPrefix(h.Warnings[0].Error(), row.what), "%s", h.Warnings[0])
			assert.Contains(t, h.Warnings[0].Hint, row.hint)
			h, err = Read(strings.NewReader(row.in), ReadOptions{Name: "f", Strict: true})
			assert.Nil(t, h)
			assert.EqualError(t, err, firstWarning(row.in))
		})
	}
}

// firstWarning is the first warning about an input.
func firstWarning(in string) string {
	h, err := Read(strings.NewReader(in), ReadOptions{Name: "f"})
	if err != nil {
		return err.Error()
	}
	return h.Warnings[0].Error()
}

// TestNoUnknownFields: known fields are not warned of, and a name is warned of once.
func TestNoUnknownFields(t *testing.T) {
	h, err := Read(
		strings.NewReader(
			`{"spec": "queue", "initial": [1], "order": [[0, 1]], "events": [{"time": 0, "text": "x"}], "operations": [
		{"process": 0, "f": "enq", "key": 1, "arg": 1, "call": 0, "return": 1, "id": "a", "status": "ok", "forgotten": false},
		{"process": 0, "f": "deq", "key": 1, "call": 2, "return": 3, "result": 1}]}`), ReadOptions{Strict: true})
	require.NoError(t, err)
	assert.Empty(t, h.Warnings)
	assert.True(t, h.Ops[0].NoResult)
	assert.False(t, h.Ops[1].NoResult)
	h, err = Read(
		strings.NewReader(strings.Repeat(`{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 0, "a": 1, "b": 1}`+
			"\n", 50)), ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Warnings, 2)
}

func TestHintsNameTheNearestField(t *testing.T) {
	for name, want := range map[string]string{"value": "result", "ret": "result", "Return_Value": "result",
		"retrun": "return", "proc": "process", "thread-id": "process",
		"Call": "call", "op": "f", "argument": "arg", "k": "key", "node": "", "index": "", "x": "", "": "",
		"rseult": "result"} {
		assert.Equal(t, want, lex.Nearest(name, lex.OperationFields), name)
	}
}

// TestNilReads checks the meaning of reads of nil by format and by option.
func TestNilReads(t *testing.T) {
	const edn = "{:process 0 :type :invoke :f :read :value nil}\n{:process 0 :type :ok :f :read :value nil}\n"
	const log = "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 0\t:ok\t:read\tnil\n"
	const own = `{"process": 0, "f": "read", "call": 0, "return": 1, "result": null}`
	for _, row := range []struct {
		name, in string
		mean     string
		unknown  bool
	}{
		{"edn", edn, "", true}, {"edn", edn, "null", false}, {"edn", edn, "unknown", true},
		{"log", log, "", true}, {"log", log, "null", false},
		{"own", own, "", false}, {"own", own, "unknown", true}, {"own", own, "null", false},
		{"of another function", strings.ReplaceAll(edn, ":read", ":dequeue"), "unknown", false},
		{"of a value", strings.Replace(edn, ":ok :f :read :value nil", ":ok :f :read :value 0", 1), "unknown", false},
	} {
		h, err := Read(strings.NewReader(row.in), ReadOptions{NilReads: row.mean})
		require.NoError(t, err)
		assert.Equal(t, row.unknown, h.Ops[0].Unknown, "%s, %q", row.name, row.mean)
		assert.Equal(t, b2i(row.unknown), int(h.NilReads))
		assert.False(t, h.Ops[0].NoResult)
		requireRoundTrip(t, h, row.name)
	}
	_, err := Read(strings.NewReader(edn), ReadOptions{NilReads: "maybe"})
	assert.EqualError(t, err, `unknown meaning of nil reads "maybe"`)
}

// TestUnstatedResults: an event without a value states no result, and neither does a bare return of
// a call with an argument.
func TestUnstatedResults(t *testing.T) {
	for _, row := range []struct {
		name, in string
		want     bool
	}{
		{"no :value", "{:process 0 :type :invoke :f :dequeue}\n{:process 0 :type :ok :f :dequeue}", true},
		{":value nil", "{:process 0 :type :invoke :f :dequeue}\n{:process 0 :type :ok :f :dequeue :value nil}", false},
		{"write", "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}", true},
		{"enqueue", "{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 0 :type :ok :f :enqueue :value 1}",
			true},
		{"cas", "{:process 0 :type :invoke :f :cas :value [1 2]}\n{:process 0 :type :ok :f :cas}", false},
		{"text without a value", "INFO  jepsen.util - 0\t:invoke\t:read\nINFO  jepsen.util - 0\t:ok\t:read\n", true},
		{"text with a value", "INFO  jepsen.util - 0\t:invoke\t:read\nINFO  jepsen.util - 0\t:ok\t:read\t1\n", false},
		{"violin push", "[1] call push(1)\n[1] return", true},
		{"LiMo's pop of nothing", "[1] call pop\n[1] return", false},
		{"violin pop of nothing", "[1] call pop\n[1] return empty", false},
		{"fastlin insertion", "# queue\nenq 1 0 1\n", true},
		{"fastlin removal", "# queue\ndeq -1 0 1\n", false},
	} {
		h, err := Read(strings.NewReader(row.in), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, row.want, h.Ops[0].NoResult, row.name)
	}
}

package specs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// events writes a history of Jepsen's, one operation after the other: each is a function, what it
// was given, and what it gave.
func events(t *testing.T, ops ...string) *history.History {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(ops); i += 3 {
		fmt.Fprintf(&b, "{:process 0 :type :invoke :f %s :value %s}\n{:process 0 :type :ok :f %s :value %s}\n", ops[i],
			ops[i+1], ops[i], ops[i+2])
	}
	h, err := history.Read(strings.NewReader(b.String()), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// What is recognised, from which functions, and what else would fit.
func TestRecognise(t *testing.T) {
	for _, row := range []struct {
		ops    []string
		spec   string
		others []string
	}{
		{[]string{":write", "1", "1", ":read", "nil", "1"}, "register", nil},
		{[]string{":write", "1", "1", ":cas", "[1 2]", "[1 2]"}, "cas-register", nil},
		{[]string{":add", "1", "1", ":read", "nil", "[1]"}, "set", []string{"log"}},
		{[]string{":add", "1", "1", ":read", "nil", "#{1}"}, "set", []string{"log"}},
		{[]string{":add", "1", "1", ":read", "nil", "1"}, "counter", nil},
		{[]string{":increment", "nil", "nil", ":read", "nil", "1"}, "counter", nil},
		{[]string{":acquire", "nil", "nil", ":release", "nil", "nil"}, "mutex",
			[]string{"owned-mutex", "reentrant-mutex", "fenced-mutex", "rwmutex", "semaphore"}},
		{[]string{":acquire", "nil", "17", ":release", "nil", "nil"}, "fenced-mutex",
			[]string{"owned-mutex", "reentrant-mutex"}},
		{[]string{":lock", "nil", "nil", ":unlock", "nil", "nil"}, "mutex", []string{"owned-mutex", "reentrant-mutex",
			"fenced-mutex", "rwmutex", "semaphore"}},
		{[]string{":enqueue", "1", "1", ":dequeue", "nil", "1", ":drain", "nil", "[]"}, "queue",
			[]string{"unordered-queue", "bounded-queue", "priority-queue"}},
		{[]string{":push", "1", "1", ":pop", "nil", "1"}, "stack", []string{"queue", "unordered-queue", "bounded-queue",
			"priority-queue"}},
		{[]string{":txn", "[[:r :x nil] [:w :y 2]]", "[[:r :x nil] [:w :y 2]]"}, "multi-register", nil},
		{[]string{":write", "{:x 1}", "{:x 1}", ":read", "{:x nil}", "{:x 1}"}, "multi-register",
			[]string{"register", "cas-register"}},
		{[]string{":transfer", "{:from 0 :to 1 :amount 2}", "nil", ":read", "nil", "{0 3 1 4}"}, "bank", nil},
		{[]string{":append", "1", "1", ":read", "nil", "[1]"}, "log", nil},
		{[]string{":generate", "nil", "17", ":generate", "nil", "\"a\""}, "unique-ids", nil},
		{[]string{":popback", "nil", "1"}, "deque", nil}, // nothing else has it
	} {
		g, err := specs.Recognise(events(t, row.ops...))
		if !assert.NoError(t, err, "%v", row.ops) {
			continue
		}
		assert.Equal(t, row.spec, g.Spec.Info().Name, "%v", row.ops)
		assert.Equal(t, row.others, g.Others, "%v", row.ops)
		assert.True(t, slices.IsSorted(g.From) && len(g.From) > 0, "%v: from %v", row.ops, g.From)
	}
}

// What is not recognised says which functions there are, what fits, and what is missing.
func TestRecogniseRefuses(t *testing.T) {
	for _, row := range []struct {
		ops        []string
		what, hint string
	}{
		{[]string{":read", "nil", "1"}, "reads alone do not show it: read",
			"--spec register: register, cas-register, counter"},
		{[]string{":add", "1", "1", ":read", "nil", "nil"}, "fit several: add, read", "counter"},
		{[]string{":put", "1", "1", ":get", "nil", "1"}, "fit several: get, put", "register, cas-register, queue"},
		{[]string{":add", "1", "1", ":frob", "1", "1"}, "inferred from its operations: add, frob", "set lacks frob"},
		{[]string{":acquire", "nil", "17", ":frob", "1", "1"}, "inferred from its operations: acquire, frob",
			"mutex lacks frob"},
		{[]string{":txn", "[[:append 1 2] [:r 1 nil]]", "[[:append 1 2] [:r 1 [2]]]"}, "appends to lists",
			"--consistency LEVEL"},
	} {
		_, err := specs.Recognise(events(t, row.ops...))
		var e *history.Error
		if assert.ErrorAs(t, err, &e, "%v", row.ops) {
			assert.Contains(t, e.What, row.what)
			assert.Contains(t, e.Hint, row.hint)
		}
	}
}

// An input whose writes all failed is recognised by their names, and nothing is said of one without
// operations.
func TestRecogniseFailed(t *testing.T) {
	h, err := history.Read(
		strings.NewReader(`{:process 0 :type :invoke :f :write :value 1} {:process 0 :type :fail :f :write :value 1}
		{:process 0 :type :invoke :f :read :value nil} {:process 0 :type :ok :f :read :value nil}`),
		history.ReadOptions{})
	require.NoError(t, err)
	g, err := specs.Recognise(h)
	require.NoError(t, err)
	assert.Equal(t, "register", g.Spec.Info().Name)
	assert.Equal(t, []string{"read", "write"}, g.From)

	h, err = history.Read(strings.NewReader(`{:process :nemesis :type :info :f :kill :value nil}`),
		history.ReadOptions{})
	require.NoError(t, err)
	g, err = specs.Recognise(h)
	require.NoError(t, err)
	assert.Empty(t, g.From)
}

// The files of the readers' tests, and of the corpora where LINSAT_CORPORA names them.
func TestRecogniseFiles(t *testing.T) {
	rows := map[string][]string{}
	for file, name := range map[string]string{"register.edn": "cas-register", "queue.edn": "queue",
		"independent.edn": "cas-register", "mutex.edn": "mutex",
		"kv.txt": "kv", "register.log": "cas-register", "register.fressian": "register", "queue-jepsen.log": "queue",
		"register-events.json": "register", "queue-events.jsonl": "queue", "kv-porcupine.json": "kv",
		"tuples.edn": "register", "txn-reads.edn": "multi-register"} {
		rows[filepath.Join("..", "..", "history", "testdata", "samples", file)] = []string{name}
	}
	if dir, ok := testenv.RecordedIfAny(); ok {
		for pattern, names := range map[string][]string{"porcupine/jepsen/*": {"cas-register"},
			"porcupine/kv/*": {"kv"}, "knossos/*/*/*": {"register", "cas-register", "mutex"}} {
			files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
			require.NoError(t, err)
			for _, file := range files {
				if info, err := os.Stat(file); err == nil && info.Size() > 0 { // etcd_095 is empty
					rows[file] = names
				}
			}
		}
	}
	for file, names := range rows {
		h, err := history.ReadFile(file, history.ReadOptions{})
		require.NoError(t, err)
		g, err := specs.Recognise(h)
		if assert.NoError(t, err, file) {
			assert.Contains(t, names, g.Spec.Info().Name, file)
		}
	}
}

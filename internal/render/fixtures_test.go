package render

import (
	"path/filepath"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/require"
)

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testenv.Golden(t, filepath.Join("testdata", name), got)
}

func pictured(t *testing.T, h *history.History, options ...linsat.Option) *picture.Picture {
	t.Helper()
	run := wordstest.Checked(t, h, options...)
	return picture.New(run, picture.FailureHighlight(&run.Result))
}

// staleRead is not linearizable: the read of 1 begins after 2 was written.
const staleRead = `{"spec": "register", "operations": [
 {"process": "writer", "f": "write", "arg": 1, "call": 0, "return": 10},
 {"process": "writer", "f": "write", "arg": 2, "call": 20, "return": 30},
 {"process": "reader", "f": "read", "call": 40, "return": 60, "result": 1},
 {"process": "other", "f": "write", "arg": 3, "call": 45},
 {"process": "writer", "f": "read", "call": 70, "return": 80, "result": 2}],
 "events": [{"time": 35, "text": "partition"}, {"time": 65, "text": "healed"}]}`

const queueWithNotes = `{"spec": "queue", "operations": [
 {"process": "writer", "f": "enq", "arg": 1, "call": 100, "return": 250},
 {"process": "writer", "f": "enq", "arg": 2, "call": 300, "return": 420},
 {"process": "a", "f": "deq", "call": 150, "return": 330, "result": 1},
 {"process": "a", "f": "deq", "call": 340, "return": 500, "result": 2},
 {"process": "b", "f": "deq", "call": 120, "return": 200, "result": null},
 {"process": "b", "f": "enq", "arg": 3, "call": 320},
 {"process": "writer", "f": "enq", "arg": 4, "call": 600, "return": 700},
 {"process": "a", "f": "deq", "call": 610, "return": 900, "result": 4}],
 "events": [{"time": 310, "text": "node 2 killed"}, {"time": 315, "text": "partition 1 | 2 3"}]}`

// severalKeys has three keys that are not linearizable, for different reasons, and one that is.
const severalKeys = `{"spec": "register", "operations": [
 {"process": 0, "key": "x", "f": "write", "arg": 1, "call": 0, "return": 1},
 {"process": 0, "key": "x", "f": "write", "arg": 2, "call": 2, "return": 3},
 {"process": 1, "key": "x", "f": "read", "result": 1, "call": 4, "return": 5},
 {"process": 10, "key": "y", "f": "read", "result": 2, "call": 2, "return": 3},
 {"process": 2, "key": "z", "f": "write", "arg": 3, "call": 4, "return": 7},
 {"process": 3, "key": "z", "f": "read", "result": 3, "call": 5, "return": 6},
 {"process": 4, "key": "z", "f": "write", "arg": 4, "call": 8, "return": 9},
 {"process": 3, "key": "z", "f": "read", "result": 3, "call": 10, "return": 11},
 {"process": 5, "key": "w", "f": "write", "arg": 3, "call": 4, "return": 5}]}`

// withEvents has events of two processes, some with a span and colors.
const withEvents = `{"spec": "register", "operations": [
 {"process": 0, "f": "write", "arg": 1, "call": 0, "return": 10},
 {"process": 1, "f": "write", "arg": 2, "call": 20, "return": 30},
 {"process": 2, "f": "read", "call": 40, "return": 60, "result": 1},
 {"process": 0, "f": "read", "call": 70, "return": 80, "result": 2}],
 "events": [
 {"time": 15, "end": 65, "process": "nemesis", "text": "partition", "details": "n1 n2 | n3", "color": "#ffffff", "background": "#a02020"},
 {"time": 15, "process": "nemesis", "text": ":start-partition"},
 {"time": 65, "process": "nemesis", "text": ":stop-partition"},
 {"time": 5, "end": 25, "process": "clock", "text": "skewed by 2 s", "background": "khaki"},
 {"time": 35, "text": "compaction", "background": "url(javascript:alert(1))", "color": "red;x"},
 {"time": 36, "text": "<b>bold</b>", "details": "</script><script>alert(1)</script>"},
 {"time": 90, "text": "end of the test"}]}`

// shortBank, lostElement and openCas are violations of which the page shows a table.
const (
	shortBank = `{"spec": "bank", "initial": {"a": 10, "b": 10}, "operations": [
 {"process": 0, "f": "transfer", "arg": {"from": "a", "to": "b", "amount": 4}, "call": 0, "return": 1},
 {"process": 2, "f": "read", "call": 2, "return": 3, "result": {"a": 8, "b": 12}}]}`
	lostElement = `{"spec": "set", "operations": [
 {"process": 0, "f": "add", "arg": 1, "call": 0, "return": 1},
 {"process": 1, "f": "add", "arg": 2, "call": 2, "return": 3},
 {"process": 2, "f": "read", "call": 4, "return": 5, "result": [2]}]}`
	openCas = `{"spec": "cas-register", "operations": [
 {"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
 {"process": 1, "f": "cas", "arg": [1, 2], "call": 2},
 {"process": 0, "f": "read", "result": 2, "call": 3, "return": 4},
 {"process": 0, "f": "read", "result": 1, "call": 5, "return": 6}]}`
)

// fixed are the histories of the golden files.
func fixed(t *testing.T) map[string]*picture.Picture {
	t.Helper()
	example, err := history.ReadFile(filepath.Join("..", "..", "examples", "histories", "stale-read.json"),
		history.ReadOptions{})
	require.NoError(t, err)
	relaxed, err := gen.Generate(gen.Options{Spec: "queue", Operations: 24, Relax: 1, Seed: 5})
	require.NoError(t, err)
	core := wordstest.Parse(t, `{"spec": "queue", "operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 1, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 2, "f": "deq", "call": 4, "return": 5, "result": 2},
		{"process": 0, "f": "deq", "call": 6, "return": 7, "result": 1}]}`)
	run := wordstest.Checked(t, core)
	hl := picture.FailureHighlight(&run.Result)
	hl.Operations, hl.Edges = []history.OpID{0, 1, 2, 3}, [][2]history.OpID{{0, 1}, {2, 3}}
	hl.Sentences = []string{"enq 1 (#0) returned before enq 2 (#1) was called, so deq → 1 (#3) comes before deq → 2 " +
		"(#2)."}
	return map[string]*picture.Picture{
		"stale": pictured(t, wordstest.Parse(t, staleRead)), "notes": pictured(t, wordstest.Parse(t, queueWithNotes)),
		"example": pictured(t, example),
		"quasi":   pictured(t, relaxed.History, wordstest.Slots(t, "1")), "core": picture.New(run, hl),
	}
}

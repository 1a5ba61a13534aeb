package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUncheckedOperations draws operations with "check": false, and keeps the order that they
// imply.
func TestUncheckedOperations(t *testing.T) {
	h, err := Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 9, "id": "w"},
		{"process": 1, "f": "stats", "key": "x", "result": {"a": 1}, "call": 1, "return": 2, "check": false, "id": "s"},
		{"process": 2, "f": "stats", "call": 3, "check": false},
		{"process": 1, "f": "read", "result": 1, "call": 4, "return": 5, "check": true, "id": "r"}],
		"order": [["w", "s"], ["s", "r"]]}`), ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Ops, 2)
	assert.Zero(t, h.Failed)
	assert.Empty(t, h.FailedF)
	assert.Empty(t, h.Warnings)
	assert.Less(t, h.Ops[0].Return, h.Ops[1].Call)
	assert.Equal(t, []Note{
		{Time: 1, End: 2, Process: "1", Text: "stats (not checked)", Details: `key "x", result {"a": 1}`},
		{Time: 3, End: 3, Process: "2", Text: "stats (not checked)"},
	}, h.Notes)

	_, err = Read(strings.NewReader(`{"operations": [{"process": 0, "f": "read", "call": 0, "check": 1}]}`),
		ReadOptions{Name: "f"})
	assert.EqualError(t, err, `f:1: operation 0: "check" is not true or false`)
}

// TestJSONEventsWithoutFunction recognises transactions without a function.
func TestJSONEventsWithoutFunction(t *testing.T) {
	h, err := Read(
		strings.NewReader(
			`[{"process":0,"type":"invoke","value":[["w",1,2]]},{"process":0,"type":"ok","value":[["w",1,2]]}]`),
		ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{`0 txn [["w", 1, 2]] → null [0 1]`}, List(h))
}

package history_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/require"
)

func readText(text string) (*history.History, error) {
	return history.Read(strings.NewReader(text), history.ReadOptions{})
}

// A deadline orders a pending operation before the first that are called after it on its object.
func TestDeadline(t *testing.T) {
	h, err := readText(`{"spec": "kv", "operations": [
		{"process": 0, "f": "put", "key": "x", "arg": 1, "call": 0, "by": 10},
		{"process": 1, "f": "get", "key": "x", "call": 5, "return": 20, "result": null},
		{"process": 2, "f": "get", "key": "y", "call": 11, "return": 12, "result": null},
		{"process": 3, "f": "get", "key": "x", "call": 13, "return": 14, "result": 1},
		{"process": 4, "f": "get", "key": "x", "call": 13, "return": 21, "result": 1},
		{"process": 5, "f": "get", "key": "x", "call": 15, "return": 16, "result": 1},
		{"process": 6, "f": "put", "key": "x", "arg": 2, "call": 9, "status": "fail", "by": 3}]}`)
	require.NoError(t, err)
	require.Equal(t, []history.Edge{{Before: 0, After: 3}, {Before: 0, After: 4}}, h.Edges)

	var b strings.Builder
	require.NoError(t, history.WriteJSON(&b, h))
	again, err := readText(b.String())
	require.NoError(t, err)
	require.Equal(t, h.Edges, again.Edges, "it is written as the order that it makes")
}

// Deadlines in many lines, which are read in blocks side by side.
func TestDeadlinesInBlocks(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		by := ""
		if i%2_000 == 1_000 {
			by = `, "status": "info", "by": ` + strconv.Itoa(i*10+5)
		}
		fmt.Fprintf(&b, `{"process": %d, "f": "write", "arg": %d, "call": %d, "return": %d%s}`+"\n", i, i, i*10, i*10+3, by)
	}
	h, err := readText(b.String())
	require.NoError(t, err)
	require.Len(t, h.Edges, 30)
	for k, e := range h.Edges {
		require.Equal(t, history.OpID(k*2_000+1_000), e.Before)
		require.Equal(t, e.Before+1, e.After)
	}
}

func TestDeadlinesThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		`{"process": 0, "f": "read", "call": 0, "return": 3, "result": 1, "by": 10}`: `has a deadline ("by")`,
		`{"process": 0, "f": "write", "arg": 1, "call": 7, "by": 6}`:                 `after its deadline ("by") at 6`,
		`{"process": 0, "f": "write", "arg": 1, "call": 7, "by": "noon"}`:            `"by" is a string, not an integer`,
	} {
		_, err := readText(text + "\n")
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, history.NewBuilder().Expire(3, 1), "operation 3, but there are 0")
}

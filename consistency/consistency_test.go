package consistency_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/consistency"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

// A replica that is behind: b reads x without what a wrote before, and then sees it.
const behind = `{"spec": "kv", "operations": [
	{"process": "a", "f": "put", "key": "x", "arg": 1, "call": 0, "return": 1},
	{"process": "b", "f": "get", "key": "x", "result": null, "call": 2, "return": 3},
	{"process": "b", "f": "get", "key": "x", "result": 1, "call": 4, "return": 5}]}`

func ExampleCheck() {
	h, _ := history.Read(strings.NewReader(behind), history.ReadOptions{})
	for _, question := range []string{"linearizable", "sequential", "causal"} {
		r, _ := consistency.Check(context.Background(), spec.MustLookup("kv"), h, question)
		fmt.Println(question, r.Holds, r.Certified)
	}
	// Output:
	// linearizable false true
	// sequential true true
	// causal true true
}

func TestCheck(t *testing.T) {
	ctx := context.Background()
	h := read(t, behind)
	_, err := consistency.Check(ctx, spec.MustLookup("kv"), h, "eventual")
	require.ErrorIs(t, err, linsat.ErrOption)
	_, err = consistency.Check(ctx, nil, h, "causal")
	require.ErrorIs(t, err, linsat.ErrOption)
	_, err = consistency.Check(ctx, spec.MustLookup("kv"), nil, "causal")
	require.ErrorIs(t, err, linsat.ErrOption)
	queue := read(t, `{"operations": [{"f": "enq", "arg": 1, "process": 0, "call": 0, "return": 1}]}`)
	_, err = consistency.Check(ctx, spec.MustLookup("queue"), queue, "monotonic-reads")
	require.ErrorIs(t, err, linsat.ErrOption)
	require.ErrorContains(t, err, "these operations support linearizable, ")
	var r *consistency.Answer
	for _, question := range []string{"sequential", "causal", "weakly-causal"} {
		r, err = consistency.Check(ctx, spec.MustLookup("queue"), queue, question)
		require.NoError(t, err)
		require.True(t, r.Holds && r.Certified)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	r, err = consistency.Check(done, spec.MustLookup("kv"), h, "causal")
	require.NoError(t, err)
	require.True(t, !r.Decided || r.Holds)
}

func read(t *testing.T, text string) *history.History {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

package linsat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

// A replica that is behind: b reads x without what a wrote before, and then sees it.
const behind = `{"spec": "kv", "operations": [
	{"process": "a", "f": "put", "key": "x", "arg": 1, "call": 0, "return": 1},
	{"process": "b", "f": "get", "key": "x", "result": null, "call": 2, "return": 3},
	{"process": "b", "f": "get", "key": "x", "result": 1, "call": 4, "return": 5}]}`

func ExampleCheckConsistency() {
	h, _ := history.Read(strings.NewReader(behind), history.ReadOptions{})
	for _, question := range []string{"linearizable", "sequential", "causal"} {
		r, _ := linsat.CheckConsistency(context.Background(), spec.MustLookup("kv"), h, question)
		fmt.Println(question, r.Holds, r.Certified)
	}
	// Output:
	// linearizable false true
	// sequential true true
	// causal true true
}

func TestCheckConsistency(t *testing.T) {
	ctx := context.Background()
	h := readHistory(t, behind)
	_, err := linsat.CheckConsistency(ctx, spec.MustLookup("kv"), h, "eventual")
	require.ErrorIs(t, err, linsat.ErrOption)
	_, err = linsat.CheckConsistency(ctx, nil, h, "causal")
	require.ErrorIs(t, err, linsat.ErrOption)
	_, err = linsat.CheckConsistency(ctx, spec.MustLookup("kv"), nil, "causal")
	require.ErrorIs(t, err, linsat.ErrOption)
	queue := readHistory(t, `{"operations": [{"f": "enq", "arg": 1, "process": 0, "call": 0, "return": 1}]}`)
	_, err = linsat.CheckConsistency(ctx, spec.MustLookup("queue"), queue, "causal")
	require.ErrorIs(t, err, linsat.ErrOption)
	require.ErrorContains(t, err, "these operations support linearizable, ")
	r, err := linsat.CheckConsistency(ctx, spec.MustLookup("queue"), queue, "sequential")
	require.NoError(t, err)
	require.True(t, r.Holds && r.Certified)
	done, cancel := context.WithCancel(ctx)
	cancel()
	r, err = linsat.CheckConsistency(done, spec.MustLookup("kv"), h, "causal")
	require.NoError(t, err)
	require.True(t, !r.Decided || r.Holds)
}

package consistency_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/consistency"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen/txns"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two transactions each read what the other one writes, and do not see it.
const writeSkew = `{"operations": [
	{"process": 0, "f": "txn", "arg": [["r", "x", null], ["w", "y", 1]], "result": [["r", "x", null], ["w", "y", 1]], "call": 0, "return": 3},
	{"process": 1, "f": "txn", "arg": [["r", "y", null], ["w", "x", 1]], "result": [["r", "y", null], ["w", "x", 1]], "call": 1, "return": 2}]}`

func ExampleCheckIsolation() {
	h, _ := history.Read(strings.NewReader(writeSkew), history.ReadOptions{})
	for _, level := range []string{"snapshot-isolation", "serializable"} {
		r, _ := consistency.CheckIsolation(context.Background(), h, level)
		fmt.Println(level, r.Holds, r.Certified)
	}
	// Output:
	// snapshot-isolation true true
	// serializable false true
}

func TestCheckIsolation(t *testing.T) {
	h, err := history.Read(strings.NewReader(writeSkew), history.ReadOptions{})
	require.NoError(t, err)
	_, err = consistency.CheckIsolation(context.Background(), h, "sequential")
	require.ErrorIs(t, err, linsat.ErrOption)
	queue, err := history.Read(strings.NewReader(
		`{"operations": [{"f": "enq", "arg": 1, "process": 0, "call": 0, "return": 1}]}`), history.ReadOptions{})
	require.NoError(t, err)
	var bad *history.Error
	_, err = consistency.CheckIsolation(context.Background(), queue, "serializable")
	require.ErrorAs(t, err, &bad)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := consistency.CheckIsolation(done, h, "snapshot-isolation")
	require.NoError(t, err)
	assert.True(t, !r.Decided || r.Holds)
}

// step is a read of an object, or a write or an append.
type step struct {
	does   string // "r", "w" or "append"
	object string
	value  any
}

// transactions says what transactions of one's own type are.
var transactions = linsat.Model[struct{}, []step, []any]{
	As: &linsat.As[[]step, []any]{
		Spec: spec.MustLookup("multi-register"),
		Operation: func(in []step) (f string, key, arg any) {
			return "txn", nil, micro(in, nil)
		},
		Result: func(in []step, out []any) any { return micro(in, out) },
	},
}

// micro lists steps as [f, object, value]; out are the values of the reads.
func micro(in []step, out []any) (all []any) {
	for _, s := range in {
		if s.does == "r" && len(out) > 0 {
			s.value, out = out[0], out[1:]
		}
		all = append(all, []any{s.does, s.object, s.value})
	}
	return all
}

func ExampleModel_Prepare_transactions() {
	_, h, _ := transactions.Prepare([]linsat.Op[[]step, []any]{
		{Client: 0, Call: 0, Return: 3, Input: []step{{"r", "x", nil}, {"append", "y", 1}}, Output: []any{[]any{}}},
		{Client: 1, Call: 1, Return: 2, Input: []step{{"r", "y", nil}, {"append", "x", 1}}, Output: []any{[]any{}}},
	})
	for _, level := range []string{"snapshot-isolation", "serializable"} {
		r, _ := consistency.CheckIsolation(context.Background(), h, level)
		fmt.Println(level, r.Holds, r.Certified)
	}
	// Output:
	// snapshot-isolation true true
	// serializable false true
}

// Registers are decided by CheckOps: transactions are linearizable if they are strictly
// serializable. Of lists it says what to ask.
func TestTransactionsOfOnesOwnType(t *testing.T) {
	ops := []linsat.Op[[]step, []any]{
		{Client: 0, Call: 0, Return: 3, Input: []step{{"r", "x", nil}, {"w", "y", 1}}, Output: []any{nil}},
		{Client: 1, Call: 1, Return: 2, Input: []step{{"r", "y", nil}, {"w", "x", 1}}, Output: []any{1}},
		{Client: 1, Call: 4, Return: 5, Input: []step{{"r", "x", nil}}, Output: []any{1}},
		{Client: 2, Call: 4, Pending: true, Input: []step{{"w", "x", 7}}},
		{Client: 3, Call: 6, Return: 7, Unknown: true, Input: []step{{"r", "x", nil}}},
	}
	r, err := linsat.CheckOps(t.Context(), transactions, ops)
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
	assert.True(t, r.Certified)
	assert.Equal(t, []int{0, 1, 2, 4}, r.Witness)
	ops[1].Output = []any{nil}
	r, err = linsat.CheckOps(t.Context(), transactions, ops)
	require.NoError(t, err)
	assert.Equal(t, linsat.NotLinearizable, r.Verdict)
	assert.True(t, r.Certified)
	assert.Equal(t, []int{0, 1}, r.Core)
	assert.Contains(t, r.Explanation, "rests on")

	ops[0].Input[1].does = "append"
	_, err = linsat.CheckOps(t.Context(), transactions, ops[:1])
	require.ErrorContains(t, err, "strict-serializable")
	var bad *history.Error
	require.ErrorAs(t, err, &bad)
}

// Where values repeat heavily a linearization shows every level.
func TestHeavyRepetition(t *testing.T) {
	if testing.Short() {
		t.Skip("a quarter of the time is left to an engine that does not decide it")
	}
	c, err := txns.Generate(txns.Options{Level: "serializable", Transactions: 200, Sessions: 15, Objects: 3,
		Values: 4, Length: 4, ReadRate: 0.5, Seed: 1})
	require.NoError(t, err)
	for _, level := range []string{"strict-serializable", "snapshot-isolation"} {
		ctx, done := context.WithTimeout(t.Context(), 20*time.Second)
		r, err := consistency.CheckIsolation(ctx, c.History, level)
		done()
		require.NoError(t, err)
		assert.True(t, r.Decided && r.Holds && r.Certified, "%s: %+v", level, r)
	}
}

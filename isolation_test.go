package linsat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
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
		r, _ := linsat.CheckIsolation(context.Background(), h, level)
		fmt.Println(level, r.Holds, r.Certified)
	}
	// Output:
	// snapshot-isolation true true
	// serializable false true
}

func TestCheckIsolation(t *testing.T) {
	h, err := history.Read(strings.NewReader(writeSkew), history.ReadOptions{})
	require.NoError(t, err)
	_, err = linsat.CheckIsolation(context.Background(), h, "sequential")
	require.ErrorIs(t, err, linsat.ErrOption)
	queue, err := history.Read(strings.NewReader(
		`{"operations": [{"f": "enq", "arg": 1, "process": 0, "call": 0, "return": 1}]}`), history.ReadOptions{})
	require.NoError(t, err)
	var bad *history.Error
	_, err = linsat.CheckIsolation(context.Background(), queue, "serializable")
	require.ErrorAs(t, err, &bad)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := linsat.CheckIsolation(done, h, "snapshot-isolation")
	require.NoError(t, err)
	assert.True(t, !r.Decided || r.Holds)
}

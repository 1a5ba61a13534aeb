package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTransactionsOfWhichOnlyTheEndsAreRecorded: of time the order of each process is known.
func TestTransactionsOfWhichOnlyTheEndsAreRecorded(t *testing.T) {
	const warning = "no transaction has a call: of time, only the order of each process's transactions is known"
	for format, in := range map[string]string{
		"edn": `[{:process 0, :type :ok, :value [[:append :x 1] [:r :y [1]]]}
			{:process 1, :type :info, :value [[:append :x 2] [:append :y 1]]}
			{:process 2, :type :fail, :value [[:append :x 4]]}
			{:type :ok, :value [[:append :x 3]]}
			{:process 0, :type :ok, :value [[:r :x [1 2]]]}]`,
		"jepsen-json": `{"process": 0, "type": "ok", "value": [["append", "x", 1], ["r", "y", [1]]]}
			{"process": 1, "type": "info", "value": [["append", "x", 2], ["append", "y", 1]]}
			{"process": 2, "type": "fail", "value": [["append", "x", 4]]}
			{"type": "ok", "value": [["append", "x", 3]]}
			{"process": 0, "type": "ok", "value": [["r", "x", [1, 2]]]}`,
	} {
		t.Run(format, func(t *testing.T) {
			h, err := Read(strings.NewReader(in), ReadOptions{Format: format})
			require.NoError(t, err)
			require.Len(t, h.Ops, 4)
			require.Len(t, h.Warnings, 1)
			assert.Contains(t, h.Warnings[0].Error(), warning)
			assert.Equal(t, 1, h.Pending())
			first := h.Ops[0]
			assert.Equal(t, `[["append", "x", 1], ["r", "y", null]]`, h.Values.Format(first.Arg))
			assert.Equal(t, `[["append", "x", 1], ["r", "y", [1]]]`, h.Values.Format(first.Result))
			assert.Equal(t, []Edge{{0, 3}}, h.Edges)
			for i := range h.Ops {
				for k := range h.Ops {
					assert.Less(t, h.Ops[i].Call, h.Ops[k].Return, "%d and %d overlap", i, k)
				}
			}
		})
	}
	for in, want := range map[string]string{
		`{:process 0, :type :ok, :value [[:append :x 1]]} {:process 0, :type :invoke, :value [[:append :x 2]]}`: "a call, " +
			"and transactions before it have none",
		`{:process 0, :type :invoke, :value [[:append :x 2]]} {:process 1, :type :ok, :value [[:append :x 1]]}`: "process 1 " +
			"returns, but has no operation open",
		`{:process 0, :type :ok, :f :write, :value 1}`:  "process 0 returns, but has no operation open",
		`{:type :invoke, :value [[:append :x 2]]}`:      "an event without :process",
		`{:process 0, :type :ok, :f :txn, :value [[]]}`: "process 0 returns, but has no operation open",
	} {
		_, err := Read(strings.NewReader(in), ReadOptions{Format: "edn"})
		require.ErrorContains(t, err, want)
	}
}

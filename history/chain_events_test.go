package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Events state places in known orders: in EDN and in JSON, in the event of the call or of the end,
// as a number or with the name of a chain.
func TestChainsOfEvents(t *testing.T) {
	for format, text := range map[string]string{
		"edn": `{:process 0, :type :invoke, :f :write, :value 1, :chain nil}
			{:process 1, :type :invoke, :f :write, :value 2}
			{:process 2, :type :invoke, :f :write, :value 3, :chain ["b" 7]}
			{:process 0, :type :ok, :f :write, :value 1, :chain 18}
			{:process 1, :type :info, :f :write, :value 2, :chain 17, :revision "x"}
			{:process 3, :type :invoke, :f :write, :value 4}
			{:process 3, :type :ok, :f :write, :value 4}
			{:process 2, :type :ok, :f :write, :value 3, :chain ["b" 7]}`,
		"jepsen-json": `{"process": 0, "type": "invoke", "f": "write", "value": 1, "chain": null}
			{"process": 1, "type": "invoke", "f": "write", "value": 2}
			{"process": 2, "type": "invoke", "f": "write", "value": 3, "chain": ["b", 7]}
			{"process": 0, "type": "ok", "f": "write", "value": 1, "chain": 18}
			{"process": 1, "type": "info", "f": "write", "value": 2, "chain": 17, "revision": "x"}
			{"process": 3, "type": "invoke", "f": "write", "value": 4}
			{"process": 3, "type": "ok", "f": "write", "value": 4}
			{"process": 2, "type": "ok", "f": "write", "value": 3, "chain": ["b", 7]}`,
	} {
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err, format)
		require.Equal(t, format, h.Format)
		got := map[string]*Revision{}
		for i, op := range h.Ops {
			got[h.Values.Format(op.Arg)] = h.Revisions[i]
		}
		b := h.Values.String("b")
		assert.Equal(t, map[string]*Revision{"1": {Nil, 18}, "2": {Nil, 17}, "3": {b, 7}, "4": nil}, got, format)
	}
}

func TestChainsOfEventsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		`[{:process 0, :type :invoke, :f :write, :value 1, :chain "x"}]`:                                                     "line 1: :chain is not a number",
		`[{:process 0, :type :invoke, :f :write, :value 1, :chain [1 2 3]}]`:                                                 "line 1: :chain is not a number",
		"{:process 0, :type :invoke, :f :write, :value 1, :chain 1}\n{:process 0, :type :ok, :f :write, :value 1, :chain 2}": "line 2: process 0 has another :chain here than in its call in line 1",
		`{"process": 0, "type": "invoke", "f": "write", "value": 1, "chain": {}}`:                                            "line 1: :chain is not a number",
		`{"process": 0, "type": "invoke", "f": "write", "value": 1, "chain": 1.5}` + "\n" +
			`{"process": 0, "type": "ok", "f": "write", "value": 1}`: "line 1",
		`{:process 0, :type :ok, :f :write, :value 1, :chain 2}`: "process 0",
	} {
		_, err := Read(strings.NewReader(text), ReadOptions{})
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want, text)
	}
}

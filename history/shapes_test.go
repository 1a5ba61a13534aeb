package history

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShapesOfJSON tells the formats that are JSON by their first object.
func TestShapesOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"type": "invoke", "f": "read", "process": 0}`:               "jepsen-json",
		`[ {"Process": 0, "F": "read", "TYPE": "invoke", "v": [{}]}]`: "jepsen-json",
		`{"ClientId": 0, "Input": {}, "Call": 0}`:                     "porcupine-json",
		`[{"clientid": 0, "input": 3, "call": 0}]`:                    "porcupine-json",
		`{"process": 0, "f": "read", "call": 0}`:                      "json",
		`{"operations": []}`:                                          "json",
		`{}`:                                                          "json",
		`[]`:                                                          "json",
		`[3]`:                                                         "json",
		``:                                                            "json",
		`{"type": "invoke", "f": "re`:                                 "json",
	} {
		got, err := jsonShape([]byte(in))
		require.NoError(t, err)
		assert.Equal(t, want, got, in)
	}
	for _, in := range []string{
		`{"type": "invoke", "f": "read", "process": 0, "call": 1}`,
		`{"clientid": 0, "input": 0, "call": 0, "f": "x", "process": 0}`,
		`{"clientid": 0, "input": 0, "call": 0, "f": "x", "process": 0, "type": 1}`,
	} {
		_, err := jsonShape([]byte(in))
		assert.ErrorContains(t, err, "the fields of two formats", in)
	}
}

// TestSamplesAreNoOther: what a sample begins with is of its own format alone; cut off anywhere, it
// is recognised as that or refused.
func TestSamplesAreNoOther(t *testing.T) {
	paths, err := filepath.Glob("testdata/samples/*")
	require.NoError(t, err)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		whole, err := Read(strings.NewReader(string(data)), ReadOptions{})
		require.NoError(t, err)
		for cut := range data {
			h, err := Read(strings.NewReader(string(data[:cut])), ReadOptions{})
			if err != nil {
				continue
			}
			same := h.Format == whole.Format || h.Format == "jsonl" && whole.Format == "json" || h.Format == "edn" &&
				whole.Format == "porcupine"
			assert.True(t, same, "%s cut off at %d is read as %s", path, cut, h.Format)
		}
	}
}

// TestHostileEDNIsRefused reads inputs of a megabyte that only open things. What is allocated stays
// small.
func TestHostileEDNIsRefused(t *testing.T) {
	for _, unit := range []string{"#_", "#_[", "[", "#_#_[", "#a ", "(", "{:a ", "#_ {:a #_", "[#_", "#{"} {
		for _, before := range []string{"", "[", "{:process 0 :type :invoke :f :write :value ", "{:a 1} ",
			"[0 :invoke :write ", "INFO  jepsen.util - 0\t:invoke\t:write\t"} {
			text := before + strings.Repeat(unit, 1<<20/len(unit))
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			at := m.TotalAlloc
			h, err := Read(strings.NewReader(text), ReadOptions{})
			runtime.ReadMemStats(&m)
			assert.Error(t, err, "%q after %q", unit, before)
			assert.Nil(t, h)
			assert.Less(t, m.TotalAlloc-at, uint64(40<<20), "%q after %q", unit, before)
		}
	}
}

// TestTuplesInAnyBracket reads Knossos' tuples as a stream, in a list, and in either bracket, like
// maps.
func TestTuplesInAnyBracket(t *testing.T) {
	events := []string{"0 :invoke :write 1", "0 :ok :write 1", "1 :invoke :read nil", "1 :ok :read 1"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b strings.Builder
		listed := r.IntN(3)
		b.WriteString([]string{"", "[", "("}[listed])
		for _, e := range events {
			b.WriteString([]string{"", " ", "\n", "#_[9 9] ", "; x\n",
				"#tag "}[r.IntN(6-b2i(listed == 0 && b.Len() == 0)*3)])
			if r.IntN(2) == 0 {
				b.WriteString("[" + e + "]")
			} else {
				b.WriteString("(" + e + ")")
			}
		}
		b.WriteString([]string{"", "]", ")"}[listed])
		h, err := Read(strings.NewReader(b.String()), ReadOptions{Format: "edn"})
		require.NoError(t, err, b.String())
		require.Equal(t, []string{"0 write 1 → null [0 1]", "1 read → 1 [2 3]"}, List(h), b.String())
	}
}

// TestMisnamedValue: an event that returned without a value, but with a field that sounds like one,
// is warned of.
func TestMisnamedValue(t *testing.T) {
	for _, in := range []string{
		"{:process 0 :type :invoke :f :read}\n{:process 0 :type :ok :f :read :result 3 :time 4}",
		`{"process": 0, "type": "invoke", "f": "read", "time": 3}` + "\n" +
			`{"process": 0, "type": "ok", "f": "read", "result": 3}`,
	} {
		h, err := Read(strings.NewReader(in), ReadOptions{})
		require.NoError(t, err)
		require.Len(t, h.Warnings, 1)
		assert.Contains(t, h.Warnings[0].Error(), "line 2: an event has an unknown field")
		assert.Contains(t, h.Warnings[0].Hint, `did you mean "value"?`)
		assert.True(t, h.Ops[0].NoResult)
	}
}

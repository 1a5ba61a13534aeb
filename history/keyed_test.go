package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKeyedValuesAreRecognised reads operations with and without keys in their values, by evidence
// and as told.
func TestKeyedValuesAreRecognised(t *testing.T) {
	for _, row := range []struct {
		name  string
		keyed string
		calls string // process, function and value; after "/" what it returns
		want  []string
	}{
		{"reads", "", "0 :write [1 5]/[1 5]; 0 :read [1 nil]/[1 5]", []string{"0 write 1: 5 → null [0 1]",
			"0 read 1: → 5 [2 3]"}},
		{"mutex", "", `0 :acquire ["a" nil]/["a" nil]; 0 :release ["a" nil]/["a" nil]`,
			[]string{`0 acquire "a": → null [0 1]`, `0 release "a": → null [2 3]`}},
		{"queue", "", "0 :enqueue [1 7]/[1 7]; 1 :dequeue [1 nil]/[1 7]", []string{"0 enqueue 1: 7 → null [0 1]",
			"1 dequeue 1: → 7 [2 3]"}},
		{"a function that linsat does not know", "", "0 :frob [1 nil]/[1 3]", []string{"0 frob 1: → 3 [0 1]"}},
		{"cas", "", "0 :cas [:x [1 2]]/[:x [1 2]]; 0 :read [:x nil]/[:x 2]", []string{`0 cas "x": [1, 2] → true [0 1]`,
			`0 read "x": → 2 [2 3]`}},
		{"transactions", "", "0 :txn [9 [[:r 1 nil]]]/[9 [[:r 1 4]]]",
			[]string{`0 txn 9: [["r", 1, null]] → [["r", 1, 4]] [0 1]`}},

		{"cas without keys", "", "0 :cas [1 2]/[1 2]; 0 :cas [2 nil]/[2 nil]", []string{"0 cas [1, 2] → true [0 1]",
			"0 cas [2, null] → true [2 3]"}},
		{"pairs that are values", "", "0 :enqueue [1 2]/[1 2]; 0 :write [3 nil]/[3 nil]",
			[]string{"0 enqueue [1, 2] → null [0 1]", "0 write [3, null] → null [2 3]"}},
		{"a transaction of two micro-operations", "", "0 :txn [[:r 1 nil] [:w 2 3]]/[[:r 1 0] [:w 2 3]]",
			[]string{`0 txn [["r", 1, null], ["w", 2, 3]] → [["r", 1, 0], ["w", 2, 3]] [0 1]`}},
		{"not in every call", "", "0 :read [1 nil]/[1 2]; 0 :read nil/3", []string{"0 read [1, null] → [1, 2] [0 1]",
			"0 read → 3 [2 3]"}},
		{"nil is not a key", "", "0 :read [nil nil]/[nil 2]", []string{"0 read [null, null] → [null, 2] [0 1]"}},

		{"told so", "always", "0 :enqueue [1 2]/[1 2]; 0 :cas [3 [4 5]]/[3 [4 5]]",
			[]string{"0 enqueue 1: 2 → null [0 1]", "0 cas 3: [4, 5] → true [2 3]"}},
		{"told not so", "never", "0 :dequeue [1 nil]/[1 7]", []string{"0 dequeue [1, null] → [1, 7] [0 1]"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var edn, log strings.Builder
			for call := range strings.SplitSeq(row.calls, "; ") {
				head, result, _ := strings.Cut(call, "/")
				part := strings.SplitN(head, " ", 3)
				for _, e := range [][2]string{{":invoke", part[2]}, {":ok", result}} {
					edn.WriteString("{:process " + part[0] + " :type " + e[0] + " :f " + part[1] +
						" :value " + e[1] + "}\n")
					log.WriteString("INFO  jepsen.util - " + part[0] + "\t" + e[0] + "\t" + part[1] +
						"\t" + e[1] + "\n")
				}
			}
			for format, text := range map[string]string{"edn": edn.String(), "jepsen": log.String()} {
				h, err := Read(strings.NewReader(text), ReadOptions{Keyed: row.keyed})
				require.NoError(t, err)
				assert.Equal(t, format, h.Format)
				assert.Equal(t, row.want, List(h))
			}
		})
	}
}

// TestKeyedAlwaysRefusesPlainValues covers calls that --keyed promises to have keys, and have none.
func TestKeyedAlwaysRefusesPlainValues(t *testing.T) {
	_, err := Read(
		strings.NewReader(
			"{:process 0 :type :invoke :f :read :value [1 nil]}\n{:process 1 :type :invoke :f :read :value nil}"),
		ReadOptions{Name: "f", Keyed: "always"})
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "f:2: read is called with null, which is not a [key value] pair", e.Error())
	assert.Contains(t, e.Hint, "--keyed")
}

package words_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOpenOperationsHaveNoResultYet: what works just before a response is told with the results
// that were there by then.
func TestOpenOperationsHaveNoResultYet(t *testing.T) {
	h := wordstest.Parse(t, `{"spec": "stack", "operations": [
		{"process": 0, "f": "push", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "push", "arg": 2, "call": 2, "return": 3},
		{"process": 1, "f": "pop", "result": 2, "call": 4, "return": 20}, {"process": 2, "f": "pop", "result": null, "call": 5, "return": 10},
		{"process": 0, "f": "push", "arg": 3, "call": 6, "return": 7}, {"process": 0, "f": "pop", "result": 1, "call": 12, "return": 14}]}`)
	var out strings.Builder
	words.Text(&out, wordstest.Checked(t, h), words.Style{Witness: -1})
	assert.Contains(t, out.String(), "pop → null (#3) of process 2 cannot be placed before it returns")
	assert.Contains(t, out.String(), " after pop → ? (#3): it would not have returned null\n")

	h = wordstest.Parse(t, `{"spec": "cas-register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "cas", "arg": [1, 2], "result": false, "call": 2, "return": 20},
		{"process": 0, "f": "read", "result": 2, "call": 4, "return": 5}, {"process": 0, "f": "read", "result": 3, "call": 6, "return": 7}]}`)
	out.Reset()
	words.Text(&out, wordstest.Checked(t, h), words.Style{Witness: -1})
	assert.Contains(t, out.String(),
		" before that response: write 1 (#0), cas [1, 2] → ? (#1), read → 2 (#2)\n", out.String())
	assert.Contains(t, out.String(), "    2 after cas [1, 2] → ? (#1): the register holds 2, not 3\n")
}

// TestNoResultIsToldBeforeItsReturn does the same for histories at random.
func TestNoResultIsToldBeforeItsReturn(t *testing.T) {
	open := 0
	for _, sp := range specs.All() {
		for seed := range uint64(testenv.Scale(15, 300)) {
			h, err := gen.Small(sp.Info().Name, seed, gen.SmallOptions{NoFailed: true, Most: 7})
			require.NoError(t, err)
			run := wordstest.Checked(t, h)
			r := &run.Result
			if r.Verdict != engine.NotLinearizable || r.Failure == nil || r.Partition == nil {
				continue
			}
			var out strings.Builder
			words.Text(&out, run, words.Style{Witness: -1})
			_, told, _ := strings.Cut(out.String(), "linearization of everything before that response: ")
			told, _, _ = strings.Cut(told, "\n  note: ")
			for i := range r.Partition.Ops {
				o := &r.Partition.Ops[i]
				if o.Pending() || o.Unknown || o.Return < r.Failure.Cut || o.Result == history.Nil {
					continue
				}
				full := r.Partition.History.Values.Format(o.Result) + " (#" + r.Partition.ID(history.OpID(i)) + ")"
				assert.NotContains(t, told, "→ "+full, "%s, seed %d:\n%s", sp.Info().Name, seed, out.String())
				if strings.Contains(told, "→ ? (#"+r.Partition.ID(history.OpID(i))+")") {
					open++
				}
			}
		}
	}
	assert.Greater(t, open, testenv.MoreThan(5))
}

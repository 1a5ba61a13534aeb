package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestCasesOfAlikeOperationsAreCountedOnce: of additions of one amount that never returned only
// their number counts.
func TestCasesOfAlikeOperationsAreCountedOnce(t *testing.T) {
	many := make([]int, 400) // 68^4 · 67^2 sets
	for k := range many {
		many[k] = 1 + k%6
	}
	for want, amounts := range map[string][]int{"2^3 cases,": {1, 2, 3}, ": 12 cases, as": {1, 1, 1, 2, 2},
		"some 10^11 cases, as": many} {
		var ops []string
		for k, n := range amounts {
			ops = append(ops, fmt.Sprintf(`{"process": %d, "f": "inc", "arg": %d, "call": %d, "status": "info"}`, k, n,
				k))
		}
		h, err := history.Read(strings.NewReader(`{"spec": "counter", "operations": [`+strings.Join(ops, ",")+`]}`),
			history.ReadOptions{})
		require.NoError(t, err)
		b, err := specs.Counter().Bind(model.Whole(h))
		require.NoError(t, err)
		why, _ := words.Hard(&result.Result{Verdict: engine.Unknown, Cause: engine.Timeout, Spec: specs.Counter(),
			Partition: b.Partition, Bound: b, Partitions: 1})
		require.NotEmpty(t, why)
		require.Contains(t, why[0], want)
	}
}

// TestSumsOfOverlappingAdditionsAreCounted: a read that overlaps twenty of twenty-two additions.
func TestSumsOfOverlappingAdditionsAreCounted(t *testing.T) {
	ops := []string{`{"process": "r", "f": "read", "call": 50, "return": 60, "result": 7}`,
		`{"process": "before", "f": "inc", "call": 0, "return": 40}`, `{"process": "after", "f": "inc", "call": 70, "return": 80}`}
	for k := range 20 {
		ops = append(ops, fmt.Sprintf(`{"process": %d, "f": "inc", "arg": %d, "call": 45, "return": 65}`, k, k+1))
	}
	h, err := history.Read(strings.NewReader(`{"spec": "counter", "operations": [`+strings.Join(ops, ",")+`]}`),
		history.ReadOptions{})
	require.NoError(t, err)
	b, err := specs.Counter().Bind(model.Whole(h))
	require.NoError(t, err)
	why, _ := words.Hard(&result.Result{Verdict: engine.Unknown, Cause: engine.Timeout, Spec: specs.Counter(),
		Partition: b.Partition, Bound: b, Partitions: 1})
	require.Len(t, why, 1)
	require.Contains(t, why[0], "21 operations are open at once")
	require.Contains(t, why[0], "the sum of some of 20 that overlap it, up to 2^20 cases")
}

// TestAnEngineThatDoesNotTakeAQuestionSaysWhatDoes: docs/quasi.md is about questions with a factor
// alone.
func TestAnEngineThatDoesNotTakeAQuestionSaysWhatDoes(t *testing.T) {
	h, err := history.Read(strings.NewReader(
		`{"operations": [{"process": 0, "f": "acquire", "call": 0, "return": 1}]}`), history.ReadOptions{})
	require.NoError(t, err)
	for engineName, want := range map[string]string{
		"smt:z3": "  hint: use --engine search, which takes every history, or auto, which asks all engines that take it; " +
			"smt takes registers, ",
		"monitor": "  hint: use --engine search, which takes every history, or auto, which asks all engines that take it\n",
		"auto":    "  hint: see docs/quasi.md for what no engine decides completely\n",
	} {
		r := result.Result{Verdict: engine.Unknown, Cause: engine.Unsupported, Spec: specs.Semaphore()}
		if engineName == "auto" {
			r.Quasi = &quasi.Question{Factor: quasi.Factor{1}}
		}
		var b strings.Builder
		words.Text(&b, &words.Run{File: "h", History: h, Result: r, Engine: engineName}, words.Style{})
		require.Contains(t, b.String(), want)
	}
}

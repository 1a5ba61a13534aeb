package bench_test

import (
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/bench"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNamedEnginesDecideAlone asks one engine at a time, under factors and for least bounds, too:
// what no other engine may be credited with, no row says of it.
func TestNamedEnginesDecideAlone(t *testing.T) {
	engines := []string{"monitor", "search", "sat", "smt"}
	contenders, err := bench.Contenders(engines[:3], []bench.Solver{{Name: "gini"}})
	require.NoError(t, err)
	if smt, err := bench.Contenders(engines[3:], nil); err == nil {
		contenders = append(contenders, smt...)
	}
	var from []bench.Source
	for _, name := range []string{"stack", "queue", "priority-queue", "counter", "deque"} {
		sizes := []int{20, 200}
		for seed := range uint64(testenv.Scale(1, 6)) {
			o := gen.Options{Spec: name, Operations: sizes[seed%2], Processes: 6, Relax: 2, Seed: seed,
				PendingRate: []float64{0, 0.05}[seed/2%2]}
			from = append(from, bench.Generated(name, o))
		}
	}
	from = append(from, bench.Generated("long stack",
		gen.Options{Spec: "stack", Operations: 200, Processes: 6, Relax: 2, Seed: 1}))
	var questions []bench.Question
	for _, factor := range []string{"", "0", "1", "3", "min"} {
		q := bench.Question{Quasi: factor}
		if factor != "" {
			q.Meaning = "slots"
		}
		questions = append(questions, q)
	}
	plan := bench.Plan{Contenders: contenders, Questions: questions, Timeout: 500 * time.Millisecond, Repeat: 1,
		Skip: func(name string, err error) { assert.NoError(t, err, name) }}
	rows, err := plan.Run(t.Context(), from)
	require.NoError(t, err)
	for _, r := range rows {
		for _, by := range strings.Fields(r.DecidedBy) {
			for _, other := range engines {
				if name, _, _ := strings.Cut(by, "/"); other != r.Engine && name == other {
					t.Errorf("%s of %s, %s by %s", r.File, r.Question.Quasi, r.Engine, r.DecidedBy)
				}
			}
		}
	}
	last := rows[len(rows)-len(contenders)+1]
	assert.Equal(t, []string{"long stack", "search", "min"}, []string{last.File, last.Engine, last.Quasi})
	assert.Greater(t, last.Effort.Steps, int64(1000), "those of bounds that were refused or not decided, too")
	assert.Empty(t, bench.Disagreements(rows))

	plan.Contenders, plan.Questions, plan.Timeout = contenders[2:3], questions[4:], time.Minute
	rows, err = plan.Run(t.Context(), from[:1])
	require.NoError(t, err)
	require.Equal(t, rows[0].Least.Low, rows[0].Least.High)
	assert.Positive(t, rows[0].Effort.Vars)
}

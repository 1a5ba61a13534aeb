package check_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// litmus returns a history of a map: processes by lines, each operation as x=1, a write, or x:1, a
// read; 0 is the value at the start. Operations of different processes overlap.
func litmus(t *testing.T, text string) *history.History {
	b := history.NewBuilder()
	v := b.Values
	for p, line := range strings.Split(text, "\n") {
		for k, op := range strings.Fields(line) {
			n, err := strconv.Atoi(op[2:])
			require.NoError(t, err)
			r := history.Record{Process: b.ProcessInt(int64(p)), F: v.String("get"), Key: v.String(op[:1]),
				Call: int64(10 * k), Return: int64(10*k + 9)}
			switch {
			case op[1] == '=':
				r.F, r.Arg = v.String("put"), v.Int(int64(n))
			case n > 0:
				r.Result = v.Int(int64(n))
			}
			_, err = b.Add(r)
			require.NoError(t, err)
		}
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestLitmus: what is known of the litmus tests and figures of papers.
func TestLitmus(t *testing.T) {
	for _, c := range []struct{ name, history, holds, fails string }{
		{"store buffering (Dekker)", "x=1 y:0\ny=1 x:0", "causal causal-convergence", "sequential"},
		{"message passing", "x=1 y=1\ny:1 x:0", "read-your-writes writes-follow-reads", "monotonic-writes"},
		{"load buffering", "x:1 y=1\ny:1 x=1", "read-your-writes monotonic-reads monotonic-writes pram",
			"writes-follow-reads causal causal-convergence"},
		{"IRIW", "x=1\ny=1\nx:1 y:0\ny:1 x:0", "causal causal-convergence", "sequential"},
		{"write-to-read causality", "x=1\nx:1 y=1\ny:1 x:0", "pram", "writes-follow-reads causal-convergence"},
		{"coherence of two readers", "x=1\nx=2\nx:1 x:2\nx:2 x:1", "causal", "causal-convergence sequential"},
		{"read back", "x=1\nx=2\nx:1 x:2 x:1", "read-your-writes", "monotonic-reads"},
		{"a write of its own is lost", "x=1 x:0", "monotonic-reads monotonic-writes writes-follow-reads",
			"read-your-writes"},
		{"a write of its own before the last", "x=1 x=2 x:1", "writes-follow-reads monotonic-writes",
			"read-your-writes"},
		{"writes turned round", "x=1 x=2\nx:2 x:1", "monotonic-reads read-your-writes", "monotonic-writes"},
		// Bouajjani, Enea, Guerraoui, Hamza, POPL 2017, Figure 3
		{"POPL 2017, 3a: CM, not CCv", "x=1 x:2\nx=2 x:1", "causal", "causal-convergence"},
		{"POPL 2017, 3b: CCv, not CM", "z=1 x=1 y=1\nx=2 z:0 y:1 x:2", "causal-convergence", "causal"},
		{"POPL 2017, 3c: CC, neither CM nor CCv", "x=1\nx=2 x:1 x:2", "weakly-causal read-your-writes",
			"causal causal-convergence"},
		{"POPL 2017, 3d: CC, CM, CCv, not sequential", "x=1 y:0 y=1 x:1\nx=2 y:0 y=2 x:2",
			"causal causal-convergence", "sequential"},
		{"POPL 2017, 3e: not CC", "x=1 y=1\ny:1 x=2\nx:2 x:1", "pram", "weakly-causal"},
		{"concurrent writes seen in two orders", "x=1 x=3\nx:1 x=2\nx:1 x:2 x:3\nx:1 x:3 x:2", "causal", "causal-convergence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := litmus(t, c.history)
			kv, _ := specs.Lookup("kv")
			for _, name := range strings.Fields(c.holds) {
				assert.Equal(t, levels.Holds, ask(t, kv, h, name).Verdict, name)
			}
			for _, name := range strings.Fields(c.fails) {
				assert.Equal(t, levels.Fails, ask(t, kv, h, name).Verdict, name)
			}
		})
	}
}

// TestPatterns: the contradictions by their names.
func TestPatterns(t *testing.T) {
	kv, _ := specs.Lookup("kv")
	for _, c := range []struct {
		pattern           check.Pattern
		question, history string
	}{
		{check.ThinAirRead, "causal", "x:7"},
		{check.CyclicCO, "causal", "x:1 y=1\ny:1 x=1"},
		{check.WriteCOInitRead, "causal", "x=1 y=1\ny:1 x:0"},
		{check.WriteCORead, "causal", "x=1 y=1\ny:1 x=2\nx:2 x:1"},
		{check.WriteHBInitRead, "causal", "z=1 x=1 y=1\nx=2 z:0 y:1 x:2"},
		{check.CyclicHB, "causal", "x=1\nx=2\nx:1 x:2 x:1"},
		{check.CyclicCF, "causal-convergence", "x=1 x:2\nx=2 x:1"},
	} {
		a := ask(t, kv, litmus(t, c.history), c.question)
		assert.Equal(t, levels.Fails, a.Verdict, c.history)
		assert.Equal(t, c.pattern, a.Pattern, c.history)
	}
}

// TestAllNamesTheExtremes: the ladder says what each question by itself says, and what holds and
// fails at the ends.
func TestAllNamesTheExtremes(t *testing.T) {
	kv, _ := specs.Lookup("kv")
	h := litmus(t, "x=1 y=1\ny:1 x:0")
	answers, err := check.All(t.Context(), newCase(kv, h))
	require.NoError(t, err)
	for k := range answers {
		assert.Equal(t, ask(t, kv, h, answers[k].Question.Name).Verdict, answers[k].Verdict)
		assert.True(t, answers[k].Certified(), answers[k].Question.Name)
	}
	hold, fail := check.Extremes(answers)
	names := func(all []*consistency.Question) (names []string) {
		for _, q := range all {
			names = append(names, q.Name)
		}
		return names
	}
	assert.Subset(t, names(hold), []string{"read-your-writes", "writes-follow-reads"})
	assert.Subset(t, names(fail), []string{"weakly-causal", "monotonic-writes"})
}

package verify

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/proof"
)

// TestWitnessesAreRefused has a wrong witness for each condition; an empty reason is for right ones.
func TestWitnessesAreRefused(t *testing.T) {
	const skew = "x:0 y:0 x=1\n x:0 y:0 y=1"
	for _, c := range []struct {
		history, level string
		events         []int32
		sources        []isolation.Source
		why            string
	}{
		{"x=1\n x:1", "ser", []int32{0, 1}, nil, ""},
		{"x=1\n x:1", "ser", []int32{1, 0}, nil, "rule serializable, T1, which reads 1 of x: the initial transaction had written 0 last"},
		{"x=1\n x:1", "ser", []int32{0}, nil, "rule complete, T1: it does not commit"},
		{"x=1\n x:1", "ser", []int32{0, 1, 0}, nil, "rule complete, T0: it commits twice"},
		{"x=1\n x:1", "ser", []int32{0, 2}, nil, "rule complete, T2 (of 2): event 1 names it"},
		{"x=1\n x:1", "ser", []int32{0, -3}, nil, "rule complete, T2 (of 2): event 1 names it"},
		{"x=1\n x:1", "ser", []int32{^0, 0, 1}, nil, "rule complete, T0: event 0 is its start: there is none"},
		{"x=1 | aborted\n x:1", "ser", []int32{0, 1}, nil, "rule complete, T0: it aborted"},
		{"x=1 | open\n x:1", "ser", []int32{0, 1}, nil, ""},
		{"x=1 | open\n x:0", "ser", []int32{1}, nil, ""},
		{"x:1 | aborted\n x:0", "ser", []int32{1}, nil, ""},
		{"x=1 x:2", "ser", []int32{0}, nil, "rule internal of serializable, T0, which reads 2 of x"},
		{"x=1 x:2", "rc", []int32{0}, nil, "rule internal of sources, T0, which reads 2 of x"},
		{"x+1 x+2\n x:[1 2] x+3 x:[1 2 3]", "ser", []int32{0, 1}, nil, ""},
		{"x+1 x+2\n x:[1]", "ser", []int32{0, 1}, nil, "others had appended [1 2] by then, the last of them T0"},
		{"x+1\n x:[1] x+3 x:[3 1]", "ser", []int32{0, 1}, nil, "rule internal"},
		{"x=1 | session 3\n x:0 | session 3", "ser", []int32{1, 0}, nil, ""},
		{"x=1 | session 3\n x:0 | session 3", "strong-session-serializable", []int32{1, 0}, nil, "rule session, T0, T1: the first comes first"},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strong-session-serializable", []int32{1, 0}, nil, ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-serializable", []int32{1, 0}, nil, "rule real-time, T0, T1: the first returned"},
		{"x=1 | time 1 3\n x:0 | time 2 4", "strict-serializable", []int32{1, 0}, nil, ""},
		{"x=1 | time 1 3 | session 1\n x:0 | time 2 4 | session 1", "strict-serializable", []int32{1, 0}, nil, "rule session"},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-snapshot-isolation", []int32{^0, ^1, 0, 1}, nil, "rule real-time, T0, T1"},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-prefix", []int32{^0, ^1, 0, 1}, nil, "rule session, T0, T1"},

		{skew, "si", []int32{^0, ^1, 0, 1}, nil, ""},
		{skew, "si", []int32{0, ^1, 1}, nil, "rule complete, T0: it commits at event 0 without a start"},
		{skew, "si", []int32{^0, ^0, 0, ^1, 1}, nil, "rule complete, T0: event 1 is its start, after"},
		{skew, "si", []int32{^0, 0, ^0, ^1, 1}, nil, "rule complete, T0: event 2 is its start, after"},
		{skew, "si", []int32{^0, ^1, 1}, nil, "rule complete, T0: it does not commit"},
		{skew + "\n x=5 | open", "si", []int32{^0, ^1, ^2, 0, 1}, nil, "rule complete, T2: it does not commit"},
		{skew, "si", []int32{^0, 0, ^1, 1}, nil, "rule snapshot-isolation, T1, which reads 0 of x: T0 had written 1 last"},
		{"x:0 x=1\n x:0 x=2", "si", []int32{^0, ^1, 0, 1}, nil, "rule snapshot-isolation, T1, T0: both write x"},
		{"x:0 x=1\n x:0 x=2", "prefix", []int32{^0, ^1, 0, 1}, nil, ""},

		{"x=1\n x=1\n x:1", "rc", []int32{0, 1, 2}, nil, "several transactions leave that"},
		{"x=1\n x=1\n x:1", "rc", []int32{0, 1, 2}, []isolation.Source{{Place: at(2, 0), From: 1}}, ""},
		{"x=1\n x=1 | open\n x:1", "rc", []int32{0, 2}, nil, ""},
		{"x=1 x=2\n x:1", "rc", []int32{0, 1}, nil, "no other transaction that takes effect leaves that"},
		{"x:1 x=1", "rc", []int32{0}, nil, "no other transaction that takes effect leaves that"},
		{"x:1 x=1\n x=1", "rc", []int32{1, 0}, nil, ""},
		{"x=1\n x:1 x=1", "rc", []int32{0, 1}, nil, ""},
		{"x=1\n x:1 x=1\n x=1", "rc", []int32{0, 2, 1}, nil, "several"},
		{"x=1\n x:1", "rc", []int32{1, 0}, nil, "it is from T0, which does not commit before it"},
		{"x=1\n x=2\n x:1", "rc", []int32{0, 1, 2}, []isolation.Source{{Place: at(2, 0), From: 1}}, "said to be from T1, which does not leave that"},
		{"x=1\n y=1\n x:1", "rc", []int32{0, 1, 2}, []isolation.Source{{Place: at(2, 0), From: 1}}, "said to be from T1"},
		{"x=1\n x:1", "rc", []int32{0, 1}, []isolation.Source{{Place: at(1, 0), From: -1}}, "said to be from the initial"},
		{"x=1\n x:1", "rc", []int32{0, 1}, []isolation.Source{{Place: at(1, 0), From: -2}}, "said to be from T-2"},
		{"x=1\n x:1", "rc", []int32{0, 1}, []isolation.Source{{Place: at(1, 0), From: 2}}, "said to be from T2 (of 2)"},
		{"x=1\n x=1 | open\n x:1", "rc", []int32{0, 2}, []isolation.Source{{Place: at(2, 0), From: 1}}, "said to be from T1"},
		{"x+1\n x+2 x+3\n x:[1 2 3]", "rc", []int32{0, 1, 2}, nil, ""},
		{"x+1\n x+2 x+3\n x:[1 2 3]", "rc", []int32{1, 0, 2}, nil, "in the order of the commits the list becomes [2 3 1]"},
		{"x+1\n x+2 x+3\n x:[1 2 3 4]", "rc", []int32{0, 1, 2}, nil, "the list becomes [1 2 3]"},
		{"x+1\n x+2 x+3\n x:[1 2]", "rc", []int32{0, 1, 2}, nil, "T1 appended more at once"},

		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "rc", []int32{1, 0, 2}, nil, ""},
		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "rc", []int32{0, 1, 2}, nil, "rule read-committed, T2, which reads 1 of y: it is from T0, and T1"},
		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "ra", []int32{1, 0, 2}, nil, "rule read-atomic, T2, which reads 2 of x: it is from T1, and T0"},
		{"x=1 y=1\n x=2 y=2 z=1\n z:1 z:1 x:1", "rc", []int32{0, 1, 2}, nil, "which reads 1 of x: it is from T0"},
		{"x=1 y=1 z=1 w=1\n x=2 y=2 z=2 w=2\n x:2 y:1", "rc", []int32{0, 1, 2}, nil, "it is from T0, and T1"},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-read-committed", []int32{0, 1}, nil, ""},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-read-atomic", []int32{0, 1}, nil, "commits later and is before in the session"},
		{"x=1 | session 1\n x:0 | session 2", "strong-session-read-atomic", []int32{0, 1}, nil, ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strong-session-read-atomic", []int32{0, 1}, nil, ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-read-atomic", []int32{0, 1}, nil, "commits later and is before in time"},
		{"x=1 | time 1 3\n x:0 | time 2 4", "strict-read-atomic", []int32{0, 1}, nil, ""},

		{"x=1 | session 1\n y=1 | session 1\n y:1\n x:0 | session 3", "causal", []int32{0, 1, 2, 3}, nil, ""},
		{"x=1 | session 1\n y=1 | session 1\n y:1 | session 3\n x:0 | session 3", "causal", []int32{0, 1, 2, 3}, nil,
			"rule causal, T3, which reads 0 of x: it is from the initial transaction, and T0"},
		{"x=1 | time 1 2\n y=1 | time 3 4\n y:1 x:0", "strict-causal", []int32{0, 1, 2}, nil, "it is from the initial transaction, and T0"},
		{"x=1 | time 1 2\n y=1 | time 3 4\n y:1 x:0", "causal", []int32{0, 1, 2}, nil, ""},
		{skew, "psi", []int32{0, 1}, nil, ""},
		{"x:0 x=1\n x:0 x=2", "causal", []int32{0, 1}, nil, ""},
		{"x:0 x=1\n x:0 x=2", "psi", []int32{0, 1}, nil, "rule parallel-snapshot, T1, which reads 0 of x"},
	} {
		h := isolationtest.Parse(c.history)
		err := Check(context.Background(), h, &isolation.Certificate{Level: c.level,
			Witness: &isolation.Witness{Events: c.events, Sources: c.sources}})
		name := strings.Join([]string{c.history, c.level, c.why}, "\n")
		if c.why == "" {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorContains(t, err, c.why, name)
		}
	}
}

// TestRefutationsAreRefused has refutations that are wrong as a whole.
func TestRefutationsAreRefused(t *testing.T) {
	h := isolationtest.Parse("x:0 x=1\n x:0 x=2")
	good := func() *isolation.Certificate {
		p, q := at(0, 0), at(1, 0)
		return &isolation.Certificate{Level: "serializable", Refutation: &isolation.Refutation{
			Clauses: []isolation.Clause{
				{Rule: isolation.RuleOverwritten, Places: []isolation.Place{p}, Txns: []int32{-1, 1}}, // 1: T0 before T1
				{Rule: isolation.RuleOverwritten, Places: []isolation.Place{q}, Txns: []int32{-1, 0}}, // -1
			},
			Lemmas: []proof.Lemma{{Hints: []int32{1, 2}}}}}
	}
	ctx := context.Background()
	require.NoError(t, Check(ctx, h, good()))
	for why, change := range map[string]func(c *isolation.Certificate){
		"unknown level":            func(c *isolation.Certificate) { c.Level = "serialisable" },
		"a witness or a":           func(c *isolation.Certificate) { c.Refutation = nil },
		"or a refutation":          func(c *isolation.Certificate) { c.Witness = &isolation.Witness{Events: []int32{0, 1}} },
		"rule overwritten":         func(c *isolation.Certificate) { c.Level = "causal" },
		"hint 1 comes after":       func(c *isolation.Certificate) { c.Refutation.Lemmas[0].Hints = []int32{2, 1, 1} },
		"does not follow":          func(c *isolation.Certificate) { c.Refutation.Lemmas[0].Hints = []int32{2} },
		"must be the empty clause": func(c *isolation.Certificate) { c.Refutation.Lemmas = nil },
		"hint 2 is no clause":      func(c *isolation.Certificate) { c.Refutation.Clauses = c.Refutation.Clauses[:1] },
		"clause 2 says nothing": func(c *isolation.Certificate) {
			c.Refutation.Clauses[1] = isolation.Clause{Rule: isolation.RuleSource, Places: []isolation.Place{at(1, 0)}}
		},
		"is not the whole refutation": func(c *isolation.Certificate) { // of what nobody wrote
			c.Refutation.Clauses[1] = isolation.Clause{Rule: isolation.RuleSource, Places: []isolation.Place{at(2, 0)}}
		},
	} {
		c, h := good(), h
		if change(c); why == "is not the whole refutation" {
			h = isolationtest.Parse("x:0 x=1\n x:0 x=2\n x:7")
		}
		assert.ErrorContains(t, Check(ctx, h, c), why)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, Check(done, h, good()), context.Canceled)
}

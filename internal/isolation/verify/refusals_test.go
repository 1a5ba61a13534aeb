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

// TestWitnessesAreRefused has a wrong witness for each condition. Those without a reason are right.
func TestWitnessesAreRefused(t0 *testing.T) {
	const skew = "x:0 y:0 x=1\n x:0 y:0 y=1"
	for _, c := range []struct {
		history, level, events, source, why string
	}{
		{"x=1\n x:1", "ser", "0 1", "", ""},
		{"x=1\n x:1", "ser", "1 0", "",
			"rule serializable, T1, which reads 1 of x: the initial transaction had written 0 last"},
		{"x=1\n x:1", "ser", "0", "", "rule complete, T1: it does not commit"},
		{"x=1\n x:1", "ser", "0 1 0", "", "rule complete, T0: it commits twice"},
		{"x=1\n x:1", "ser", "0 2", "", "rule complete, T2 (of 2): event 1 names it"},
		{"x=1\n x:1", "ser", "0 -3", "", "rule complete, T2 (of 2): event 1 names it"},
		{"x=1\n x:1", "ser", "^0 0 1", "", "rule complete, T0: event 0 is its start: there is none"},
		{"x=1 | aborted\n x:1", "ser", "0 1", "", "rule complete, T0: it aborted"},
		{"x=1 | open\n x:1", "ser", "0 1", "", ""},
		{"x=1 | open\n x:0", "ser", "1", "", ""},
		{"x:5 x=1 | open\n x:1", "ser", "0 1", "", ""},
		{"x:5 x=1 | open\n x:1", "causal", "0 1", "", ""},
		{"x:1 | aborted\n x:0", "ser", "1", "", ""},
		{"x=1 x:2", "ser", "0", "", "rule internal of serializable, T0, which reads 2 of x"},
		{"x=1 x:2", "rc", "0", "", "rule internal of sources, T0, which reads 2 of x"},
		{"x+1 x+2\n x:[1 2] x+3 x:[1 2 3]", "ser", "0 1", "", ""},
		{"x+1 x+2\n x:[1]", "ser", "0 1", "", "others had appended [1 2] by then, the last of them T0"},
		{"x+1\n x:[1] x+3 x:[3 1]", "ser", "0 1", "", "rule internal"},
		{"x=1 | session 3\n x:0 | session 3", "ser", "1 0", "", ""},
		{"x=1 | session 3\n x:0 | session 3", "strong-session-serializable", "1 0", "",
			"rule session, T0, T1: the first comes first"},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strong-session-serializable", "1 0", "", ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-serializable", "1 0", "",
			"rule real-time, T0, T1: the first returned"},
		{"x=1 | time 1 3\n x:0 | time 2 4", "strict-serializable", "1 0", "", ""},
		{"x=1 | time 1 3 | session 1\n x:0 | time 2 4 | session 1", "strict-serializable", "1 0", "", "rule session"},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-snapshot-isolation", "^0 ^1 0 1", "", "rule real-time, T0, T1"},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-prefix", "^0 ^1 0 1", "", "rule session, T0, T1"},

		{skew, "si", "^0 ^1 0 1", "", ""},
		{skew, "si", "0 ^1 1", "", "rule complete, T0: it commits at event 0 without a start"},
		{skew, "si", "^0 ^0 0 ^1 1", "", "rule complete, T0: event 1 is its start, after"},
		{skew, "si", "^0 0 ^0 ^1 1", "", "rule complete, T0: event 2 is its start, after"},
		{skew, "si", "^0 ^1 1", "", "rule complete, T0: it does not commit"},
		{skew + "\n x=5 | open", "si", "^0 ^1 ^2 0 1", "", "rule complete, T2: it does not commit"},
		{skew, "si", "^0 0 ^1 1", "", "rule snapshot-isolation, T1, which reads 0 of x: T0 had written 1 last"},
		{"x:0 x=1\n x:0 x=2", "si", "^0 ^1 0 1", "", "rule snapshot-isolation, T1, T0: both write x"},
		{"x:0 x=1\n x:0 x=2", "prefix", "^0 ^1 0 1", "", ""},

		{"x=1\n x=1\n x:1", "rc", "0 1 2", "", "several transactions leave that"},
		{"x=1\n x=1\n x:1", "rc", "0 1 2", "2.0 1", ""},
		{"x=1\n x=1 | open\n x:1", "rc", "0 2", "", ""},
		{"x=1 x=2\n x:1", "rc", "0 1", "", "no other transaction that takes effect leaves that"},
		{"x:1 x=1", "rc", "0", "", "no other transaction that takes effect leaves that"},
		{"x:1 x=1\n x=1", "rc", "1 0", "", ""},
		{"x=1\n x:1 x=1", "rc", "0 1", "", ""},
		{"x=1\n x:1 x=1\n x=1", "rc", "0 2 1", "", "several"},
		{"x=1\n x:1", "rc", "1 0", "", "it is from T0, which does not commit before it"},
		{"x=1\n x=2\n x:1", "rc", "0 1 2", "2.0 1", "said to be from T1, which does not leave that"},
		{"x=1\n y=1\n x:1", "rc", "0 1 2", "2.0 1", "said to be from T1"},
		{"x=1\n x:1", "rc", "0 1", "1.0 -1", "said to be from the initial"},
		{"x=1\n x:1", "rc", "0 1", "1.0 -2", "said to be from T-2"},
		{"x=1\n x:1", "rc", "0 1", "1.0 2", "said to be from T2 (of 2)"},
		{"x=1\n x=1 | open\n x:1", "rc", "0 2", "2.0 1", "said to be from T1"},
		{"x+1\n x+2 x+3\n x:[1 2 3]", "rc", "0 1 2", "", ""},
		{"x+1\n x+2 x+3\n x:[1 2 3]", "rc", "1 0 2", "", "in the order of the commits the list becomes [2 3 1]"},
		{"x+1\n x+2 x+3\n x:[1 2 3 4]", "rc", "0 1 2", "", "the list becomes [1 2 3]"},
		{"x+1\n x+2 x+3\n x:[1 2]", "rc", "0 1 2", "", "T1 appended more at once"},

		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "rc", "1 0 2", "", ""},
		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "rc", "0 1 2", "",
			"rule read-committed, T2, which reads 1 of y: it is from T0, and T1"},
		{"x=1 y=1\n x=2 y=2\n x:2 y:1", "ra", "1 0 2", "",
			"rule read-atomic, T2, which reads 2 of x: it is from T1, and T0"},
		{"x=1 y=1\n x=2 y=2 z=1\n z:1 z:1 x:1", "rc", "0 1 2", "", "which reads 1 of x: it is from T0"},
		{"x=1 y=1 z=1 w=1\n x=2 y=2 z=2 w=2\n x:2 y:1", "rc", "0 1 2", "", "it is from T0, and T1"},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-read-committed", "0 1", "", ""},
		{"x=1 | session 1\n x:0 | session 1", "strong-session-read-atomic", "0 1", "",
			"commits later and is before in the session"},
		{"x=1 | session 1\n x:0 | session 2", "strong-session-read-atomic", "0 1", "", ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strong-session-read-atomic", "0 1", "", ""},
		{"x=1 | time 1 2\n x:0 | time 3 4", "strict-read-atomic", "0 1", "", "commits later and is before in time"},
		{"x=1 | time 1 3\n x:0 | time 2 4", "strict-read-atomic", "0 1", "", ""},

		{"x=1 | session 1\n y=1 | session 1\n y:1\n x:0 | session 3", "causal", "0 1 2 3", "", ""},
		{"x=1 | session 1\n y=1 | session 1\n y:1 | session 3\n x:0 | session 3", "causal", "0 1 2 3", "",
			"rule causal, T3, which reads 0 of x: it is from the initial transaction, and T0"},
		{"x=1 | time 1 2\n y=1 | time 3 4\n y:1 x:0", "strict-causal", "0 1 2", "",
			"it is from the initial transaction, and T0"},
		{"x=1 | time 1 2\n y=1 | time 3 4\n y:1 x:0", "causal", "0 1 2", "", ""},
		{skew, "psi", "0 1", "", ""},
		{"x:0 x=1\n x:0 x=2", "causal", "0 1", "", ""},
		{"x:0 x=1\n x:0 x=2", "psi", "0 1", "", "rule parallel-snapshot, T1, which reads 0 of x"},
	} {
		h := isolationtest.Parse(c.history)
		w := &isolation.Witness{}
		for _, e := range strings.Fields(c.events) {
			var t int32
			if scan(e, "^%d", &t) {
				t = ^t
			} else {
				require.True(t0, scan(e, "%d", &t))
			}
			w.Events = append(w.Events, t)
		}
		if s := (isolation.Source{}); scan(c.source, "%d.%d %d", &s.Txn, &s.Access, &s.From) {
			w.Sources = append(w.Sources, s)
		}
		err := Check(context.Background(), h, &isolation.Certificate{Level: c.level, Witness: w})
		name := strings.Join([]string{c.history, c.level, c.why}, "\n")
		if c.why == "" {
			assert.NoError(t0, err, name)
		} else {
			assert.ErrorContains(t0, err, c.why, name)
		}
	}
}

// TestRefutationsAreRefused has refutations that are wrong as a whole.
func TestRefutationsAreRefused(t *testing.T) {
	h := isolationtest.Parse("x:0 x=1\n x:0 x=2")
	good := func() *isolation.Certificate {
		p, q := []isolation.Place{at(0, 0)}, []isolation.Place{at(1, 0)}
		return &isolation.Certificate{Level: "serializable", Refutation: &isolation.Refutation{
			Clauses: []isolation.Clause{
				{Rule: isolation.RuleOverwritten, Places: p, Txns: []int32{-1, 1}}, // 1
				{Rule: isolation.RuleOverwritten, Places: q, Txns: []int32{-1, 0}}, // -1
			},
			Lemmas: []proof.Lemma{{Hints: []int32{1, 2}}}}}
	}
	ctx := context.Background()
	require.NoError(t, Check(ctx, h, good()))
	for why, change := range map[string]func(c *isolation.Certificate){
		"unknown level":  func(c *isolation.Certificate) { c.Level = "serialisable" },
		"a witness or a": func(c *isolation.Certificate) { c.Refutation = nil },
		"or a refutation": func(c *isolation.Certificate) {
			c.Witness = &isolation.Witness{Events: []int32{0, 1}}
		},
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

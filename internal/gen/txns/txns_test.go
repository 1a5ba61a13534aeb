package txns_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen/txns"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
)

// TestClaims: what is known of a history by construction holds by definition.
func TestClaims(t *testing.T) {
	deviating := map[string]int{} // runs that are not serializable without an anomaly
	for seed := range uint64(testenv.Scale(20, 200)) {
		for _, level := range txns.Levels() {
			for _, fault := range append([]string{""}, txns.Faults()...) {
				for _, lists := range []bool{false, true} {
					o := txns.Options{Level: level, Fault: txns.Fault(fault), Transactions: 3, Sessions: 4, Objects: 2,
						Length: 3, Lists: lists, ReadRate: 0.5, PendingRate: 0.1, AbortRate: 0.1, Seed: seed}
					if fault == "" {
						o.Transactions = 6
					}
					c, err := txns.Generate(o)
					require.NoError(t, err)
					h, err := isolation.Of(c.History)
					require.NoError(t, err)
					if c.Level != nil {
						assert.True(t, oracle.Isolated(h, *c.Level), "%+v: not %s", o, c.Level)
					}
					if c.Fails != nil {
						assert.False(t, oracle.Isolated(h, *c.Fails), "%+v: %s", o, c.Fails)
					}
					assert.Equal(t, fault == "", c.Fails == nil)
					if fault == "" && !oracle.Isolated(h, isolation.Level{Model: isolation.Serializable}) {
						deviating[level]++
					}
				}
			}
		}
	}
	assert.Zero(t, deviating["serializable"])
	for _, level := range txns.Levels()[1:] {
		assert.Positive(t, deviating[level], "%s has no runs of its own", level)
	}
}

// TestSeeds: equal options give equal histories, and other seeds others.
func TestSeeds(t *testing.T) {
	write := func(seed uint64) string {
		c, err := txns.Generate(txns.Options{Level: "parallel-snapshot", Fault: "long-fork", ReadRate: 0.5,
			PendingRate: 0.01, AbortRate: 0.1, Values: 9, Seed: seed})
		require.NoError(t, err)
		assert.Nil(t, c.Fails, "values repeat")
		assert.Positive(t, c.History.Pending())
		assert.NotEmpty(t, c.History.Aborted)
		var b bytes.Buffer
		require.NoError(t, history.WriteJSONL(&b, c.History))
		return b.String()
	}
	assert.Equal(t, write(3), write(3))
	assert.NotEqual(t, write(3), write(4))
}

func TestRefused(t *testing.T) {
	for want, o := range map[string]txns.Options{
		`no store of level "causal"`:                                              {Level: "causal"},
		`unknown anomaly "x"`:                                                     {Level: "serializable", Fault: "x"},
		"a share must be between 0 and 1, not 2":                                  {Level: "serializable", ReadRate: 2},
		"the anomaly long-fork needs 4 sessions and 2 objects":                    {Level: "serializable", Fault: "long-fork", Sessions: 3},
		"transactions, sessions, objects, length and values must not be negative": {Level: "serializable", Values: -1},
	} {
		_, err := txns.Generate(o)
		assert.EqualError(t, err, want)
	}
}

package solve

import (
	"context"
	"errors"
	"testing"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/stretchr/testify/assert"
)

// blind is transactions that each write one register, which nobody reads.
func blind(n int) *isolation.History {
	h := &isolation.History{Objects: []isolation.Object{{Name: "x"}}, Values: []string{"null"}}
	for i := range int32(n) {
		h.Values = append(h.Values, "v")
		h.Txns = append(h.Txns, isolation.Txn{Op: 0, Session: i, Call: 0, Return: 1,
			Accesses: []isolation.Access{{Kind: isolation.Write, Value: i + 1}}})
	}
	return h
}

// TestMemoryIsLimited: many orders of many writers are unknown, whatever they would take.
func TestMemoryIsLimited(t *testing.T) {
	for _, c := range []struct {
		level  isolation.Level
		memory int64
		why    string
	}{
		{isolation.Level{Model: isolation.Snapshot}, 1 << 18, tooManyOrders},
		{isolation.Level{Model: isolation.ParallelSnapshot}, 4 << 20, "too many transactions write one object"},
	} {
		a := Decide(context.Background(), blind(2000), c.level, newGini, c.memory)
		assert.False(t, a.Holds || a.Fails)
		assert.Contains(t, a.Unclear, c.why)
	}
}

// TestUnknownNamesTheCause: a check that is ended from outside says by what.
func TestUnknownNamesTheCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("memory limit"))
	a := Decide(ctx, blind(300), isolation.Level{Model: isolation.Snapshot}, newGini, 0)
	assert.False(t, a.Holds || a.Fails)
	assert.Equal(t, "memory limit", a.Unclear)
}

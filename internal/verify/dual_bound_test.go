package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scarce is a register with so many writes of 1 that never return, and a 1 that is seen so many
// times, each time after 0 was written.
func scarce(t *testing.T, writes, seen int) *model.Instance {
	b := history.NewBuilder()
	add := func(process, f string, arg, result history.Value, call, ret int64) {
		r := history.Record{Process: b.Process(process), F: b.Values.String(f), Key: history.NoKey, Arg: arg,
			Result: result, Call: call, Return: ret}
		if ret < 0 {
			r.Pending = true
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	for i := range writes {
		add("w"+string(rune('a'+i)), "write", b.Values.Int(1), history.Nil, int64(i), -1)
	}
	now := int64(writes)
	for range seen {
		add("p", "write", b.Values.Int(0), history.Nil, now, now+1)
		add("p", "read", history.Nil, b.Values.Int(1), now+2, now+3)
		now += 4
	}
	h, err := b.Finish()
	require.NoError(t, err)
	s := testkit.Spec(t, "register")
	bound, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return bound
}

func TestDualBoundsAreVerified(t *testing.T) {
	one := &proof.DualBound{Prices: []proof.Price{{Op: 0, Multiplier: 1}}}
	assert.NoError(t, verify.Proof(context.Background(), nil, scarce(t, 1, 2), one))
	assert.NoError(t, verify.DualBound(context.Background(), scarce(t, 3, 4), one))
	assert.NoError(t, verify.DualBound(context.Background(), scarce(t, 3, 4),
		&proof.DualBound{Prices: []proof.Price{{Op: 2, Multiplier: 7}}}), "any of them stands for all")
	assert.NoError(t, verify.DualBound(context.Background(), scarce(t, 0, 1), &proof.DualBound{}),
		"it was never written")

	assert.EqualError(t, verify.DualBound(context.Background(), scarce(t, 2, 2), one),
		"the multipliers do not exclude 1 ways through all 4 returns")
	assert.EqualError(t, verify.DualBound(context.Background(), scarce(t, 1, 2), &proof.DualBound{}),
		"the multipliers do not exclude 1 ways through all 4 returns")
	for _, r := range []*proof.DualBound{nil,
		{Prices: []proof.Price{{Op: -1, Multiplier: 1}}}, {Prices: []proof.Price{{Op: 99, Multiplier: 1}}},
		{Prices: []proof.Price{{Op: 1, Multiplier: 1}}}, // it returned
		{Prices: []proof.Price{{Op: 0, Multiplier: 0}}}, {Prices: []proof.Price{{Op: 0, Multiplier: -1}}},
		{Prices: []proof.Price{{Op: 0, Multiplier: 1 << 62}}},
		{Prices: []proof.Price{{Op: 0, Multiplier: 1}, {Op: 0, Multiplier: 1}}}} {
		assert.Error(t, verify.DualBound(context.Background(), scarce(t, 1, 2), r), "%+v", r)
	}
}

// No prices refute what is linearizable.
func TestDualBoundsRefuteNoLinearizableHistory(t *testing.T) {
	yes := 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		name := []string{"register", "cas-register", "kv", "mutex", "set"}[rng.IntN(5)]
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 8, NoEdges: true})
		require.NoError(t, err)
		s, _ := specs.Lookup(name)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		if ok, _ := oracle.Linearizable(b); !ok {
			continue
		}
		r, priced := &proof.DualBound{}, map[int32]bool{}
		for i := range b.Partition.Ops {
			if b.Partition.Ops[i].Pending() && !priced[b.EquivID[i]] && rng.IntN(4) > 0 {
				priced[b.EquivID[i]] = true
				r.Prices = append(r.Prices, proof.Price{Op: history.OpID(i), Multiplier: 1 + rng.Int64N(10)})
			}
		}
		require.Error(t, verify.DualBound(context.Background(), b, r), "seed %d", seed)
		yes++
	}
	assert.Greater(t, yes, 500)
}

// Very many configurations between two returns are refused in time, not tried.
func TestTooManyConfigurationsAreRefusedInTime(t *testing.T) {
	defer verify.LimitPriceWork(1 << 20)()
	h := history.NewBuilder()
	for i := range int64(40) {
		_, err := h.Add(history.Record{Process: h.ProcessInt(i), F: h.Values.String("write"), Key: history.NoKey,
			Arg: h.Values.Int(i), Call: 0, Return: 10 + i})
		require.NoError(t, err)
	}
	_, err := h.Add(history.Record{Process: h.ProcessInt(40), F: h.Values.String("read"), Key: history.NoKey,
		Result: h.Values.Int(-1), Call: 100, Return: 101})
	require.NoError(t, err)
	whole, err := h.Finish()
	require.NoError(t, err)
	s, _ := specs.Lookup("register")
	b, err := s.Bind(model.Whole(whole))
	require.NoError(t, err)
	assert.ErrorIs(t, verify.DualBound(context.Background(), b, &proof.DualBound{}), base.ErrTooLarge)
	verify.LimitPriceWork(1)
	assert.ErrorIs(t, verify.DualBound(context.Background(), scarce(t, 1, 2),
		&proof.DualBound{Prices: []proof.Price{{Op: 0, Multiplier: 1}}}), base.ErrTooLarge)
}

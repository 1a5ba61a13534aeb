package modelspec_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// balances are accounts between which is moved, two at a time.
type balances [64]int8

type moved struct {
	from, to int
	amount   int8
	look     bool
}

func (m moved) on(s balances) ([2]int8, balances) {
	if m.look {
		return [2]int8{s[m.from], s[m.to]}, s
	}
	s[m.from] -= m.amount
	s[m.to] += m.amount
	return [2]int8{}, s
}

// transfers draws operations that move and look, at most 32 of them open at a time.
func transfers(n int) []linsat.Op[moved, [2]int8] {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	var ops []linsat.Op[moved, [2]int8]
	var s balances
	for k := range n {
		in := moved{from: rng.IntN(64), amount: int8(1 + rng.IntN(9)), look: rng.IntN(2) == 0}
		in.to = (in.from + 1 + rng.IntN(63)) % 64
		o := linsat.Op[moved, [2]int8]{Client: -1, Input: in, Call: int64(100*k) - rng.Int64N(1600),
			Return: int64(100*k) + rng.Int64N(1600)}
		o.Output, s = in.on(s)
		ops = append(ops, o)
	}
	return ops
}

// Operations on several keys of which nothing is said: what they were seen to touch finds the
// linearization, in a model and in a specification of Define.
func TestLinearizationsAreFoundByWhatWasSeen(t *testing.T) {
	ctx := context.Background()
	n := 3000
	ops := transfers(n)
	m := linsat.Model[balances, moved, [2]int8]{Step: func(s balances, in moved) []linsat.Outcome[balances, [2]int8] {
		out, next := in.on(s)
		return linsat.Returns(out, next)
	}}
	out, err := linsat.CheckOps(ctx, m, ops, linsat.Steps(100_000))
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, out.Verdict, out.Explanation)
	assert.True(t, out.Certified)

	s, err := spec.Define(spec.Definition[balances]{Name: "ledger",
		Step: func(s balances, c spec.Call) []spec.Outcome[balances] {
			a := spec.As[[]int](c.Arg)
			out, next := moved{a[0], a[1], int8(a[2]), c.F == "look"}.on(s)
			if c.F == "look" {
				return []spec.Outcome[balances]{{Output: []any{int64(out[0]), int64(out[1])}, Next: next}}
			}
			return []spec.Outcome[balances]{{Next: next, AnyOutput: true}}
		}})
	require.NoError(t, err)
	b := history.NewBuilder()
	for i, o := range ops {
		arg, err := b.Values.Of([]int{o.Input.from, o.Input.to, int(o.Input.amount)})
		require.NoError(t, err)
		r := history.Record{Process: b.ProcessInt(int64(i)), Key: history.NoKey, F: b.Values.String("move"), Arg: arg,
			Call: o.Call, Return: o.Return}
		if o.Input.look {
			r.F = b.Values.String("look")
			r.Result, err = b.Values.Of(o.Output)
			require.NoError(t, err)
		}
		_, err = b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	r, err := linsat.Check(ctx, s, h, linsat.Steps(100_000))
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, r.Verdict)
	assert.True(t, r.Certified)
}

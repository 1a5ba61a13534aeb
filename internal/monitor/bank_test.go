package monitor

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crashingBank simulates clients of a bank as Jepsen's test has them, with the share of transfers
// whose outcome stays unknown. A third of these never takes effect, a third does so up to late
// after the call.
func crashingBank(t testing.TB, seed uint64, n, clients, accounts int, rate float64, late int64,
	stated bool) *history.History {
	t.Helper()
	type event struct {
		at int64
		op int // that takes effect
	}
	r := rand.New(rand.NewPCG(seed, 83))
	b := history.NewBuilder()
	name := func(a int) history.Value { return b.Values.String(fmt.Sprint(a)) }
	var ops []history.Record
	var moves [][3]int
	var effects []event
	at := make([]int64, clients)
	for c := range at {
		at[c] = r.Int64N(1000)
	}
	for k := range n {
		c := 0
		for x := range at {
			if at[x] < at[c] {
				c = x
			}
		}
		o := history.Record{Process: b.Process(fmt.Sprint(k)), F: b.Values.String("read"), Key: history.NoKey,
			Call: at[c], Return: at[c] + 1 + r.Int64N(1000)}
		effect, move := o.Call+1+r.Int64N(o.Return-o.Call), [3]int{}
		at[c] = o.Return + 1 + r.Int64N(200)
		if r.IntN(2) == 0 {
			from := r.IntN(accounts)
			move = [3]int{from, (from + 1 + r.IntN(accounts-1)) % accounts, 1 + r.IntN(5)}
			o.F = b.Values.String("transfer")
			o.Arg = b.Values.Map([]history.Value{b.Values.String("from"), name(move[0]), b.Values.String("to"),
				name(move[1]), b.Values.String("amount"), b.Values.Int(int64(move[2]))})
			if r.Float64() < rate {
				o.Pending = true
				switch r.IntN(3) {
				case 0:
					effect = math.MaxInt64
				case 1:
					effect = o.Call + 1 + r.Int64N(1+late)
				}
			}
		}
		ops, moves, effects = append(ops, o), append(moves, move), append(effects, event{effect, k})
	}
	slices.SortStableFunc(effects, func(x, y event) int { return cmp.Compare(x.at, y.at) })
	balances := make([]int, accounts)
	show := func() history.Value {
		var pairs []history.Value
		for a, n := range balances {
			pairs = append(pairs, name(a), b.Values.Int(int64(n)))
		}
		return b.Values.Map(pairs)
	}
	for a := range balances {
		balances[a] = 10
	}
	if stated {
		b.SetInitial(show())
	}
	for _, e := range effects {
		o, m := &ops[e.op], moves[e.op]
		if e.at == math.MaxInt64 {
			continue
		}
		if m[2] == 0 {
			o.Result = show()
			continue
		}
		made := balances[m[0]] >= m[2]
		if made {
			balances[m[0]] -= m[2]
			balances[m[1]] += m[2]
		}
		if !o.Pending {
			o.Result = b.Values.Bool(made)
		}
	}
	for _, o := range ops {
		_, err := b.Add(o)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestBanksAgreeWithTheDefinition compares the walk with the definition on small banks, of which
// many have transfers of unknown outcome, refused ones, balances that are not stated, and changed
// results. It finds nearly every linearization that there is.
func TestBanksAgreeWithTheDefinition(t *testing.T) {
	found, missed, wrong := 0, 0, 0
	compare := func(h *history.History, seed uint64) {
		b := bindTo(t, "bank", h)
		a := checkBank(t.Context(), b, model.As[*model.BankTheory](b), nil, bankWidest)
		want, _ := oracle.Linearizable(b)
		about := func() string { return fmt.Sprintf("seed %d\n%s", seed, randomspec.Show(b.Partition)) }
		require.NotEqual(t, engine.NotLinearizable, a.Verdict, about())
		switch {
		case a.Verdict == engine.Linearizable:
			found++
			require.True(t, want, about())
			require.NoError(t, verify.Witness(b, a.Witness), about())
		case want && a.Cause == engine.Undecided:
			missed++
		case a.Cause == engine.Undecided:
			wrong++
		}
	}
	for seed := range uint64(testenv.Scale(2_000, 200_000)) {
		h, err := gen.Small("bank", seed, gen.SmallOptions{All: seed%2 == 0, Keys: 1, Distinct: seed%3 == 0})
		require.NoError(t, err)
		compare(h, seed)
		r := rand.New(rand.NewPCG(seed, 84))
		compare(crashingBank(t, seed, 4+r.IntN(5), 2+r.IntN(4), 2+r.IntN(2), 0.3+0.5*r.Float64(), 2000, r.IntN(2) == 0),
			seed)
	}
	t.Log(found, missed, wrong)
	assert.Greater(t, found, testenv.Scale(1_000, 100_000))
	assert.Greater(t, wrong, testenv.Scale(10, 1_000))
	assert.Less(t, missed*100, found)
}

// TestLongBanksWithManyUnknownOutcomes decides histories as Jepsen records them, of which every
// fifth transfer has an unknown outcome. Without the walk the sums leave them open, and the search
// gives up.
func TestLongBanksWithManyUnknownOutcomes(t *testing.T) {
	for seed := range uint64(testenv.Scale(2, 8)) {
		seed++
		for _, rate := range []float64{0.01, 0.2} {
			b := bindTo(t, "bank", crashingBank(t, seed, testenv.Scale(5_000, 50_000), 10, 8, rate,
				100_000, seed%2 == 0))
			a, err := New().Check(t.Context(), &engine.Problem{Instance: b}, nil)
			require.NoError(t, err)
			require.Equal(t, engine.Linearizable, a.Verdict, "seed %d, %v: %s", seed, rate, a.Detail)
			require.Contains(t, a.By, "bank")
			require.NoError(t, verify.Witness(b, a.Witness))
		}
	}
}

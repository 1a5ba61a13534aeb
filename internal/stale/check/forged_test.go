package check

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestForgedSourcesAreRefused gives the verifier, where the answer is no, a source for each read
// that left the value which the read returned: only the times tell it from a right one.
func TestForgedSourcesAreRefused(t *testing.T) {
	q, refused := stale.Question{Kind: stale.WeaklyRegular}, 0
	for seed := range uint64(testenv.Scale(2_000, 20_000)) {
		name := []string{"register", "kv"}[seed%2]
		sp, _ := specs.Lookup(name)
		h := random(t, name, seed)
		x, err := stale.Of(sp, h)
		if err != nil || len(h.Edges) > 0 || x.OnlyReadsAndWrites() != nil || defined(t, h, name, q) {
			continue
		}
		forged := &stale.Certificate{Question: q.String()}
		complete := true
		future := seed%4 > 1 // also writes that were called after the read had returned
		for k := range x.Objects {
			o := &x.Objects[k]
			order := stale.Order{Object: o.Name}
			for i := range o.Ops {
				read := &o.Ops[i]
				if !read.Read {
					continue
				}
				w := slices.IndexFunc(o.Ops, func(w stale.Op) bool {
					return !w.Read && (future || w.Call < read.Return) && read.Modes[0].Allows(w.Modes[0].Leaves)
				})
				source := stale.Source{Read: read.ID, Write: -1}
				if w >= 0 {
					source.Write = o.Ops[w].ID
				}
				complete = complete && (w >= 0 || read.Modes[0].Allows(o.Initial))
				order.Sources = append(order.Sources, source)
			}
			forged.Orders = append(forged.Orders, order)
		}
		if !complete {
			continue
		}
		require.Error(t, verify.New(x).Check(context.Background(), forged), "seed %d: %+v", seed, h.Ops)
		refused++
	}
	require.Greater(t, refused, testenv.MoreThan(50))
}

// TestForgedOrdersAreRefused gives the verifier, where the answer is no, every order of the
// operations that took effect.
func TestForgedOrdersAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 5))
	sp, _ := specs.Lookup("register")
	refused := map[stale.Kind]int{}
	for n := range testenv.Scale(500, 20_000) {
		h := sparse(t, rng)
		x, err := stale.Of(sp, h)
		require.NoError(t, err)
		for _, q := range []stale.Question{{Kind: stale.Late}, {Kind: stale.Moved, Bound: 1 + rng.Int64N(9)},
			{Kind: stale.Regular}} {
			if defined(t, h, "register", q) {
				continue
			}
			permutations(x.Objects[0].Ops, func(order []history.OpID) {
				forged := &stale.Certificate{Question: q.String(), Orders: []stale.Order{{Operations: order}}}
				err := verify.New(x).Check(context.Background(), forged)
				require.Error(t, err, "%d: %v: %v of %+v", n, q, order, h.Ops)
				refused[q.Kind]++
			})
		}
	}
	for _, k := range []stale.Kind{stale.Late, stale.Moved, stale.Regular} {
		require.Greater(t, refused[k], testenv.MoreThan(100))
	}
}

// sparse returns a history of a register of four operations or less, with pauses.
func sparse(t *testing.T, rng *rand.Rand) *history.History {
	b := history.NewBuilder()
	for i := range 2 + rng.IntN(3) {
		r := history.Record{Process: b.ProcessInt(int64(i)), F: b.Values.String("read"), Key: history.NoKey,
			Call: rng.Int64N(40)}
		r.Return = r.Call + 1 + rng.Int64N(12)
		if v := b.Values.Int(rng.Int64N(3)); rng.IntN(2) == 0 {
			r.F, r.Arg = b.Values.String("write"), v
		} else {
			r.Result = v
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// permutations calls f with every order of the operations.
func permutations(ops []stale.Op, f func(order []history.OpID)) {
	order := make([]history.OpID, len(ops))
	for i := range ops {
		order[i] = ops[i].ID
	}
	var from func(k int)
	from = func(k int) {
		if k == len(order) {
			f(slices.Clone(order))
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			from(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	from(0)
}

// TestOrdersOfOtherObjectsAreRefused: an order is of the object that it names.
func TestOrdersOfOtherObjectsAreRefused(t *testing.T) {
	sp, _ := specs.Lookup("kv")
	b := history.NewBuilder()
	for i, key := range []string{"x", "y"} {
		_, err := b.Add(history.Record{Process: b.ProcessInt(int64(i)), F: b.Values.String("put"),
			Key: b.Values.String(key), Arg: b.Values.Int(1), Call: 1, Return: 2})
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	x, err := stale.Of(sp, h)
	require.NoError(t, err)
	c := &stale.Certificate{Question: "late 0"}
	for k := range x.Objects {
		o := &x.Objects[k]
		c.Orders = append(c.Orders, stale.Order{Object: o.Name, Operations: []history.OpID{o.Ops[0].ID}})
	}
	require.NoError(t, verify.New(x).Check(context.Background(), c))
	c.Orders[0].Object = c.Orders[1].Object
	require.ErrorContains(t, verify.New(x).Check(context.Background(), c), "its order stands where that of")
}

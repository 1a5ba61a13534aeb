package picture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longestBySearch is the definition: by operation, the length of a longest partial linearization
// with it, found by trying all.
func longestBySearch(b *model.Instance) []int {
	p := b.Partition
	m := b.NewMachine()
	longest := make([]int, p.Len())
	placed := make([]bool, p.Len())
	var order []history.OpID
	var try func(s model.State)
	try = func(s model.State) {
		for _, i := range order {
			longest[i] = max(longest[i], len(order))
		}
		for i := range p.Ops {
			if placed[i] || !mayBeNext(p, placed, history.OpID(i)) {
				continue
			}
			placed[i] = true
			order = append(order, history.OpID(i))
			for _, t := range m.Step(s, history.OpID(i), nil) {
				try(t)
			}
			order = order[:len(order)-1]
			placed[i] = false
		}
	}
	try(m.Init())
	return longest
}

// mayBeNext reports whether nothing that must precede i is missing, and nothing that it must
// precede is placed.
func mayBeNext(p *model.Partition, placed []bool, i history.OpID) bool {
	for j := range p.Ops {
		if !placed[j] && p.Ops[j].Return < p.Ops[i].Call {
			return false
		}
	}
	for _, e := range p.Edges {
		if e.After == i && !placed[e.Before] && !p.Ops[e.Before].Pending() || e.Before == i && placed[e.After] {
			return false
		}
	}
	return true
}

// guessed is a history of a register, with results at random.
func guessed(t *testing.T, r *rand.Rand) *history.History {
	t.Helper()
	b := history.NewBuilder()
	value := func() history.Value { return b.Values.Int(int64(r.IntN(2))) }
	for p := range 3 {
		lane, clock := b.Process(fmt.Sprint(p)), int64(r.IntN(4))
		for range 2 + r.IntN(2) {
			rec := history.Record{Process: lane, Key: history.NoKey, Call: clock, Return: clock + 1 + int64(r.IntN(6))}
			clock = rec.Return + 1 + int64(r.IntN(3))
			if r.IntN(2) == 0 {
				rec.F, rec.Arg = b.Values.String("write"), value()
			} else {
				rec.F, rec.Result = b.Values.String("read"), value()
			}
			if r.IntN(8) == 0 {
				rec.Pending, rec.Result = true, history.Nil
			}
			_, err := b.Add(rec)
			require.NoError(t, err)
			if rec.Pending {
				break
			}
		}
	}
	b.SetSpec("register")
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestPartialLinearizations: every order is one, and none is shorter than the definition says.
func TestPartialLinearizations(t *testing.T) {
	refuted, pending, several := 0, 0, 0
	for _, name := range []string{"register", "cas-register", "queue", "stack", "set", "kv", "lock"} {
		histories := full(150)
		if name == "register" {
			histories *= 6
		}
		for seed := range uint64(histories) {
			h := guessed(t, rand.New(rand.NewPCG(seed, 7)))
			if name != "register" {
				g, err := gen.Generate(gen.Options{Spec: name, Operations: 8, Processes: 4, Overlap: 3,
					Violation: gen.Violations()[seed%5], Values: 3, PendingRate: 0.15, Seed: seed})
				if err != nil { // there is none of this kind
					continue
				}
				h = g.History
			}
			s, ok := specs.Lookup(name)
			require.True(t, ok)
			checked, err := linsat.Check(context.Background(), s, h, linsat.Engine("search"))
			require.NoError(t, err)
			r := result.Of(checked)
			if checked.Verdict != linsat.NotLinearizable {
				continue
			}
			refuted++
			b := r.Instance()
			orders, of := partials(b)
			want := longestBySearch(b)
			for i, k := range of {
				if b.Partition.Ops[i].Pending() {
					pending++
				}
				if k < 0 {
					assert.Zero(t, want[i], "%s, seed %d, operation %d", name, seed, i)
					continue
				}
				assert.Len(t, orders[k], want[i], "%s, seed %d, operation %d", name, seed, i)
				assert.Contains(t, orders[k], b.Partition.Global(history.OpID(i)))
			}
			if len(orders) > 1 {
				several++
			}
			for _, order := range orders {
				assertPartial(t, b, order)
			}
		}
	}
	assert.Greater(t, refuted, 100)
	assert.Greater(t, pending, 20)
	assert.Greater(t, several, 5)
}

// assertPartial replays an order from the definition of partial linearizations.
func assertPartial(t *testing.T, b *model.Instance, order Partial) {
	t.Helper()
	p := b.Partition
	local := map[history.OpID]history.OpID{}
	for i := range p.Ops {
		local[p.Global(history.OpID(i))] = history.OpID(i)
	}
	placed := make([]bool, p.Len())
	m := b.NewMachine()
	states := []model.State{m.Init()}
	for _, g := range order {
		i, known := local[g]
		require.True(t, known)
		assert.False(t, placed[i])
		assert.True(t, mayBeNext(p, placed, i))
		placed[i] = true
		var next []model.State
		for _, s := range states {
			next = m.Step(s, i, next)
		}
		states = next
		require.NotEmpty(t, states)
	}
}

func TestColors(t *testing.T) {
	for _, ok := range []string{"#fff", "#a02020", "#A0202080", "khaki", "rgb(1, 2, 3)", "hsl(120deg 50% 50% / 0.5)"} {
		assert.Equal(t, ok, color(ok))
	}
	for _, bad := range []string{"", "#ff", "#ggg", "red;x", "url(javascript:alert(1))", `"><script>`, "rgb(1,2,3",
		"a(b(c))", "expression(alert('x'))", string(make([]byte, 50))} {
		assert.Empty(t, color(bad), bad)
	}
}

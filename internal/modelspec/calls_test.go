package modelspec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cell is an operation on a register.
type cell struct {
	put   bool
	value int
	key   int
}

// asked counts the calls of a model's code.
type asked struct {
	mu    sync.Mutex
	times map[any]int
}

func (a *asked) note(about any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times == nil {
		a.times = map[any]int{}
	}
	a.times[about]++
}

// count returns how many pairs were asked about, how often all of them and how often one at most.
func (a *asked) count() (pairs, calls, most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.times {
		calls, most = calls+n, max(most, n)
	}
	return len(a.times), calls, most
}

// stepping is a register by Step, whose calls are counted by state and input.
func stepping(a *asked) linsat.Model[int, cell, int] {
	return linsat.Model[int, cell, int]{
		Name: "counted", Key: func(in cell) any { return in.key },
		Step: func(s int, in cell) []linsat.Outcome[int, int] {
			a.note([2]any{s, in})
			if in.put {
				return linsat.Returns(0, in.value)
			}
			return linsat.Returns(s, s)
		},
	}
}

// accepting is a register by Accept, whose calls are counted by state, input and output.
func accepting(a *asked) linsat.Model[int, cell, int] {
	return linsat.Model[int, cell, int]{
		Name: "counted", Key: func(in cell) any { return in.key },
		Accept: func(s int, in cell, out int) []int {
			a.note([3]any{s, in, out})
			if in.put {
				return []int{in.value}
			}
			if out == s {
				return []int{s}
			}
			return nil
		},
		Open: func(s int, in cell) []int {
			a.note([2]any{s, in})
			if in.put {
				return []int{in.value}
			}
			return []int{s}
		},
	}
}

// cells is a history of registers by four clients, or one with a read that is stale.
func cells(n, values, keys int, ok bool) []linsat.Op[cell, int] {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	var ops []linsat.Op[cell, int]
	value, busy := make([]int, keys), [4]int64{}
	for i := range n {
		now := max(int64(10*i), busy[i%4]+1)
		in := cell{put: rng.IntN(2) == 0, value: rng.IntN(values), key: rng.IntN(keys)}
		out := value[in.key]
		if in.put {
			value[in.key], out = in.value, 0
		} else {
			in.value = 0
		}
		busy[i%4] = now + rng.Int64N(30)
		ops = append(ops, linsat.Op[cell, int]{Client: i % 4, Input: in, Call: now, Output: out, Return: busy[i%4]})
	}
	if !ok {
		last := ops[n-1].Return + 1
		ops = append(ops, linsat.Op[cell, int]{Client: 4, Input: cell{put: true, value: 1}, Call: last,
			Return: last + 1},
			linsat.Op[cell, int]{Client: 4, Input: cell{}, Call: last + 2, Output: 2, Return: last + 3})
	}
	return ops
}

// calls says how often one pair of state and kind may be asked about: by the engines and by the
// verifier, each of which may take a sample of it, two calls more, and repeat that once.
const calls = 2 * (1 + 2 + 1)

// A model is asked at most once by the engines and once by the verifier about each state and kind
// of operation, whatever else a check does: besides, there are samples.
func TestModelsAreAskedOnce(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		n, values, keys int
		options         []linsat.Option
	}{
		{20, 5, 1, nil},
		{300, 5, 1, nil},
		{1000, 5, 1, nil},
		{1000, 50, 1, nil},
		{1000, 5, 8, []linsat.Option{linsat.Workers(4)}},
		{1000, 1000, 1, []linsat.Option{linsat.Workers(4)}},
		{200, 5, 4, []linsat.Option{linsat.Partition("none")}},
		{100, 5, 1, []linsat.Option{linsat.Engine("all"), linsat.Workers(4)}},
		{1000, 50, 1, []linsat.Option{linsat.Timeout(2 * time.Millisecond)}},
		{1000, 50, 1, []linsat.Option{linsat.Steps(500)}},
	} {
		for _, ok := range []bool{true, false} {
			for _, argue := range []time.Duration{0, 5 * time.Second} {
				for _, lost := range []bool{false, true} {
					name := fmt.Sprint(c.n, c.values, c.keys, len(c.options), ok, argue, lost)
					ops := cells(c.n, c.values, c.keys, ok)
					for i := 7; lost && i < c.n; i += 50 {
						ops[i].Unknown = true
					}
					var a asked
					m := accepting(&a)
					r, err := linsat.CheckOps(ctx, m, ops,
						append(c.options, linsat.Explain(linsat.ExplainOptions{Time: argue}))...)
					require.NoError(t, err, name)
					pairs, all, most := a.count()
					assert.LessOrEqual(t, most, calls, name)
					assert.LessOrEqual(t, all, 2*pairs+3*(78*c.keys+pairs/32), name)
					if r.Verdict != engine.Unknown {
						assert.Equal(t, ok, r.Verdict == engine.Linearizable, name)
					}
					if !r.Certified {
						continue
					}
					certificate, err := linsat.Certify(r.History, &r.Result)
					require.NoError(t, err, name)
					_, before, _ := a.count()
					assert.Equal(t, all, before, "%s: a certificate needs no step", name)
					var b asked
					s, h, err := accepting(&b).Prepare(ops)
					require.NoError(t, err, name)
					if c.keys == 1 {
						require.NoError(t, linsat.Verify(ctx, s, h, certificate), name)
						_, _, most = b.count()
						assert.LessOrEqual(t, most, calls, name)
					}
				}
			}
		}
	}
}

// Where a model computes outputs, it is asked about an input once for each output that was seen.
func TestModelsAreAskedOnceForEachOutput(t *testing.T) {
	for _, ok := range []bool{true, false} {
		var a asked
		r, err := linsat.CheckOps(context.Background(), stepping(&a), cells(1000, 5, 1, ok))
		require.NoError(t, err)
		assert.Equal(t, ok, r.Verdict == engine.Linearizable)
		_, _, most := a.count()
		assert.LessOrEqual(t, most, calls*(5+1)+1) // an unknown output, and why it is not another
	}
}

package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/gen"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linearize asks the library.
func linearize(ctx context.Context, s model.Spec, h *history.History, whole, why bool) (*result.Result, error) {
	var options []linsat.Option
	if !why {
		options = append(options, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	}
	if whole {
		options = append(options, linsat.Partition(linsat.Whole))
	}
	r, err := linsat.Check(ctx, s, h, options...)
	if err != nil {
		return nil, err
	}
	return result.Of(r), nil
}

// newCase is a history for which something is asked.
func newCase(s model.Spec, h *history.History) *check.Case {
	return &check.Case{Spec: s, History: h, Linearize: linearize, Solver: func() solver.Solver { return gini.New() }}
}

// small returns a small history of a specification, and the question pram.
func small(t *testing.T, name string, seed uint64) (*history.History, *consistency.Question) {
	h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6})
	require.NoError(t, err)
	q, err := consistency.Parse("pram")
	require.NoError(t, err)
	return h, q
}

// ask answers one question about a history, and has the certificate judged.
func ask(t *testing.T, s model.Spec, h *history.History, name string) check.Answer {
	t.Helper()
	q, err := consistency.Parse(name)
	require.NoError(t, err)
	a, err := check.Ask(context.Background(), newCase(s, h), q)
	require.NoError(t, err)
	require.NotEqual(t, levels.Unknown, a.Verdict, a.Unclear)
	require.NotNil(t, a.Certificate)
	require.NoError(t, a.Refused)
	holds, err := check.Verify(context.Background(), s, h, q, a.Certificate)
	require.NoError(t, err)
	require.Equal(t, a.Verdict == levels.Holds, holds)
	return a
}

// TestSequentialIsTheDefinition compares sequential consistency of every specification with its
// definition, on random histories.
func TestSequentialIsTheDefinition(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var holds, fails int
			for seed := range uint64(testenv.Scale(40, 20_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				want := oracle.Sequential(b)
				a := ask(t, s, h, "sequential")
				require.Equal(t, want, a.Verdict == levels.Holds, "seed %d", seed)
				if want {
					holds++
				} else {
					fails++
				}
			}
			assert.Greater(t, holds, testenv.MoreThan(0))
			t.Logf("%d hold, %d fail", holds, fails)
		})
	}
}

// TestQueueOrders: an order of a queue is found only where the definition has one. It is found for
// about a third of small histories: most others have removals that find nothing.
func TestQueueOrders(t *testing.T) {
	found, sequential, taken := 0, 0, 0
	for seed := range uint64(testenv.Scale(2_000, 60_000)) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 8, Distinct: true, Keys: 1, NoEdges: true})
		require.NoError(t, err)
		s, _ := specs.Lookup("queue")
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		a, err := check.Queued(newCase(s, h), context.Background())
		require.NoError(t, err)
		want := oracle.Sequential(b)
		if want {
			sequential++
		}
		if a.Verdict != levels.Holds {
			continue
		}
		found++
		require.True(t, want, "seed %d", seed)
		require.NoError(t, a.Refused, "seed %d", seed)
		if slices.ContainsFunc(h.Ops, func(o history.Op) bool { return o.Pending() }) {
			taken++
		}
	}
	t.Logf("%d found of %d, %d with operations that never returned", found, sequential, taken)
	assert.Greater(t, found, testenv.MoreThan(sequential/4))
	assert.Greater(t, taken, testenv.MoreThan(found/20))
}

// TestQueueBehindIsSequential: the clock of one of four processes is behind, so that a queue of
// 10,000 operations is not linearizable.
func TestQueueBehindIsSequential(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type op struct {
		Process int    `json:"process"`
		F       string `json:"f"`
		Arg     *int   `json:"arg,omitempty"`
		Result  *int   `json:"result,omitempty"`
		Call    int    `json:"call"`
		Return  int    `json:"return"`
	}
	var ops []op
	var inside []int
	for k := range 10_000 {
		o := op{Process: rng.IntN(4), F: "enq", Arg: &k, Call: 2 * k, Return: 2*k + 1}
		if len(inside) > 0 && rng.IntN(2) == 0 {
			o.F, o.Arg, o.Result, inside = "deq", nil, &inside[0], inside[1:]
		} else {
			inside = append(inside, k)
		}
		if o.Process == 0 {
			o.Call, o.Return = o.Call+100, o.Return+100
		}
		ops = append(ops, o)
	}
	slices.SortFunc(ops, func(a, b op) int { return a.Call - b.Call })
	text, err := json.Marshal(map[string]any{"spec": "queue", "operations": ops})
	require.NoError(t, err)
	h, err := history.Read(bytes.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	queue, _ := specs.Lookup("queue")
	r, err := linsat.Check(context.Background(), queue, h, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	assert.Equal(t, linsat.NotLinearizable, r.Verdict)
	assert.Equal(t, levels.Holds, ask(t, queue, h, "sequential").Verdict)
}

// TestSequentialIsNotLocal: each of two keys is sequential, and both together are not. So the
// history must not be split (Dekker's algorithm, store buffering).
func TestSequentialIsNotLocal(t *testing.T) {
	b := history.NewBuilder()
	v := b.Values
	for p, keys := range [][2]string{{"x", "y"}, {"y", "x"}} {
		process := b.ProcessInt(int64(p))
		put, get := history.Record{F: v.String("put"), Arg: v.Int(1)}, history.Record{F: v.String("get")}
		for k, r := range []history.Record{put, get} {
			r.Process, r.Key = process, v.String(keys[k])
			r.Call = int64(20*p + 4*k)
			r.Return = r.Call + 1
			_, err := b.Add(r)
			require.NoError(t, err)
		}
	}
	h, err := b.Finish()
	require.NoError(t, err)
	kv, _ := specs.Lookup("kv")
	assert.Equal(t, levels.Fails, ask(t, kv, h, "sequential").Verdict)
	for _, p := range model.Split(kv, h, model.ByKey) {
		b, err := kv.Bind(p)
		require.NoError(t, err)
		assert.True(t, oracle.Sequential(b))
	}
}

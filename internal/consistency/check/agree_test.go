package check_test

import (
	"context"
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

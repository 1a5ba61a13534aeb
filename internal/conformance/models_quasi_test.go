package conformance_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/usermodel"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// classed is a model with classes of operations.
func classed[S any](m linsat.Model[S, call, found], classes []string) linsat.Model[S, call, found] {
	m.Classes = classes
	m.Class = func(in call) int { return slices.Index(classes, in.F) }
	return m
}

// quasiModel compares CheckOps under factors with the definition.
func quasiModel[S any](t *testing.T, m linsat.Model[S, call, found], names, keys, classes []string, full int) {
	t.Helper()
	r := rand.New(rand.NewPCG(15, uint64(len(names))))
	m = classed(m, classes)
	verdicts := map[engine.Verdict]int{}
	moved := 0
	for range testenv.Scale(250, full) {
		ops := randomOps(r, names, keys)
		q := quasi.Question{Meaning: quasi.Meaning(r.IntN(2))}
		for range classes {
			q.Factor = append(q.Factor, []int32{0, 1, 1, 2, quasi.Unbounded}[r.IntN(5)])
		}
		s, h, err := m.Prepare(ops)
		require.NoError(t, err)
		want, plain := engine.Linearizable, true
		bound, err := model.Full(s).Bind(model.Whole(h))
		require.NoError(t, err)
		if ok, _, _ := oracle.QuasiLinearizable(bound, q); !ok {
			want = engine.NotLinearizable
		}
		got, err := linsat.CheckOps(context.Background(), m, ops, linsat.Quasi(q))
		require.NoError(t, err)
		require.Equal(t, want, got.Verdict, "%+v under %v", ops, q)
		require.Equal(t, q, *got.Quasi)
		verdicts[want]++
		if want == engine.Linearizable {
			if got.Partitions == 1 {
				require.NoError(t, oracle.ReplayQuasi(bound, q, got.Result.Witness, got.Result.Rearranged),
					"%+v under %v", ops, q)
				require.ElementsMatch(t, got.Witness, got.Rearranged)
			}
			plain, _ = oracle.Linearizable(bound)
		}
		if !plain {
			moved++
		}
	}
	t.Log(verdicts, moved)
	require.Greater(t, verdicts[engine.Linearizable], testenv.MoreThan(50))
	require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(50))
	require.Greater(t, moved, testenv.MoreThan(10))
}

func TestModelsUnderAFactorAgreeWithTheDefinition(t *testing.T) {
	one := []string{""}
	t.Run("queue", func(t *testing.T) {
		quasiModel(t, usermodel.Queue(), []string{"enq", "deq"}, one, []string{"deq", "enq"}, 20_000)
	})
	t.Run("queue that relates outputs", func(t *testing.T) {
		quasiModel(t, usermodel.HashedQueue(), []string{"enq", "deq"}, one, []string{"deq"}, 20_000)
	})
	t.Run("register", func(t *testing.T) {
		quasiModel(t, usermodel.Register(), []string{"write", "read", "swap"}, one, []string{"write", "read"}, 20_000)
	})
	t.Run("queues", func(t *testing.T) {
		m := usermodel.Queue()
		m.Key = func(in call) any { return in.Key }
		quasiModel(t, m, []string{"enq", "deq"}, []string{"a", "b"}, []string{"deq", "enq"}, 20_000)
	})
}

// TestClassesOfModels: what is wrong with them is an error.
func TestClassesOfModels(t *testing.T) {
	ops := []linsat.Op[call, found]{{Input: call{F: "deq"}, Call: 0, Return: 1}}
	check := func(m linsat.Model[[]int, call, found], q quasi.Question) error {
		_, err := linsat.CheckOps(context.Background(), m, ops, linsat.Quasi(q))
		return err
	}
	m := usermodel.Queue()
	require.ErrorContains(t, check(m, quasi.Question{}), "quasi-linearizability is not defined for it")
	m = classed(m, []string{"deq"})
	require.ErrorContains(t, check(m, quasi.Question{Factor: quasi.Factor{1, 2}}), "2 bounds for the 1 classes")
	require.NoError(t, check(m, quasi.Question{Factor: quasi.Factor{1}}))
	m.Class = func(call) int { return 1 }
	require.ErrorContains(t, check(m, quasi.Question{Factor: quasi.Factor{1}}), "its class is none of the model")
	m.Class = nil
	require.ErrorContains(t, check(m, quasi.Question{Factor: quasi.Factor{1}}), "only one of Class and Classes")
	m = classed(m, make([]string, 200))
	require.ErrorContains(t, check(m, quasi.Question{}), "200 classes")
}

package explain_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bySearch decides with the search engine within a number of steps.
func bySearch(ctx context.Context, b *model.Instance) engine.Verdict {
	a, err := search.New(search.VerdictOnly()).Check(ctx, &engine.Problem{Instance: b}, engine.NewBudget(200_000, 0))
	if err != nil {
		return engine.Unknown
	}
	return a.Verdict
}

// TestEtcdViolationsHaveSmallCores looks for a core of every refuted etcd log, and logs how large
// they are.
func TestEtcdViolationsHaveSmallCores(t *testing.T) {
	cas, _ := specs.Lookup("cas-register")
	var responses, edges, steps []int
	var slowest time.Duration
	for _, v := range testenv.Verdicts(t, "jepsen") {
		if v.Linearizable {
			continue
		}
		h, err := history.ReadFile(v.File, history.ReadOptions{})
		require.NoError(t, err)
		b, err := cas.Bind(model.Whole(h))
		require.NoError(t, err)
		a, err := search.New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.NotLinearizable, a.Verdict)
		start := time.Now()
		core, err := explain.Find(context.Background(), b, a.Failure, nil, bySearch)
		took := time.Since(start)
		slowest = max(slowest, took)
		require.NoError(t, err)
		require.NotNil(t, core, v.Name)
		if !assert.NotNil(t, core.Argument, "%s: %s", v.Name, core.NoArgument) {
			continue
		}
		assert.NoError(t, verify.Argument(b, core.Weakening, core.Argument), v.Name)
		assert.True(t, core.Minimal, "%s: %s", v.Name, core.NotMinimal)
		n, e := 0, 0
		for _, x := range core.Facts {
			switch x.Kind {
			case explain.ResponseFact:
				n++
			case explain.EdgeFact:
				e++
			}
		}
		responses, edges, steps = append(responses, n), append(edges, e), append(steps, core.Argument.Size().Steps)
		if took > 100*time.Millisecond {
			t.Logf("%s: %d responses, %d edges, %+v, %d calls, %d proofs, %v", v.Name, n, e, core.Argument.Size(),
				core.Calls, core.Proofs, took)
		}
	}
	slices.Sort(responses)
	slices.Sort(edges)
	slices.Sort(steps)
	at := func(x []int, share int) int { return x[(len(x)-1)*share/100] }
	t.Logf("%d cores: responses %d/%d/%d, edges %d/%d/%d, steps %d/%d/%d (median, p90, most), slowest %v",
		len(responses),
		at(responses, 50), at(responses, 90), at(responses, 100), at(edges, 50), at(edges, 90), at(edges, 100),
		at(steps, 50), at(steps, 90), at(steps, 100), slowest)
	require.Len(t, responses, 79)
	assert.LessOrEqual(t, at(responses, 50), 2)
}

// TestValueThatNothingLeaves: the core of a read of a value that is written by nothing, or by what
// is called later, is that read alone, whatever was read besides.
func TestValueThatNothingLeaves(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv"} {
		for seed := range uint64(10) {
			c, err := gen.Generate(gen.Options{Spec: name, Violation: gen.NeverWritten, Operations: 60, Seed: seed})
			require.NoError(t, err)
			s, _ := specs.Lookup(name)
			for _, p := range model.Split(s, c.History, model.ByKey) {
				b, err := s.Bind(p)
				require.NoError(t, err)
				a, err := search.New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
				require.NoError(t, err)
				if a.Verdict != engine.NotLinearizable {
					continue
				}
				core, err := explain.Find(context.Background(), b, a.Failure, nil, bySearch)
				require.NoError(t, err)
				read := []history.OpID{core.Facts[0].Operations[0]}
				assert.Equal(t, []explain.Fact{{Kind: explain.ResponseFact, Operations: read},
					{Kind: explain.ResultFact, Operations: read}}, core.Facts, "%s seed %d", name, seed)
				assert.True(t, core.Minimal)
				assert.NoError(t, verify.Argument(b, core.Weakening, core.Argument))
			}
		}
	}
}

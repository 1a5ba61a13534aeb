package conformance_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallHistories is how many random histories a comparison looks at, per specification.
func smallHistories() int {
	if testenv.Full() {
		return 20_000
	}
	return 400
}

// TestEnginesAgreeWithTheDefinition compares, per specification and on thousands of random small
// histories (pending operations, repeated values, several objects, explicit edges in a tenth,
// changed results and times), the definition by brute force with search, SAT and Check: split into
// pieces, into objects, and not at all.
func TestEnginesAgreeWithTheDefinition(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yes, sat, edges := 0, 0, 0
			for seed := range uint64(smallHistories()) {
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1})
				require.NoError(t, err, "seed %d", seed)
				if len(h.Edges) > 0 {
					edges++
				}
				verdict, bySAT := agree(t, s, h, seed)
				if verdict == engine.Linearizable {
					yes++
				}
				if bySAT {
					sat++
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d histories: %d linearizable, %d decided by SAT unsplit, %d with edges that ranks do not say",
				smallHistories(), yes, sat, edges)
			assert.Greater(t, yes, smallHistories()/10)
			assert.Less(t, yes, smallHistories()*9/10)
		})
	}
}

// agree compares all answers on one history.
func agree(t *testing.T, s model.Spec, h *history.History, seed uint64) (engine.Verdict, bool) {
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err, "seed %d", seed)
	want := engine.NotLinearizable
	if ok, _ := oracle.Linearizable(b); ok {
		want = engine.Linearizable
	}
	bySAT := false
	for _, e := range []engine.Engine{search.New(), engine.Open(encode.New(func() solver.Solver {
		return gini.New()
	}))} {
		a, err := e.Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err, "seed %d", seed)
		if a.Verdict == engine.Unknown && a.Cause == engine.Unsupported {
			continue
		}
		bySAT = bySAT || e.Name() == "sat"
		assert.Equal(t, want, a.Verdict, "%s on %s seed %d: %s", e.Name(), s.Info().Name, seed, show(h))
		if a.Verdict == engine.Linearizable {
			assert.NoError(t, verify.Witness(b, a.Witness), "%s on %s seed %d: %s", e.Name(),
				s.Info().Name, seed, show(h))
			assert.NoError(t, oracle.Replay(b, a.Witness), "%s on %s seed %d: %s", e.Name(),
				s.Info().Name, seed, show(h))
		}
	}
	for _, scope := range []model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned} {
		r, err := linsat.Check(context.Background(), s, h, linsat.Partition(linsat.Partitioning(scope.String())),
			linsat.Engine("all"), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: 2 * time.Second}))
		require.NoError(t, err, "%s seed %d", s.Info().Name, seed)
		assert.Equal(t, want, r.Verdict, "split %v of %s seed %d: %s", scope, s.Info().Name, seed, show(h))
		if r.Verdict == engine.Linearizable {
			assert.NoError(t, oracle.Replay(b, r.Witness), "merged witness, split %v of %s seed %d: %s", scope,
				s.Info().Name, seed, show(h))
		}
		if r.Verdict == engine.NotLinearizable {
			checkFailure(t, s, full(&r), fmt.Sprintf("split %v of %s seed %d: %s", scope, s.Info().Name, seed, show(h)))
		}
	}
	return want, bySAT
}

// checkFailure compares what a no says of the shortest violating prefix with the definition.
func checkFailure(t *testing.T, s model.Spec, r *result.Result, about string) {
	if explain.LeadsBack(r.Partition) { // there is no shortest one
		require.Nil(t, r.Failure, about)
		require.NotEmpty(t, r.Unlocated, about)
		return
	}
	require.NotNil(t, r.Failure, about)
	judge := func(cut history.Rank) bool {
		b, err := s.Bind(r.Partition.Prefix(cut))
		require.NoError(t, err, about)
		return len(oracle.Configurations(b, b.NewMachine(), b.Partition.Len())) > 0
	}
	assert.Equal(t, r.Partition.Ops[r.Failure.Op].Return, r.Failure.Cut, about)
	assert.False(t, judge(r.Failure.Cut), "the prefix is linearizable: %s", about)
	assert.True(t, judge(r.Failure.Cut-1), "a shorter prefix is not linearizable either: %s", about)
}

// show writes a history for a failure message.
func show(h *history.History) string {
	out := ""
	p := model.Whole(h)
	for i := range h.Ops {
		o := &h.Ops[i]
		out += fmt.Sprintf("\n  %d: %s key %d %s → %s [%d, %d]", i, h.Values.Format(o.F), o.Key, h.Values.Format(o.Arg),
			h.Values.Format(o.Result), o.Call, o.Return)
	}
	for _, e := range p.Edges {
		out += fmt.Sprintf("\n  %d before %d", e.Before, e.After)
	}
	if h.HasInitial {
		out += "\n  initially " + h.Values.Format(h.Initial)
	}
	return out
}

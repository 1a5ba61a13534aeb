package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// engineTally counts what the random tests have met, so that they can insist on all of it.
type engineTally struct{ yes, no, completeFrontiers, words, wordsRefuted int }

// judgeEngine compares the engine with brute force on one partition, and the search of the first
// phase with the engine where that phase decides.
func judgeEngine(t require.TestingT, p *model.Partition, s model.Spec, seen *engineTally) {
	b, err := s.Bind(p)
	require.NoError(t, err)
	want, _ := oracle.Linearizable(b)

	r, answer := start(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NotNil(t, r, "%+v", answer)
	r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
	got := r.Search()
	require.NoError(t, r.Broken)
	require.NotEqual(t, wgl.GaveUp, got, "cause %v", r.Cause)
	require.Equal(t, want, got == wgl.Found, "brute force says %v\n%s", want, randomspec.Show(p))
	judgeWord(t, r, got, seen)
	full, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	require.Equal(t, map[bool]engine.Verdict{true: engine.Linearizable, false: engine.NotLinearizable}[want],
		full.Verdict)
	mostConflicts := pending.DefaultPlan.Plain
	if model.As[*model.RevisionTheory](b) != nil {
		mostConflicts = int64(len(r.Returns))
	}
	if r.Conflicts < mostConflicts { // the first phase ends
		require.Equal(t, r.Steps, full.Effort.Steps)
	}
	require.Equal(t, full.Verdict == engine.NotLinearizable, full.Failure != nil)
	if full.Verdict == engine.Linearizable {
		seen.yes++
		require.NoError(t, oracle.Replay(b, full.Witness))
		return
	}
	seen.no++
	if testkit.JudgeFailure(t, p, s, full.Failure, wgl.MaxFrontier) {
		seen.completeFrontiers++
	}
}

// judgeWord compares the search on one word with a run that has ended: it visits the same nodes in
// the same order.
func judgeWord(t require.TestingT, r *wgl.Run, got wgl.Outcome, seen *engineTally) {
	answer, ok := searchWord(context.Background(), r.Instance, nil, true)
	if !ok {
		return
	}
	seen.words++
	require.Zero(t, r.Classes)
	require.Equal(t, engine.Effort{Steps: r.Steps, States: int64(r.Top) + 1, Nodes: r.Nodes}, answer.Effort,
		randomspec.Show(r.Instance.Partition))
	if got == wgl.Found {
		require.Equal(t, engine.Linearizable, answer.Verdict)
		require.Equal(t, r.Linearization(), answer.Witness, randomspec.Show(r.Instance.Partition))
		return
	}
	seen.wordsRefuted++
	require.Equal(t, engine.NotLinearizable, answer.Verdict)
}

func TestEngineAgreesWithTheDefinition(t *testing.T) {
	var seen engineTally
	for seed := range uint64(testenv.Scale(4000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := randomspec.New(rng, rng.IntN(2) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7)))
		if rng.IntN(3) == 0 {
			p = randomspec.Forget(rng, p)
		}
		testkit.WithSeed(t, seed, func() { judgeEngine(t, p, s, &seen) })
	}
	t.Logf("%+v", seen)
	for _, n := range []int{seen.yes, seen.no, seen.completeFrontiers, seen.words, seen.wordsRefuted} {
		assert.Greater(t, n, testenv.MoreThan(50), "%+v", seen)
	}
}

func TestEngineAgreesOnSpecifications(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		if name == "max-priority-queue" {
			continue // the generator knows it by the other order only
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen engineTally
			for seed := range uint64(testenv.Scale(500, 20000)) {
				rng := rand.New(rand.NewPCG(seed, 2))
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%4), NoEdges: seed%3 != 0})
				require.NoError(t, err)
				p := model.Whole(h)
				if seed%4 == 0 {
					p = randomspec.Forget(rng, p)
				}
				testkit.WithSeed(t, seed, func() { judgeEngine(t, p, s, &seen) })
			}
			t.Logf("%+v", seen)
			assert.Greater(t, seen.yes, testenv.MoreThan(20))
			assert.Greater(t, seen.no, testenv.MoreThan(20))
		})
	}
}
